package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One Produce request: scattered over its partitions, answered when all have answered or the time is over. */
final class ProduceCall {
    private final ClientRequest.Produce request;
    private final Responder<ClientResponse> responder;
    private final List<Item> items;
    private int open;
    private boolean scattered;
    private boolean answered;
    private EventLoop.@Nullable Timer timer;

    ProduceCall(ClientRequest.Produce request, Responder<ClientResponse> responder) {
        this.request = request;
        this.responder = responder;
        this.items = new ArrayList<>(request.items().size());
        this.open = request.items().size();
    }

    void start(PartitionHosts replicas, EventLoop loop) {
        for (ClientRequest.Produce.ProduceItem each : request.items()) {
            Item item = new Item(each.partition());
            items.add(item);
            BatchHeader batch = each.batch();
            if (each.error() != ErrorCode.NONE || batch == null) {
                item.refused(each.error(), each.message());
                continue;
            }
            PartitionHosts.Lookup lookup = replicas.find(each.partition());
            PartitionHost host = lookup.host();
            if (host == null) {
                item.refused(lookup.error(), null);
            } else {
                item.host = host;
                host.apply(new PartitionInput.HandleProduce(request.acks(), batch, each.records(), item));
                if (item.answer == null) {
                    host.waits(item);
                }
            }
        }
        scattered = true;
        if (open > 0 && request.acks() != 0) {
            timer = loop.schedule(Math.max(0, request.timeoutMs()), this::timedOut);
        }
        respondIfDone();
    }

    private void timedOut() {
        timer = null;
        for (Item item : items) {
            PartitionHost host = item.host;
            if (item.answer == null && host != null) {
                host.apply(new PartitionInput.AckTimeout(item));
            }
        }
        // A replica that takes no more input answers nothing.
        for (Item item : items) {
            if (item.answer == null) {
                item.refused(ErrorCode.REQUEST_TIMED_OUT, null);
            }
        }
    }

    private void respondIfDone() {
        if (!scattered || answered || (open > 0 && request.acks() != 0)) {
            return;
        }
        answered = true;
        if (timer != null) {
            timer.cancel();
        }
        List<ClientResponse.Produced.ProducedItem> answers = new ArrayList<>(items.size());
        for (Item item : items) {
            ClientResponse.Produced.ProducedItem answer = item.answer;
            answers.add(
                    answer != null
                            ? answer
                            : new ClientResponse.Produced.ProducedItem(
                                    item.partition, ErrorCode.NONE, null, -1, -1, -1, -1));
        }
        responder.respond(new ClientResponse.Produced(answers));
    }

    /** One partition's part; the token under which its core answers. */
    final class Item implements ReplyToken {
        private final PartitionRef partition;
        private @Nullable PartitionHost host;
        private ClientResponse.Produced.@Nullable ProducedItem answer;

        Item(PartitionRef partition) {
            this.partition = partition;
        }

        void answered(ErrorCode error, long baseOffset, long logStart, PartitionView view) {
            PartitionRegistration part = view.part();
            settle(new ClientResponse.Produced.ProducedItem(
                    partition,
                    error,
                    null,
                    baseOffset,
                    logStart,
                    part == null ? -1 : part.leader(),
                    part == null ? -1 : part.leaderEpoch()));
        }

        /** The replica is gone. */
        void gone(ErrorCode error) {
            refused(error, null);
        }

        private void refused(ErrorCode error, @Nullable String message) {
            settle(new ClientResponse.Produced.ProducedItem(partition, error, message, -1, -1, -1, -1));
        }

        private void settle(ClientResponse.Produced.ProducedItem settled) {
            if (answer == null) {
                answer = settled;
                if (host != null) {
                    host.waitsNoMore(this);
                }
                open--;
                respondIfDone();
            }
        }
    }
}
