package io.tidemark.core.metadata;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata, to read: live, read-only views of a {@link MetadataState}, valid on the thread that owns it
 * and until its next {@code apply}.
 */
public interface MetadataView {
    /** The last offset that counts, -1 for none. Inside a transaction it stays before the transaction's begin. */
    long appliedOffset();

    /** A transaction (KIP-868) is open: its records do not count yet. */
    boolean inTransaction();

    SortedMap<Integer, BrokerRegistration> brokers();

    /** Offset of the broker's last registration record, which may be past its epoch; -1 where it is not registered. */
    long registrationOffset(int broker);

    SortedMap<Integer, MetadataRecord.RegisterController> controllers();

    /** By name. */
    SortedMap<String, TopicState> topics();

    @Nullable
    TopicState topic(UUID id);

    /** Dynamic configs of a resource, types as in {@link MetadataRecord.Config}; empty where it has none. */
    SortedMap<String, String> configs(byte resourceType, String resourceName);

    /** Finalized levels by feature name; a feature at level 0 is absent. */
    SortedMap<String, Short> features();

    /** The first producer id that is not handed out. */
    long nextProducerId();

    /** Partitions with a replica on the broker. */
    SortedSet<TopicPartition> replicatedBy(int broker);

    /** Partitions that the broker leads; of {@link PartitionRegistration#NO_LEADER} the leaderless ones. */
    SortedSet<TopicPartition> ledBy(int broker);

    /** This node's static configuration: server property names and values, as given in its file. */
    SortedMap<String, String> staticConfig();

    /** The node whose per-broker and static configuration stand behind the topics' own. */
    int nodeId();

    default @Nullable BrokerRegistration broker(int id) {
        return brokers().get(id);
    }

    /** Registered, unfenced and not shutting down. */
    default boolean active(int broker) {
        BrokerRegistration registration = broker(broker);
        return registration != null && registration.active();
    }

    default @Nullable TopicState topic(String name) {
        return topics().get(name);
    }

    default @Nullable PartitionRegistration partition(TopicPartition partition) {
        TopicState topic = topic(partition.topicId());
        return topic == null ? null : topic.partitions().get(partition.partition());
    }

    /** KIP-966: {@code eligible.leader.replicas.version} is finalized at 1 or more. */
    default boolean elrEnabled() {
        return features().getOrDefault(MetadataState.ELR_FEATURE, (short) 0) > 0;
    }

    /**
     * A topic's effective config: topic, then dynamic broker, dynamic cluster default, static, default. With ELR on, {@code
     * min.insync.replicas} has no per-broker level, so that every node takes the same value.
     *
     * @param topic need not exist
     * @throws IllegalArgumentException for a key that is no topic config
     */
    default String topicConfig(String topic, String key) {
        // Kafka trims a value when it reads it, so that " 2" is a number that it accepts.
        return topicConfigEntry(topic, key).value().trim();
    }

    /** As {@link #topicConfig}, with where the value comes from. */
    default TopicConfigs.Entry topicConfigEntry(String topic, String key) {
        return TopicConfigs.resolve(this, configs(MetadataRecord.Config.TOPIC, topic), key);
    }

    /** min({@code min.insync.replicas}, replication factor): Kafka's getTopicEffectiveMinIsr. */
    default int effectiveMinIsr(String topic) {
        int configured = Integer.parseInt(topicConfig(topic, TopicConfigs.MIN_INSYNC_REPLICAS));
        TopicState state = topic(topic);
        return state == null || state.replicationFactor() == 0
                ? configured
                : Math.min(configured, state.replicationFactor());
    }

    /** {@code unclean.leader.election.enable} of the topic. */
    default boolean uncleanElection(String topic) {
        return Boolean.parseBoolean(topicConfig(topic, TopicConfigs.UNCLEAN_LEADER_ELECTION));
    }
}
