package io.tidemark.node.net;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Warnings that outsiders can cause: of each kind one line in 10 s, which says how many there were. */
final class LogLimiter {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** More kinds than this are one kind. */
    private static final int MAX_KINDS = 256;

    private final Logger log;
    private final LongSupplier nanoClock;
    private final Map<String, Kind> kinds = new HashMap<>();

    synchronized int kinds() {
        return kinds.size();
    }

    private static final class Kind {
        private long nextNanos;
        private long suppressed;
    }

    LogLimiter(Logger log, LongSupplier nanoClock) {
        this.log = log;
        this.nanoClock = nanoClock;
    }

    synchronized void warn(String kind, String message) {
        long now = nanoClock.getAsLong();
        Kind seen = kinds.get(kinds.containsKey(kind) || kinds.size() < MAX_KINDS ? kind : "");
        if (seen == null) {
            seen = new Kind();
            seen.nextNanos = now;
            kinds.put(kinds.size() < MAX_KINDS ? kind : "", seen);
        }
        if (now - seen.nextNanos < 0) {
            seen.suppressed++;
            return;
        }
        String more = seen.suppressed > 0 ? " (and " + seen.suppressed + " like it before)" : "";
        seen.nextNanos = now + INTERVAL_NANOS;
        seen.suppressed = 0;
        log.warn("{}{}", message, more);
    }
}
