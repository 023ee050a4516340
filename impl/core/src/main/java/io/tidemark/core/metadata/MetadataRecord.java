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
    void applyTo(Handler handler);

    /** One method for each kind, so that a new kind does not compile until every fold says what it means there. */
    interface Handler {
        void registerBroker(RegisterBroker record);

        void unregisterBroker(UnregisterBroker record);

        void brokerRegistrationChange(BrokerRegistrationChange record);

        void topic(Topic record);

        void removeTopic(RemoveTopic record);

        void partition(Partition record);

        void partitionChange(PartitionChange record);

        void clearElr(ClearElr record);

        void config(Config record);

        void featureLevel(FeatureLevel record);

        void producerIds(ProducerIds record);

        void registerController(RegisterController record);

        void noOp(NoOp record);

        void beginTransaction(BeginTransaction record);

        void endTransaction(EndTransaction record);

        void abortTransaction(AbortTransaction record);

        void unknown(Unknown record);
    }

    record RegisterBroker(BrokerRegistration registration) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.registerBroker(this);
        }
    }

    record UnregisterBroker(int brokerId, long brokerEpoch) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.unregisterBroker(this);
        }
    }

    /** Null: unchanged. */
    record BrokerRegistrationChange(
            int brokerId,
            long brokerEpoch,
            @Nullable Boolean fenced,
            @Nullable Boolean inControlledShutdown) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.brokerRegistrationChange(this);
        }
    }

    record Topic(String name, UUID topicId) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.topic(this);
        }
    }

    record RemoveTopic(UUID topicId) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.removeTopic(this);
        }
    }

    record Partition(UUID topicId, int partition, PartitionRegistration registration) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.partition(this);
        }
    }

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

        @Override
        public void applyTo(Handler handler) {
            handler.partitionChange(this);
        }
    }

    /** ELR and last known leaders of a topic (or, with an empty name, of all topics) are cleared (KIP-966). */
    record ClearElr(String topicName) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.clearElr(this);
        }
    }

    /** A null value removes the key. Type is Kafka's code: 2 topic, 4 broker (name "": cluster default). */
    record Config(
            byte resourceType,
            String resourceName,
            String key,
            @Nullable String value) implements MetadataRecord {
        public static final byte TOPIC = 2;
        public static final byte BROKER = 4;

        @Override
        public void applyTo(Handler handler) {
            handler.config(this);
        }
    }

    record FeatureLevel(String name, short level) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.featureLevel(this);
        }
    }

    /** The next producer id that is not handed out. */
    record ProducerIds(int brokerId, long brokerEpoch, long nextProducerId) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.producerIds(this);
        }
    }

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

        @Override
        public void applyTo(Handler handler) {
            handler.registerController(this);
        }
    }

    record NoOp() implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.noOp(this);
        }
    }

    /** KIP-868: the records up to {@link EndTransaction} count only together. */
    record BeginTransaction(@Nullable String name) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.beginTransaction(this);
        }
    }

    record EndTransaction() implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.endTransaction(this);
        }
    }

    record AbortTransaction(@Nullable String reason) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.abortTransaction(this);
        }
    }

    /** A record of a kind that Tidemark does not fold; kept so that it is named in a log line, never dropped unseen. */
    record Unknown(short apiKey) implements MetadataRecord {
        @Override
        public void applyTo(Handler handler) {
            handler.unknown(this);
        }
    }
}
