package io.tidemark.history.log;

import org.jspecify.annotations.Nullable;

/**
 * An acknowledged record that the complete final read does not hold.
 *
 * @param offset where it was acknowledged, -1 if the acknowledgement named none
 * @param ackTime nanoseconds since the history began
 */
public record LostRecord(Object key, long offset, @Nullable Object value, long ackTime) {
    public String topic() {
        return PartitionKey.of(key).topic();
    }

    /** Null where the key does not name one. */
    public @Nullable Integer partition() {
        return PartitionKey.of(key).partition();
    }
}
