package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

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

    /** A live request; identity tells it from its successors. */
    private static final class Live {
        final Key key;
        final QuorumMessage.Request request;
        boolean inFlight;

        Live(Key key, QuorumMessage.Request request) {
            this.key = key;
            this.request = request;
        }
    }

    private final TreeMap<Key, Live> live = new TreeMap<>();
    private final TreeMap<Key, Long> notBefore = new TreeMap<>();
    private final EventLoop loop;
    private final Network network;
    private final NodeSettings.Quorum times;
    private final IntFunction<List<Endpoint>> endpoints;
    private final Answers answers;

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
        Live entry = new Live(key, request);
        live.put(key, entry);
        return () -> sendWhenAllowed(entry);
    }

    void abandonAll() {
        live.clear();
    }

    private boolean isLive(Live entry) {
        return live.get(entry.key) == entry;
    }

    private void sendWhenAllowed(Live entry) {
        if (!isLive(entry)) {
            return;
        }
        long wait = notBefore.getOrDefault(entry.key, Long.MIN_VALUE) - loop.nowMs();
        if (wait > 0 && notBefore.containsKey(entry.key)) {
            loop.schedule(wait, () -> send(entry));
        } else {
            send(entry);
        }
    }

    private void send(Live entry) {
        if (!isLive(entry) || entry.inFlight) {
            return;
        }
        List<Endpoint> targets = endpoints.apply(entry.key.to());
        if (targets.isEmpty()) {
            retryLater(entry);
            return;
        }
        boolean fetch = entry.request instanceof QuorumMessage.MetadataFetch;
        int timeout =
                times.requestTimeoutMs() + (entry.request instanceof QuorumMessage.MetadataFetch f ? f.maxWaitMs() : 0);
        entry.inFlight = true;
        network.request(
                targets.get(0),
                fetch ? Network.Channel.METADATA_FETCH : Network.Channel.QUORUM,
                entry.request,
                timeout,
                loop,
                answer -> onAnswer(entry, answer));
    }

    private void onAnswer(Live entry, @Nullable Object answer) {
        entry.inFlight = false;
        if (!isLive(entry)) {
            return;
        }
        if (!(answer instanceof QuorumMessage.Response response)) {
            retryLater(entry);
            return;
        }
        live.remove(entry.key);
        if (response.error() != ErrorCode.NONE) {
            notBefore.put(entry.key, loop.nowMs() + times.retryBackoffMs());
        } else {
            notBefore.remove(entry.key);
        }
        answers.answered(entry.key.to(), entry.request, response);
    }

    private void retryLater(Live entry) {
        loop.schedule(times.retryBackoffMs(), () -> send(entry));
    }
}
