package io.tidemark.runtime.control;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.runtime.port.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * Fetches from the metadata log that have nothing to be told yet. Each is read again when the log, its high watermark or the
 * role moves, and once more when its maximum wait is over: then it is answered as it is. None is counted again.
 */
final class ParkedMetadataFetches {
    private record Parked(QuorumInput.MetadataRead read, EventLoop.Timer timer) {}

    private final EventLoop loop;
    private final Consumer<QuorumInput> again;
    private final IdentityHashMap<ReplyToken, Long> deadlines = new IdentityHashMap<>();
    private List<Parked> parked = new ArrayList<>();

    ParkedMetadataFetches(EventLoop loop, Consumer<QuorumInput> again) {
        this.loop = loop;
        this.again = again;
    }

    /** Returns false where the wait of this fetch is over: it must be answered now. */
    boolean park(QuorumEffect.ReplyFetch reply) {
        long now = loop.nowMs();
        long deadline = deadlines.computeIfAbsent(
                reply.token(), token -> now + reply.request().maxWaitMs());
        if (now >= deadline) {
            return false;
        }
        parked.add(new Parked(
                new QuorumInput.MetadataRead(reply.request(), reply.token()),
                loop.schedule(deadline - now, this::wake)));
        return true;
    }

    /** Has every parked fetch read again, in the order in which they came. */
    void wake() {
        List<Parked> woken = parked;
        parked = new ArrayList<>();
        for (Parked each : woken) {
            each.timer.cancel();
            again.accept(each.read);
        }
    }

    /** Whether the fetch under this token was parked and is not answered yet. */
    boolean hasWaited(ReplyToken token) {
        return deadlines.containsKey(token);
    }

    /** The fetch under this token is answered. */
    void answered(ReplyToken token) {
        deadlines.remove(token);
    }
}
