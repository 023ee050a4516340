package io.tidemark.runtime.control;

import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.runtime.port.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * Fetches from the metadata log that have nothing to be told yet. Each is handed in again when the log, its high watermark
 * or the role moves, and once more when its maximum wait is over: then it is answered as it is.
 */
final class ParkedMetadataFetches {
    private static final class Parked {
        final QuorumInput.HandleMetadataFetch fetch;
        final EventLoop.Timer timer;

        Parked(QuorumInput.HandleMetadataFetch fetch, EventLoop.Timer timer) {
            this.fetch = fetch;
            this.timer = timer;
        }
    }

    private final EventLoop loop;
    private final Consumer<QuorumInput.HandleMetadataFetch> again;
    private final IdentityHashMap<QuorumInput.HandleMetadataFetch, Long> deadlines = new IdentityHashMap<>();
    private List<Parked> parked = new ArrayList<>();

    ParkedMetadataFetches(EventLoop loop, Consumer<QuorumInput.HandleMetadataFetch> again) {
        this.loop = loop;
        this.again = again;
    }

    /** Returns false where the wait of this fetch is over: it must be answered now. */
    boolean park(QuorumInput.HandleMetadataFetch fetch) {
        long now = loop.nowMs();
        long deadline = deadlines.computeIfAbsent(fetch, f -> now + f.request().maxWaitMs());
        if (now >= deadline) {
            deadlines.remove(fetch);
            return false;
        }
        parked.add(new Parked(fetch, loop.schedule(deadline - now, this::wake)));
        return true;
    }

    /** Hands every parked fetch in again, in the order in which they came. */
    void wake() {
        if (parked.isEmpty()) {
            return;
        }
        List<Parked> woken = parked;
        parked = new ArrayList<>();
        for (Parked each : woken) {
            each.timer.cancel();
            again.accept(each.fetch);
        }
    }

    /** The fetch is answered. */
    void answered(QuorumInput.HandleMetadataFetch fetch) {
        deadlines.remove(fetch);
    }

    /** Forgets all of them; their connections time out. */
    void drop() {
        parked.forEach(each -> each.timer.cancel());
        parked.clear();
        deadlines.clear();
    }
}
