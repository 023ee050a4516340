package io.tidemark.wire;

import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.Uuid;

/** Java's UUIDs and Kafka's. */
final class Ids {
    /** Kafka's id of the metadata topic. */
    static final Uuid METADATA_TOPIC_ID = Uuid.METADATA_TOPIC_ID;

    static final String METADATA_TOPIC = "__cluster_metadata";

    private Ids() {}

    static UUID java(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    static Uuid kafka(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    static List<UUID> java(List<Uuid> ids) {
        return ids.stream().map(Ids::java).toList();
    }

    static List<Uuid> kafka(List<UUID> ids) {
        return ids.stream().map(Ids::kafka).toList();
    }
}
