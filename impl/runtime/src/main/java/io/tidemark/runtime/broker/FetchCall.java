package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import io.tidemark.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One Fetch request. With too little to give it waits at its partitions; woken, it reads again, so that every answer is
 * one that a core just gave; how far a follower has come is counted once, when its request arrives.
 */
final class FetchCall {
    private final ClientRequest.Fetch request;
    private final Responder<ClientResponse> responder;
    private final PartitionHosts replicas;
    private final EventLoop loop;
    private final List<Item> items;
    private final long deadlineMs;
    private EventLoop.@Nullable Timer timer;
    private int open;
    private boolean waiting;
    private boolean woken;
    private boolean counted;

    FetchCall(
            ClientRequest.Fetch request, Responder<ClientResponse> responder, PartitionHosts replicas, EventLoop loop) {
        this.request = request;
        this.responder = responder;
        this.replicas = replicas;
        this.loop = loop;
        this.deadlineMs = loop.nowMs() + request.maxWaitMs();
        this.items = new ArrayList<>(request.items().size());
        for (ClientRequest.Fetch.FetchItem item : request.items()) {
            items.add(new Item(item));
        }
    }

    boolean ofFollower() {
        return request.replicaId() >= 0;
    }

    /** Asks every partition. */
    void start() {
        woken = false;
        open = items.size();
        if (open == 0) {
            respond(List.of());
            return;
        }
        for (Item item : items) {
            item.ask();
        }
    }

    /** Something moved at a partition where this call waits. */
    void wake() {
        if (!waiting || woken) {
            return;
        }
        woken = true;
        // Behind what is queued already: under load one answer then takes many appends.
        loop.post(this::again);
    }

    private void again() {
        if (!waiting) {
            return;
        }
        waiting = false;
        for (Item item : items) {
            if (item.host != null) {
                item.host.waitsNoMore(this);
            }
        }
        counted = true;
        start();
    }

    private void timedOut() {
        timer = null;
        if (waiting && !woken) {
            again();
        }
    }

    private void allAnswered() {
        int budget = request.maxBytes();
        int total = 0;
        boolean news = false;
        List<RecordsRef> records = new ArrayList<>(items.size());
        for (Item item : items) {
            FetchAnswer answer = item.answer();
            RecordsRef part = RecordBytes.EMPTY;
            if (item.host != null && answer.from() < answer.upTo()) {
                int max = Math.min(item.asked.maxBytes(), Math.max(0, budget - total));
                part = item.read(item.host, max, total == 0);
                total += part.sizeInBytes();
            }
            news |= item.answer().error() != ErrorCode.NONE || answer.diverging() != null;
            records.add(part);
        }
        long left = deadlineMs - loop.nowMs();
        if (!news && total < request.minBytes() && left > 0) {
            park(left);
        } else {
            respond(records);
        }
    }

    private void park(long left) {
        waiting = true;
        for (Item item : items) {
            if (item.host != null) {
                item.host.waits(this);
            }
        }
        if (timer == null) {
            timer = loop.schedule(left, this::timedOut);
        }
    }

    private void respond(List<RecordsRef> records) {
        if (timer != null) {
            timer.cancel();
        }
        List<ClientResponse.Fetched.FetchedItem> answers = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            FetchAnswer answer = items.get(i).answer();
            answers.add(new ClientResponse.Fetched.FetchedItem(
                    items.get(i).asked.partition(),
                    answer.error(),
                    answer.hw(),
                    answer.logStart(),
                    answer.diverging(),
                    answer.leader(),
                    answer.leaderEpoch(),
                    records.get(i)));
        }
        responder.respond(new ClientResponse.Fetched(ErrorCode.NONE, answers));
    }

    /** One partition's part; the token under which its core answers. */
    final class Item implements ReplyToken {
        private final ClientRequest.Fetch.FetchItem asked;
        private @Nullable PartitionHost host;
        private @Nullable FetchAnswer answer;

        Item(ClientRequest.Fetch.FetchItem asked) {
            this.asked = asked;
        }

        private void ask() {
            PartitionHosts.Lookup lookup = replicas.find(asked.partition());
            PartitionHost found = lookup.host();
            host = found;
            if (found == null) {
                answered(new FetchAnswer(lookup.error(), -1, -1, -1, -1, null, -1, -1));
            } else if (ofFollower() && counted) {
                found.apply(new PartitionInput.FollowerRead(
                        asked.currentLeaderEpoch(), asked.fetchOffset(), asked.lastFetchedEpoch(), this));
            } else if (ofFollower()) {
                found.apply(new PartitionInput.HandleFetch(
                        request.replicaId(),
                        request.replicaEpoch(),
                        asked.currentLeaderEpoch(),
                        asked.fetchOffset(),
                        asked.lastFetchedEpoch(),
                        this));
            } else {
                found.apply(new PartitionInput.ConsumerRead(
                        asked.currentLeaderEpoch(), asked.fetchOffset(), asked.lastFetchedEpoch(), this));
            }
        }

        void answered(FetchAnswer given) {
            answer = given;
            PartitionHost found = host;
            if (found != null
                    && ofFollower()
                    && !counted
                    && given.error() == ErrorCode.NONE
                    && given.diverging() == null) {
                found.followerFetched(request.replicaId(), asked.fetchOffset());
            }
            if (--open == 0) {
                allAnswered();
            }
        }

        /** Where the log is damaged, that becomes the answer. */
        private RecordsRef read(PartitionHost from, int maxBytes, boolean minOneMessage) {
            FetchAnswer given = answer();
            try {
                return from.read(given.from(), given.upTo(), maxBytes, minOneMessage);
            } catch (StorageException e) {
                from.damaged(e);
                answer = new FetchAnswer(
                        ErrorCode.CORRUPT_MESSAGE, -1, -1, -1, -1, null, given.leader(), given.leaderEpoch());
                return RecordBytes.EMPTY;
            }
        }

        private FetchAnswer answer() {
            return Objects.requireNonNull(answer);
        }
    }
}
