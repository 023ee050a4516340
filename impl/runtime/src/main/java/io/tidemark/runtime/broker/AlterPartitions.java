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

    /**
     * How long an attempt that was not answered may still reach a controller that answers others: its bytes may lie in a
     * buffer although the connection is closed. A controller that is frozen for longer is deposed.
     */
    private static final long STRAY_MS = 10_000;

    /** A pending change; identity tells it from its successors. */
    private static final class Live {
        final PartitionHost host;
        final AlterPartitionAsked asked;
        long strayUntilMs = Long.MIN_VALUE;

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
        List<Live> asked = new ArrayList<>(live.values());
        List<ControllerRequest.AlterPartition.PartitionItem> items = new ArrayList<>(asked.size());
        for (Live entry : asked) {
            items.add(new ControllerRequest.AlterPartition.PartitionItem(
                    entry.host.id.topicId(), entry.host.id.partition(), entry.asked));
        }
        controller.once(
                Network.Channel.CONTROLLER,
                new ControllerRequest.AlterPartition(brokerId, brokerEpoch.getAsLong(), items),
                timeoutMs,
                attempts.begin(answer -> answered(asked, answer)));
    }

    private void answered(List<Live> asked, @Nullable ControllerResponse response) {
        long now = loop.nowMs();
        for (Live entry : asked) {
            if (response == null) {
                entry.strayUntilMs = now + STRAY_MS;
            }
            if (live.get(entry.host.id) == entry) {
                entry.host.apply(new PartitionInput.HandleAlterPartitionResponse(
                        entry.asked, believed(answerFor(entry.host.id, response), now < entry.strayUntilMs)));
            }
        }
        if (!live.isEmpty()) {
            attempts.in(asked.stream().anyMatch(entry -> live.get(entry.host.id) == entry) ? RETRY_MS : 0);
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

    /**
     * INELIGIBLE_REPLICA says that nothing was changed; while an earlier attempt of the same change may still arrive, and be
     * granted, that is not yet so, and the change stays pending.
     */
    static AlterPartitionAnswer believed(AlterPartitionAnswer answer, boolean strayAttempt) {
        boolean refused =
                answer.error() == ErrorCode.INELIGIBLE_REPLICA || answer.error() == ErrorCode.OPERATION_NOT_ATTEMPTED;
        return refused && strayAttempt ? AlterPartitionAnswer.failed(ErrorCode.REQUEST_TIMED_OUT) : answer;
    }
}
