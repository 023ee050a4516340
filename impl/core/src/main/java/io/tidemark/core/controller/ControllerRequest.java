package io.tidemark.core.controller;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What brokers and administrators ask of the active controller. Every list is as bounded as the wire allowed. */
public sealed interface ControllerRequest {
    /** Calls the handler's method for this kind of request, and returns what it does. */
    <T> T applyTo(Handler<T> handler);

    /** One method for each kind, so that a new kind does not compile until everyone says what it means there. */
    interface Handler<T> {
        T registerBroker(RegisterBroker request);

        T brokerHeartbeat(BrokerHeartbeat request);

        T alterPartition(AlterPartition request);

        T electLeaders(ElectLeaders request);

        T createTopics(CreateTopics request);

        T deleteTopics(DeleteTopics request);

        T createPartitions(CreatePartitions request);

        T alterConfigs(AlterConfigs request);

        T updateFeatures(UpdateFeatures request);

        T allocateProducerIds(AllocateProducerIds request);

        T registerController(RegisterController request);
    }

    /**
     * KIP-631.
     *
     * @param previousBrokerEpoch from the clean-shutdown file, -1 without one (KIP-966)
     */
    record RegisterBroker(
            int brokerId,
            String clusterId,
            UUID incarnation,
            List<Endpoint> endpoints,
            SortedMap<String, BrokerRegistration.FeatureRange> features,
            @Nullable String rack,
            List<UUID> directories,
            long previousBrokerEpoch)
            implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.registerBroker(this);
        }
    }

    /**
     * KIP-631.
     *
     * @param currentMetadataOffset the last metadata offset that the broker has applied
     */
    record BrokerHeartbeat(
            int brokerId, long brokerEpoch, long currentMetadataOffset, boolean wantFence, boolean wantShutDown)
            implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.brokerHeartbeat(this);
        }
    }

    record AlterPartition(int brokerId, long brokerEpoch, List<PartitionItem> partitions) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.alterPartition(this);
        }

        public record PartitionItem(UUID topicId, int partition, AlterPartitionAsked asked) {}
    }

    /**
     * KIP-460.
     *
     * @param partitions null: all
     */
    record ElectLeaders(boolean unclean, @Nullable List<TopicAndPartition> partitions) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.electLeaders(this);
        }
    }

    record TopicAndPartition(String topic, int partition) {}

    /**
     * New topics, each judged by itself.
     *
     * @param topicIds fresh ids, one a topic, drawn by the runtime
     * @param placementStart a number drawn by the runtime: where the round robin over brokers starts
     */
    record CreateTopics(List<NewTopic> topics, boolean validateOnly, List<UUID> topicIds, int placementStart)
            implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.createTopics(this);
        }
    }

    /**
     * One new topic.
     *
     * @param partitions -1: the default
     * @param replicationFactor -1: the default
     * @param assignments broker ids by partition, null: the controller chooses
     * @param configs a null value is refused, as Kafka does
     */
    record NewTopic(
            String name,
            int partitions,
            short replicationFactor,
            @Nullable SortedMap<Integer, List<Integer>> assignments,
            SortedMap<String, @Nullable String> configs) {}

    /** By name or by id; exactly one is set in each. */
    record DeleteTopics(List<TopicSelector> topics) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.deleteTopics(this);
        }

        public record TopicSelector(
                @Nullable String name, @Nullable UUID topicId) {}
    }

    /** Assignments are null, or one list of broker ids for each new partition. */
    record CreatePartitions(List<Growth> topics, boolean validateOnly, int placementStart)
            implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.createPartitions(this);
        }

        public record Growth(
                String topic, int count, @Nullable List<List<Integer>> assignments) {}
    }

    /** IncrementalAlterConfigs (KIP-339), and AlterConfigs mapped to it. */
    record AlterConfigs(List<ConfigChange> changes, boolean validateOnly) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.alterConfigs(this);
        }
    }

    /** Type is Kafka's code: 2 topic, 4 broker (name "": cluster default). */
    record ConfigChange(byte resourceType, String resourceName, List<ConfigOp> ops) {}

    record ConfigOp(String key, Op op, @Nullable String value) {
        public enum Op {
            SET,
            DELETE,
            APPEND,
            SUBTRACT
        }
    }

    record UpdateFeatures(List<FeatureUpdate> updates, boolean validateOnly) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.updateFeatures(this);
        }

        public record FeatureUpdate(String name, short level, boolean allowDowngrade) {}
    }

    record AllocateProducerIds(int brokerId, long brokerEpoch) implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.allocateProducerIds(this);
        }
    }

    record RegisterController(
            int controllerId,
            UUID incarnation,
            List<Endpoint> endpoints,
            SortedMap<String, BrokerRegistration.FeatureRange> features)
            implements ControllerRequest {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.registerController(this);
        }
    }
}
