package io.tidemark.core.message;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition as a request names it: by name (older versions) or by topic id (newer ones).
 *
 * @param topic null where only the id was sent
 * @param topicId {@link #NO_ID} where only the name was sent
 */
public record PartitionRef(@Nullable String topic, UUID topicId, int partition) {
    public static final UUID NO_ID = new UUID(0L, 0L);

    public static PartitionRef byName(String topic, int partition) {
        return new PartitionRef(topic, NO_ID, partition);
    }

    public static PartitionRef byId(UUID topicId, int partition) {
        return new PartitionRef(null, topicId, partition);
    }
}
