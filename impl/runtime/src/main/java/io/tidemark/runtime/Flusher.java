package io.tidemark.runtime;

import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.FlushThread;
import io.tidemark.storage.PartitionLog;
import java.util.function.LongConsumer;

/**
 * fsyncs one log on its flush thread, one fsync at a time: what is asked meanwhile is served by the next one. Used from the
 * log's loop alone.
 */
public final class Flusher {
    private final PartitionLog log;
    private final FlushThread thread;
    private final EventLoop loop;
    private final LongConsumer durable;
    private boolean underWay;
    private boolean again;
    private boolean closed;

    /** {@code durable} gets the durable end offset after each fsync, on the loop. */
    public Flusher(PartitionLog log, FlushThread thread, EventLoop loop, LongConsumer durable) {
        this.log = log;
        this.thread = thread;
        this.loop = loop;
        this.durable = durable;
    }

    /** fsyncs up to the log's present end. */
    public void flush() {
        if (underWay) {
            again = true;
            return;
        }
        underWay = true;
        long end = log.logEndOffset();
        thread.execute(() -> {
            // Of a log that was closed meanwhile, or deleted with its topic, this is nothing.
            log.flush(end);
            loop.post(this::done);
        });
    }

    /** Call before the log is closed: what is under way is not reported any more. */
    public void close() {
        closed = true;
    }

    private void done() {
        underWay = false;
        if (closed) {
            return;
        }
        if (again) {
            again = false;
            flush();
        }
        // A truncation may have come between: the log knows what is durable now.
        durable.accept(log.durableEndOffset());
    }
}
