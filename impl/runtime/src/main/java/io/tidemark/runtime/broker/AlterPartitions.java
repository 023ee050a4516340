package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.Attempts;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pending ISR changes of this broker's leaders, one request in flight for all of them. A change that an answer has not
 * settled is sent again unchanged, until it is settled or overtaken.
 */
final class AlterPartitions {
    private static final long RETRY_MS = 50;

    /** After an answer that only the metadata log overtakes, which is on its way; Kafka does not ask again at all. */
    private static final long RETRY_KNOWN_MS = 500;

    /**
     * How long a controller must have answered without a pause before it counts as having read what lay in its sockets: an
     * attempt that was not answered may lie in one although its connection is closed.
     */
    private static final long STRAY_MS = 10_000;

    /** A longer time between two answers is a pause: of the controller, of the network, or of this broker. */
    private static final long PROMPT_MS = 1_000;

    private static final long NO_STRAY = Long.MIN_VALUE;

    /** A pending change; identity tells it from its successors. */
    private static final class Live {
        final PartitionHost host;
        final AlterPartitionAsked asked;
        /** A refusal of what was sent before this is not believed; there is no stray where it is {@link #NO_STRAY}. */
        long strayUntilMs = NO_STRAY;

        Live(PartitionHost host, AlterPartitionAsked asked) {
            this.host = host;
            this.asked = asked;
        }
    }

    private final int brokerId;
    private final EventLoop loop;
    private final ControllerChannel controller;
    private final LongSupplier brokerEpoch;
    private final int timeoutMs;
    private final Map<TopicPartition, Live> live = new TreeMap<>();
    private final Attempts attempts;
    private long lastEndedMs;

    AlterPartitions(
            int brokerId, EventLoop loop, ControllerChannel controller, LongSupplier brokerEpoch, int timeoutMs) {
        this.brokerId = brokerId;
        this.loop = loop;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
        this.timeoutMs = timeoutMs;
        this.attempts = new Attempts(loop, this::send);
    }

    void put(PartitionHost host, AlterPartitionAsked asked) {
        live.put(host.id, new Live(host, asked));
        attempts.in(0);
    }

    void remove(PartitionHost host) {
        live.remove(host.id);
    }

    private void send() {
        if (live.isEmpty()) {
            return;
        }
        if (!controller.known()) {
            // What is not sent cannot arrive late.
            attempts.in(RETRY_MS);
            return;
        }
        List<Live> asked = new ArrayList<>(live.values());
        List<ControllerRequest.AlterPartition.PartitionItem> items = new ArrayList<>(asked.size());
        for (Live entry : asked) {
            items.add(new ControllerRequest.AlterPartition.PartitionItem(
                    entry.host.id.topicId(), entry.host.id.partition(), entry.asked));
        }
        long sentMs = loop.nowMs();
        controller.once(
                Network.Channel.CONTROLLER,
                new ControllerRequest.AlterPartition(brokerId, brokerEpoch.getAsLong(), items),
                timeoutMs,
                attempts.begin(answer -> answered(asked, sentMs, answer)));
    }

    private void answered(List<Live> asked, long sentMs, @Nullable ControllerResponse response) {
        long now = loop.nowMs();
        boolean paused = now - lastEndedMs > PROMPT_MS;
        lastEndedMs = now;
        boolean soon = false;
        for (Live entry : asked) {
            if (response == null || (paused && entry.strayUntilMs != NO_STRAY)) {
                entry.strayUntilMs = now + STRAY_MS;
            }
            if (live.get(entry.host.id) == entry) {
                AlterPartitionAnswer answer = answerFor(entry.host.id, response);
                entry.host.apply(new PartitionInput.HandleAlterPartitionResponse(
                        entry.asked, answer, sentMs < entry.strayUntilMs));
                soon |= live.get(entry.host.id) == entry && !answer.isOvertaken();
            }
        }
        if (!live.isEmpty()) {
            boolean settled = asked.stream().noneMatch(entry -> live.get(entry.host.id) == entry);
            attempts.in(settled ? 0 : soon ? RETRY_MS : RETRY_KNOWN_MS);
        }
    }

    private static AlterPartitionAnswer answerFor(TopicPartition id, @Nullable ControllerResponse response) {
        if (response instanceof ControllerResponse.AlteredPartitions altered) {
            for (ControllerResponse.AlteredPartitions.PartitionAnswer each : altered.partitions()) {
                if (each.partition() == id.partition() && each.topicId().equals(id.topicId())) {
                    return each.answer();
                }
            }
            return AlterPartitionAnswer.failed(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
        return AlterPartitionAnswer.failed(
                response instanceof ControllerResponse.Refused refused ? refused.error() : ErrorCode.REQUEST_TIMED_OUT);
    }
}
