package io.tidemark.history;

import io.tidemark.history.edn.Keyword;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history: a client's invocation or its completion, or an event of the nemesis.
 *
 * @param index position in the history, from 0, ascending
 * @param time nanoseconds since the history began, by one monotonic clock
 * @param process the logical process, which has at most one operation open; {@link #NEMESIS} for faults
 * @param f what was done, for example {@code send}, {@code poll}
 * @param value an EDN value; Jepsen's shapes for the Kafka workload are in {@link KafkaOps}
 * @param error what went wrong, an EDN value, or null
 * @param extra keys beyond Jepsen's own seven, kept in order
 */
public record Operation(
        long index,
        long time,
        long process,
        Type type,
        String f,
        @Nullable Object value,
        @Nullable Object error,
        Map<Keyword, @Nullable Object> extra) {
    /** The process of faults, {@code :nemesis} in EDN. */
    public static final long NEMESIS = -1;

    /** What is known about an operation. */
    public enum Type {
        INVOKE,
        OK,
        /** It certainly had no effect. */
        FAIL,
        /** It may or may not have had its effect, now or later. */
        INFO
    }

    public Operation {
        if (index < 0 || time < 0 || process < NEMESIS) {
            throw new IllegalArgumentException("operation: index " + index + ", time " + time + ", process " + process
                    + "; expected none below 0");
        }
        extra = extra.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(extra));
    }

    public boolean isNemesis() {
        return process == NEMESIS;
    }

    public @Nullable Object extra(String name) {
        return extra.get(new Keyword(name));
    }
}
