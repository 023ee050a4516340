package io.tidemark.runtime;

import io.tidemark.core.Requires;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * Holds what promises something until it is true: a vote until {@code quorum-state} is on disk, a fetch until the log that
 * it covers is, a controller's answer until its records are committed. Used from its loop alone.
 */
public final class DurabilityGate {
    private record Held(Requires requires, long stateWrites, Runnable action, Runnable refused) {}

    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long stateWritesAsked;
    private long stateWritesDone;
    private long flushed;
    private long committed;

    public DurabilityGate(long flushed) {
        this.flushed = flushed;
    }

    /** Runs {@code action} once {@code requires} holds: at once where it does. */
    public void when(Requires requires, Runnable action) {
        when(requires, action, () -> {});
    }

    /** As above; {@code refused} runs instead if the promise can no longer come true: {@link #refuseUncommitted}, {@link #truncated}. */
    public void when(Requires requires, Runnable action, Runnable refused) {
        Held entry = new Held(requires, stateWritesAsked, action, refused);
        if (holds(entry)) {
            action.run();
        } else {
            held.add(entry);
        }
    }

    /** A write of {@code quorum-state} was handed out. */
    public void stateWriteAsked() {
        stateWritesAsked++;
    }

    /** The oldest of them is on disk. */
    public void stateWriteDone() {
        stateWritesDone++;
        release();
    }

    /** The log is on disk up to {@code endOffset}. */
    public void flushed(long endOffset) {
        flushed = endOffset;
        release();
    }

    public void committed(long endOffset) {
        committed = endOffset;
        release();
    }

    /** Leadership is lost: what waits for a commit may never be committed, and nobody may claim that it was. */
    public void refuseUncommitted() {
        refuse(requires -> requires instanceof Requires.Committed);
    }

    /**
     * The log was cut to {@code endOffset} and is on disk up to {@code flushed}: a promise about what was cut off can no
     * longer come true, though other records will be flushed at those offsets.
     */
    public void truncated(long endOffset, long flushedEnd) {
        flushed = flushedEnd;
        refuse(requires -> (requires instanceof Requires.Flushed r && r.endOffset() > endOffset)
                || (requires instanceof Requires.QuorumStateAndFlushed both && both.endOffset() > endOffset));
    }

    private void refuse(Predicate<Requires> which) {
        ArrayDeque<Held> refused = new ArrayDeque<>();
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held entry = each.next();
            if (which.test(entry.requires())) {
                each.remove();
                refused.add(entry);
            }
        }
        refused.forEach(entry -> entry.refused().run());
    }

    /** How many actions wait. */
    public int size() {
        return held.size();
    }

    private void release() {
        if (held.isEmpty()) {
            return;
        }
        ArrayDeque<Held> ready = new ArrayDeque<>();
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held entry = each.next();
            if (holds(entry)) {
                each.remove();
                ready.add(entry);
            }
        }
        ready.forEach(entry -> entry.action().run());
    }

    private boolean holds(Held entry) {
        Requires requires = entry.requires();
        if (requires instanceof Requires.Nothing) {
            return true;
        } else if (requires instanceof Requires.QuorumState) {
            return stateWritesDone >= entry.stateWrites();
        } else if (requires instanceof Requires.Flushed r) {
            return flushed >= r.endOffset();
        } else if (requires instanceof Requires.QuorumStateAndFlushed r) {
            return stateWritesDone >= entry.stateWrites() && flushed >= r.endOffset();
        } else if (requires instanceof Requires.Committed r) {
            return committed >= r.endOffset();
        }
        throw new IllegalStateException("no such promise: " + requires);
    }
}
