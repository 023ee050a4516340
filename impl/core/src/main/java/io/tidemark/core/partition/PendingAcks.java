package io.tidemark.core.partition;

import io.tidemark.core.ReplyToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers to {@code acks=all} that wait for the high watermark, by required offset; equal ones in order of arrival. */
final class PendingAcks {
    /**
     * @param required the high watermark that it waits for
     * @param baseOffset what the producer is told
     */
    record Ack(ReplyToken token, long required, long baseOffset) {}

    private final ArrayDeque<Ack> waiting = new ArrayDeque<>();

    void add(Ack ack) {
        Ack last = waiting.peekLast();
        if (last == null || last.required <= ack.required) {
            waiting.addLast(ack);
            return;
        }
        // A duplicate of a batch that still waits: rare, so the walk does not matter.
        ArrayDeque<Ack> behind = new ArrayDeque<>();
        while (last != null && last.required > ack.required) {
            behind.addFirst(waiting.removeLast());
            last = waiting.peekLast();
        }
        waiting.addLast(ack);
        waiting.addAll(behind);
    }

    /** The one that the high watermark reaches first; null if none waits. */
    @Nullable
    Ack first() {
        return waiting.peekFirst();
    }

    void removeFirst() {
        waiting.removeFirst();
    }

    /** Whether it waited. */
    boolean remove(ReplyToken token) {
        for (Iterator<Ack> acks = waiting.iterator(); acks.hasNext(); ) {
            if (acks.next().token.equals(token)) {
                acks.remove();
                return true;
            }
        }
        return false;
    }

    List<Ack> all() {
        return new ArrayList<>(waiting);
    }
}
