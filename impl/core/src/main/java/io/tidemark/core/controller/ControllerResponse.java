package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.partition.AlterPartitionAnswer;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The active controller's answers; each has its request's name. Messages are for people, null where none. */
public sealed interface ControllerResponse {
    /** The whole request was refused. */
    record Refused(ErrorCode error, @Nullable String message) implements ControllerResponse {}

    record RegisteredBroker(long brokerEpoch) implements ControllerResponse {}

    record Heartbeat(boolean caughtUp, boolean fenced, boolean shouldShutDown) implements ControllerResponse {}

    record AlteredPartitions(List<PartitionAnswer> partitions) implements ControllerResponse {
        public record PartitionAnswer(UUID topicId, int partition, AlterPartitionAnswer answer) {}
    }

    record ElectedLeaders(List<ElectionResult> results) implements ControllerResponse {
        public record ElectionResult(
                String topic,
                int partition,
                ErrorCode error,
                @Nullable String message) {}
    }

    /** The number of partitions is -1 with an error. */
    record CreatedTopics(List<CreatedTopic> topics) implements ControllerResponse {
        public record CreatedTopic(
                String name,
                UUID topicId,
                ErrorCode error,
                @Nullable String message,
                int numPartitions,
                short replicationFactor,
                SortedMap<String, String> configs) {}
    }

    record DeletedTopics(List<DeletedTopic> topics) implements ControllerResponse {
        public record DeletedTopic(
                @Nullable String name,
                UUID topicId,
                ErrorCode error,
                @Nullable String message) {}
    }

    record CreatedPartitions(List<GrowthResult> topics) implements ControllerResponse {
        public record GrowthResult(
                String topic, ErrorCode error, @Nullable String message) {}
    }

    record AlteredConfigs(List<ConfigResult> results) implements ControllerResponse {
        public record ConfigResult(
                byte resourceType,
                String resourceName,
                ErrorCode error,
                @Nullable String message) {}
    }

    record UpdatedFeatures(List<FeatureResult> results) implements ControllerResponse {
        public record FeatureResult(
                String name, ErrorCode error, @Nullable String message) {}
    }

    /** Ids from {@code first}, {@code length} of them. */
    record ProducerIdBlock(long first, int length) implements ControllerResponse {}

    record RegisteredController() implements ControllerResponse {}
}
