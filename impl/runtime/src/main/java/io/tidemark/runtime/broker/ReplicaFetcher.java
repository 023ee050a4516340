package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.Attempts;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.CorruptBatchException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fetches of this broker's followers from one leader: one request in flight for all of them. An answer counts for a
 * partition only while the fetch that it answers is still the live one.
 */
final class ReplicaFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFetcher.class);

    /** A partition's live fetch; identity tells it from its successors. */
    private static final class Live {
        final PartitionHost host;
        final FetchAsked asked;
        long notBeforeMs = Long.MIN_VALUE;
        private boolean told;

        Live(PartitionHost host, FetchAsked asked) {
            this.host = host;
            this.asked = asked;
        }

        /** Whether what is asked for again and again has not been told yet. */
        boolean first() {
            boolean first = !told;
            told = true;
            return first;
        }
    }

    private final int leader;
    private final NodeSettings settings;
    private final EventLoop loop;
    private final Network network;
    private final IntFunction<@Nullable Endpoint> endpoints;
    private final LongSupplier brokerEpoch;
    private final Map<PartitionHost, Live> live = new LinkedHashMap<>();
    private final Attempts attempts;

    ReplicaFetcher(
            int leader,
            NodeSettings settings,
            EventLoop loop,
            Network network,
            IntFunction<@Nullable Endpoint> endpoints,
            LongSupplier brokerEpoch) {
        this.leader = leader;
        this.settings = settings;
        this.loop = loop;
        this.network = network;
        this.endpoints = endpoints;
        this.brokerEpoch = brokerEpoch;
        this.attempts = new Attempts(loop, this::send);
    }

    void put(PartitionHost host, FetchAsked asked) {
        Live before = live.get(host);
        Live entry = new Live(host, asked);
        if (before != null && before.asked.equals(asked)) {
            entry.notBeforeMs = before.notBeforeMs;
            entry.told = before.told;
        }
        live.put(host, entry);
        attempts.in(0);
    }

    void remove(PartitionHost host) {
        live.remove(host);
    }

    private void send() {
        if (live.isEmpty()) {
            return;
        }
        if (brokerEpoch.getAsLong() < 0) {
            // Not registered, as far as this process knows: a fetch could not be told from one of an earlier life.
            attempts.in(settings.brokerTimes().replicaFetchBackoffMs());
            return;
        }
        long now = loop.nowMs();
        long wake = Long.MAX_VALUE;
        List<Live> asked = new ArrayList<>(live.size());
        List<ClientRequest.Fetch.FetchItem> items = new ArrayList<>(live.size());
        for (Live entry : live.values()) {
            if (entry.notBeforeMs > now) {
                wake = Math.min(wake, entry.notBeforeMs);
                continue;
            }
            asked.add(entry);
            items.add(new ClientRequest.Fetch.FetchItem(
                    new PartitionRef(entry.host.topic, entry.host.id.topicId(), entry.host.id.partition()),
                    entry.asked.leaderEpoch(),
                    entry.asked.offset(),
                    entry.asked.lastFetchedEpoch(),
                    entry.asked.logStart(),
                    settings.brokerTimes().replicaFetchMaxBytes()));
        }
        Endpoint endpoint = endpoints.apply(leader);
        if (items.isEmpty() || endpoint == null) {
            attempts.in(endpoint == null ? settings.brokerTimes().replicaFetchBackoffMs() : Math.max(1, wake - now));
            return;
        }
        // A partition that backs off must not wait for a long poll of the others.
        int wait = wake == Long.MAX_VALUE
                ? settings.brokerTimes().replicaFetchWaitMaxMs()
                : (int) Math.min(settings.brokerTimes().replicaFetchWaitMaxMs(), Math.max(1, wake - now));
        network.request(
                endpoint,
                Network.Channel.REPLICA_FETCH,
                new ClientRequest.Fetch(
                        settings.nodeId(), brokerEpoch.getAsLong(), wait, 1, FETCH_RESPONSE_MAX_BYTES, items),
                settings.brokerTimes().replicaSocketTimeoutMs(),
                loop,
                attempts.begin(answer -> answered(asked, answer)));
    }

    /** Kafka's {@code replica.fetch.response.max.bytes}. */
    private static final int FETCH_RESPONSE_MAX_BYTES = 10 * 1024 * 1024;

    private void answered(List<Live> asked, @Nullable Object answer) {
        if (!(answer instanceof ClientResponse.Fetched fetched)
                || fetched.error() != ErrorCode.NONE
                || fetched.items().size() != asked.size()) {
            attempts.in(settings.brokerTimes().replicaFetchBackoffMs());
            return;
        }
        for (int i = 0; i < asked.size(); i++) {
            Live entry = asked.get(i);
            ClientResponse.Fetched.FetchedItem item = fetched.items().get(i);
            boolean same = item.partition().partition() == entry.host.id.partition()
                    && item.partition().topicId().equals(entry.host.id.topicId());
            if (!same) {
                if (entry.first()) {
                    LOG.warn("{}: leader {} answered of {}, asking again", entry.host.name(), leader, item.partition());
                }
                backOff(entry);
            } else if (live.get(entry.host) == entry) {
                answered(entry, item);
            }
        }
        // After what this turn still brings: all answers of one response go into the next request.
        attempts.in(0);
    }

    private void answered(Live entry, ClientResponse.Fetched.FetchedItem item) {
        List<BatchHeader> batches;
        try {
            batches = item.records().sizeInBytes() == 0
                    ? List.of()
                    : BatchFormat.batches(((RecordBytes) item.records()).buffer());
        } catch (CorruptBatchException e) {
            if (entry.first()) {
                LOG.warn(
                        "{}: what leader {} sent is damaged, asking again: {}",
                        entry.host.name(),
                        leader,
                        e.getMessage());
            }
            backOff(entry);
            return;
        }
        if (item.error() != ErrorCode.NONE) {
            if (item.error() == ErrorCode.OFFSET_OUT_OF_RANGE && entry.first()) {
                LOG.warn(
                        "{}: leader {} has nothing at offset {} after leader epoch {}; its log starts at {}",
                        entry.host.name(),
                        leader,
                        entry.asked.offset(),
                        entry.asked.lastFetchedEpoch(),
                        item.logStart());
            } else {
                LOG.debug("{}: leader {} answered {}", entry.host.name(), leader, item.error());
            }
            backOff(entry);
        }
        entry.host.apply(new PartitionInput.HandleFetchResponse(
                entry.asked, item.error(), item.diverging(), batches, item.records(), item.hw(), item.logStart()));
        if (item.error() == ErrorCode.NONE && (!batches.isEmpty() || item.diverging() != null)) {
            backOffIfRefused(entry, batches);
        }
    }

    /** What the replica does not take it would ask for again at once, and the leader has nothing else to give. */
    private void backOffIfRefused(Live entry, List<BatchHeader> batches) {
        Live next = live.get(entry.host);
        if (next == null || !entry.asked.equals(entry.host.view().asked())) {
            return;
        }
        if (next.first()) {
            LOG.warn(
                    "{}: what leader {} sent does not continue the log at offset {} after leader epoch {}: {}; it stays out of"
                            + " the ISR until a replica that is in sync leads instead",
                    entry.host.name(),
                    leader,
                    entry.asked.offset(),
                    entry.asked.lastFetchedEpoch(),
                    batches.isEmpty()
                            ? "a diverging epoch"
                            : "offset " + batches.get(0).baseOffset() + " of leader epoch "
                                    + batches.get(0).leaderEpoch());
        }
        backOff(next);
    }

    private void backOff(Live entry) {
        entry.notBeforeMs = loop.nowMs() + settings.brokerTimes().replicaFetchBackoffMs();
    }
}
