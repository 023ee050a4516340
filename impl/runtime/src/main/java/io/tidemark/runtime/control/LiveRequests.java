package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.Attempts;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of the quorum's replica that wait for an answer: at most one of a kind to a peer. One without an answer is
 * sent again after a back-off; one that was replaced or abandoned is forgotten, and so is its answer.
 */
final class LiveRequests {
    /** What to do with the answer to a live request. */
    interface Answers {
        void answered(int to, QuorumMessage.Request request, QuorumMessage.Response response);
    }

    private record Key(int to, Class<?> kind) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPeer = Integer.compare(to, other.to);
            return byPeer != 0 ? byPeer : kind.getName().compareTo(other.kind.getName());
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(LiveRequests.class);

    private final TreeMap<Key, Live> live = new TreeMap<>();
    private final TreeMap<Key, Long> notBefore = new TreeMap<>();
    private final EventLoop loop;
    private final Network network;
    private final NodeSettings.Quorum times;
    private final IntFunction<List<Endpoint>> endpoints;
    private final Answers answers;
    /** A fetch whose answer, which brought something, is being taken right now. */
    private QuorumMessage.@Nullable Request taking;

    private QuorumMessage.@Nullable Request warned;

    LiveRequests(
            EventLoop loop,
            Network network,
            NodeSettings.Quorum times,
            IntFunction<List<Endpoint>> endpoints,
            Answers answers) {
        this.loop = loop;
        this.network = network;
        this.times = times;
        this.endpoints = endpoints;
        this.answers = answers;
    }

    /**
     * Makes {@code request} the live one of its kind to {@code to}; returns what sends it, to be run once what it promises
     * holds.
     */
    Runnable put(int to, QuorumMessage.Request request) {
        Key key = new Key(to, request.getClass());
        if (request instanceof QuorumMessage.MetadataFetch) {
            // One fetch at a time: a fetch to another node replaces the one to the last leader.
            live.keySet().removeIf(other -> other.kind() == QuorumMessage.MetadataFetch.class);
        }
        if (request.equals(taking)) {
            refused(key, request, "does not continue the log");
        }
        Live entry = new Live(key, request);
        live.put(key, entry);
        return entry::sendWhenAllowed;
    }

    /** As {@link #put}, where the answer to the same request was damaged: sent after a back-off. */
    Runnable putDamaged(int to, QuorumMessage.Request request, String how) {
        taking = null;
        refused(new Key(to, request.getClass()), request, "is damaged (" + how + ")");
        return put(to, request);
    }

    /** What is not taken would be asked for at once again, and the leader has nothing else to give. Told once. */
    private void refused(Key key, QuorumMessage.Request request, String why) {
        notBefore.put(key, loop.nowMs() + times.retryBackoffMs());
        if (!request.equals(warned)) {
            warned = request;
            LOG.warn("Quorum: what leader {} sent {}, asking again: {}", key.to(), why, request);
        }
    }

    void abandonAll() {
        live.clear();
    }

    private static boolean brings(QuorumMessage.Response response) {
        return response instanceof QuorumMessage.MetadataFetchResult result
                && result.error() == ErrorCode.NONE
                && (result.diverging() != null || result.records().sizeInBytes() > 0);
    }

    /** A live request; identity tells it from its successors. */
    private final class Live {
        private final Key key;
        private final QuorumMessage.Request request;
        private final Attempts attempts = new Attempts(loop, this::send);

        Live(Key key, QuorumMessage.Request request) {
            this.key = key;
            this.request = request;
        }

        void sendWhenAllowed() {
            Long allowedMs = notBefore.get(key);
            if (allowedMs == null || allowedMs <= loop.nowMs()) {
                attempts.now();
            } else {
                attempts.in(allowedMs - loop.nowMs());
            }
        }

        private void send() {
            if (live.get(key) != this) {
                return;
            }
            List<Endpoint> targets = endpoints.apply(key.to());
            if (targets.isEmpty()) {
                attempts.in(times.retryBackoffMs());
                return;
            }
            boolean fetch = request instanceof QuorumMessage.MetadataFetch;
            network.request(
                    targets.get(0),
                    fetch ? Network.Channel.METADATA_FETCH : Network.Channel.QUORUM,
                    request,
                    times.requestTimeoutMs() + (request instanceof QuorumMessage.MetadataFetch f ? f.maxWaitMs() : 0),
                    loop,
                    attempts.begin(this::answered));
        }

        private void answered(@Nullable Object answer) {
            if (live.get(key) != this) {
                return;
            }
            if (!(answer instanceof QuorumMessage.Response response)) {
                attempts.in(times.retryBackoffMs());
                return;
            }
            live.remove(key);
            if (response.error() != ErrorCode.NONE) {
                notBefore.put(key, loop.nowMs() + times.retryBackoffMs());
            } else {
                notBefore.remove(key);
            }
            taking = brings(response) ? request : null;
            answers.answered(key.to(), request, response);
            taking = null;
        }
    }
}
