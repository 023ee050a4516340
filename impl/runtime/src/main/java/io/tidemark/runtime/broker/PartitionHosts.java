package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import java.util.Collection;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The replicas on this broker. */
final class PartitionHosts {
    /** Either a host or the error that the client is told. */
    record Lookup(@Nullable PartitionHost host, ErrorCode error) {}

    private final MetadataView metadata;
    private final TreeMap<TopicPartition, PartitionHost> hosts = new TreeMap<>();

    PartitionHosts(MetadataView metadata) {
        this.metadata = metadata;
    }

    @Nullable
    PartitionHost get(TopicPartition id) {
        return hosts.get(id);
    }

    void put(PartitionHost host) {
        hosts.put(host.id, host);
    }

    @Nullable
    PartitionHost remove(TopicPartition id) {
        return hosts.remove(id);
    }

    Collection<PartitionHost> all() {
        return hosts.values();
    }

    /** The replica that a request names, or why there is none here. */
    Lookup find(PartitionRef ref) {
        UUID topicId = ref.topicId();
        String name = ref.topic();
        if (name != null) {
            TopicState topic = metadata.topic(name);
            if (topic == null) {
                return new Lookup(null, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
            }
            topicId = topic.id();
        }
        TopicPartition id = new TopicPartition(topicId, ref.partition());
        PartitionHost host = hosts.get(id);
        if (host != null) {
            return new Lookup(host, ErrorCode.NONE);
        }
        if (name == null && metadata.topic(topicId) == null) {
            return new Lookup(null, ErrorCode.UNKNOWN_TOPIC_ID);
        }
        PartitionRegistration partition = metadata.partition(id);
        return new Lookup(
                null, partition == null ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }
}
