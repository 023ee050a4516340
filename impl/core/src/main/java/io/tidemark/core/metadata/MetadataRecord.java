package io.tidemark.core.metadata;

import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The records of the metadata log that Tidemark folds: Kafka's {@code *Record} schemas in the core's own terms. Brokers
 * apply committed ones only.
 */
public sealed interface MetadataRecord {
    record RegisterBroker(BrokerRegistration registration) implements MetadataRecord {}

    record UnregisterBroker(int brokerId, long brokerEpoch) implements MetadataRecord {}

    /** Null: unchanged. */
    record BrokerRegistrationChange(
            int brokerId,
            long brokerEpoch,
            @Nullable Boolean fenced,
            @Nullable Boolean inControlledShutdown) implements MetadataRecord {}

    record Topic(String name, UUID topicId) implements MetadataRecord {}

    record RemoveTopic(UUID topicId) implements MetadataRecord {}

    record Partition(UUID topicId, int partition, PartitionRegistration registration) implements MetadataRecord {}

    /**
     * A delta: null means unchanged. A leader other than null raises the leader epoch, and every change raises the
     * partition epoch.
     */
    record PartitionChange(
            UUID topicId,
            int partition,
            @Nullable List<Integer> isr,
            @Nullable Integer leader,
            @Nullable List<Integer> replicas,
            @Nullable List<Integer> removingReplicas,
            @Nullable List<Integer> addingReplicas,
            @Nullable LeaderRecovery recovery,
            @Nullable List<Integer> elr,
            @Nullable List<Integer> lastKnownElr,
            @Nullable List<UUID> directories)
            implements MetadataRecord {
        /** What {@link ClearElr} does to one partition. */
        static PartitionChange clearElr(UUID topicId, int partition) {
            return new PartitionChange(
                    topicId, partition, null, null, null, null, null, null, List.of(), List.of(), null);
        }
    }

    /** ELR and last known leaders of a topic (or, with an empty name, of all topics) are cleared (KIP-966). */
    record ClearElr(String topicName) implements MetadataRecord {}

    /** A null value removes the key. Type is Kafka's code: 2 topic, 4 broker (name "": cluster default). */
    record Config(
            byte resourceType,
            String resourceName,
            String key,
            @Nullable String value) implements MetadataRecord {
        public static final byte TOPIC = 2;
        public static final byte BROKER = 4;
    }

    record FeatureLevel(String name, short level) implements MetadataRecord {}

    /** The next producer id that is not handed out. */
    record ProducerIds(int brokerId, long brokerEpoch, long nextProducerId) implements MetadataRecord {}

    record RegisterController(
            int controllerId,
            UUID incarnation,
            boolean zkMigrationReady,
            List<Endpoint> endpoints,
            SortedMap<String, BrokerRegistration.FeatureRange> features)
            implements MetadataRecord {
        public RegisterController {
            endpoints = List.copyOf(endpoints);
        }
    }

    record NoOp() implements MetadataRecord {}

    /** KIP-868: the records up to {@link EndTransaction} count only together. */
    record BeginTransaction(@Nullable String name) implements MetadataRecord {}

    record EndTransaction() implements MetadataRecord {}

    record AbortTransaction(@Nullable String reason) implements MetadataRecord {}

    /** A record of a kind that Tidemark does not fold; kept so that it is named in a log line, never dropped unseen. */
    record Unknown(short apiKey) implements MetadataRecord {}
}
