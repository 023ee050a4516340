package io.tidemark.node.net;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Warnings that outsiders can cause: of each kind one line in 10 s, which says how many there were, or one line ever. */
final class LogLimiter {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** More kinds than this are one kind. */
    private static final int MAX_KINDS = 256;

    private final Logger log;
    private final LongSupplier nanoClock;
    private final Map<String, Kind> kinds = new HashMap<>();
    private final Set<String> said = new HashSet<>();

    synchronized int kinds() {
        return kinds.size() + said.size();
    }

    private static final class Kind {
        private long nextNanos;
        private long suppressed;
    }

    LogLimiter(Logger log, LongSupplier nanoClock) {
        this.log = log;
        this.nanoClock = nanoClock;
    }

    /** A line whose repetition says nothing new; what comes after too many kinds is said as {@link #warn} does. */
    synchronized void warnOnce(String kind, String message) {
        if (said.contains(kind)) {
            return;
        }
        if (said.size() < MAX_KINDS) {
            said.add(kind);
            log.warn(message);
        } else {
            warn("", message);
        }
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
