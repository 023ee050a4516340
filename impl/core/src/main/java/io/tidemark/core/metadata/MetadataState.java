package io.tidemark.core.metadata;

import io.tidemark.core.metadata.MetadataRecord.BrokerRegistrationChange;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataRecord.PartitionChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the metadata log. Every broker folds the committed records; the active controller also its own uncommitted
 * ones, on a {@link #copy} of its own.
 */
public final class MetadataState implements MetadataView {
    /** The feature that switches eligible leader replicas on (KIP-966). */
    public static final String ELR_FEATURE = "eligible.leader.replicas.version";

    /** A record that took effect, and where it lies in the log. */
    public record Applied(long offset, MetadataRecord record) {}

    private final int nodeId;
    private final SortedMap<String, String> staticConfig;
    private final TreeMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
    private final TreeMap<Integer, Long> registrationOffsets = new TreeMap<>();
    private final TreeMap<Integer, MetadataRecord.RegisterController> controllers = new TreeMap<>();
    private final TreeMap<String, TopicState> topicsByName = new TreeMap<>();
    private final TreeMap<UUID, TopicState> topicsById = new TreeMap<>();
    private final TreeMap<ConfigResource, TreeMap<String, String>> configs = new TreeMap<>();
    private final TreeMap<String, Short> features = new TreeMap<>();
    private final BrokerIndex index = new BrokerIndex();
    private long nextProducerId;
    private long appliedOffset = -1;
    /** Records of the open transaction; null outside of one. */
    private @Nullable List<Applied> transaction;

    /**
     * An empty log.
     *
     * @param staticConfig the node's server properties; only topic defaults are read
     */
    public MetadataState(int nodeId, SortedMap<String, String> staticConfig) {
        this.nodeId = nodeId;
        this.staticConfig = Collections.unmodifiableSortedMap(new TreeMap<>(staticConfig));
    }

    /** An independent copy: what is applied to one is not seen by the other. Linear in the metadata's size. */
    public MetadataState copy() {
        MetadataState copy = new MetadataState(nodeId, staticConfig);
        copy.brokers.putAll(brokers);
        copy.registrationOffsets.putAll(registrationOffsets);
        copy.controllers.putAll(controllers);
        topicsById.forEach((id, topic) -> {
            TopicState topicCopy = topic.copy();
            copy.topicsByName.put(topic.name(), topicCopy);
            copy.topicsById.put(id, topicCopy);
            topicCopy
                    .partitions()
                    .forEach((partition, registration) ->
                            copy.index.change(new TopicPartition(id, partition), null, registration));
        });
        configs.forEach((resource, values) -> copy.configs.put(resource, new TreeMap<>(values)));
        copy.features.putAll(features);
        copy.nextProducerId = nextProducerId;
        copy.appliedOffset = appliedOffset;
        copy.transaction = transaction == null ? null : new ArrayList<>(transaction);
        return copy;
    }

    /**
     * Folds the next record. Records of a transaction (KIP-868) count together, when it ends.
     *
     * @param offset above every offset applied before
     * @return what took effect, in log order: the record itself; at the end of a transaction its records; nothing while one
     *     is open
     * @throws IllegalStateException for a record that contradicts the log before it
     */
    public List<Applied> apply(long offset, MetadataRecord record) {
        long last = transaction == null || transaction.isEmpty()
                ? appliedOffset
                : transaction.get(transaction.size() - 1).offset();
        if (offset <= last) {
            throw new IllegalStateException("metadata offset " + offset + " after " + last);
        }
        if (record instanceof MetadataRecord.BeginTransaction) {
            if (transaction != null) {
                throw corrupt(offset, record, "a transaction is open already");
            }
            transaction = new ArrayList<>();
            return List.of();
        } else if (record instanceof MetadataRecord.EndTransaction) {
            List<Applied> records = close(offset, record);
            records.forEach(applied -> fold(applied.offset(), applied.record()));
            appliedOffset = offset;
            return records;
        } else if (record instanceof MetadataRecord.AbortTransaction) {
            close(offset, record);
            appliedOffset = offset;
            return List.of();
        } else if (transaction != null) {
            transaction.add(new Applied(offset, record));
            return List.of();
        }
        fold(offset, record);
        appliedOffset = offset;
        return List.of(new Applied(offset, record));
    }

    private List<Applied> close(long offset, MetadataRecord record) {
        List<Applied> records = transaction;
        if (records == null) {
            throw corrupt(offset, record, "no transaction is open");
        }
        transaction = null;
        return List.copyOf(records);
    }

    private void fold(long offset, MetadataRecord record) {
        record.applyTo(new Fold(offset));
    }

    /** What a record changes, at its offset. {@link #apply} has taken transactions apart before. */
    private final class Fold implements MetadataRecord.Handler {
        private final long offset;

        Fold(long offset) {
            this.offset = offset;
        }

        @Override
        public void registerBroker(MetadataRecord.RegisterBroker record) {
            brokers.put(record.registration().id(), record.registration());
            registrationOffsets.put(record.registration().id(), offset);
        }

        @Override
        public void unregisterBroker(MetadataRecord.UnregisterBroker record) {
            int broker = brokerOf(offset, record, record.brokerId(), record.brokerEpoch())
                    .id();
            brokers.remove(broker);
            registrationOffsets.remove(broker);
        }

        @Override
        public void brokerRegistrationChange(BrokerRegistrationChange record) {
            BrokerRegistration old = brokerOf(offset, record, record.brokerId(), record.brokerEpoch());
            boolean fenced = record.fenced() == null ? old.fenced() : record.fenced();
            boolean shuttingDown =
                    record.inControlledShutdown() == null ? old.shuttingDown() : record.inControlledShutdown();
            brokers.put(old.id(), old.with(fenced, shuttingDown));
        }

        @Override
        public void topic(MetadataRecord.Topic record) {
            addTopic(offset, record);
        }

        @Override
        public void removeTopic(MetadataRecord.RemoveTopic record) {
            MetadataState.this.removeTopic(topicOf(offset, record, record.topicId()));
        }

        @Override
        public void partition(MetadataRecord.Partition record) {
            setPartition(topicOf(offset, record, record.topicId()), record.partition(), record.registration());
        }

        @Override
        public void partitionChange(PartitionChange record) {
            applyPartitionChange(offset, record);
        }

        @Override
        public void clearElr(MetadataRecord.ClearElr record) {
            MetadataState.this.clearElr(offset, record);
        }

        @Override
        public void config(Config record) {
            setConfig(record);
        }

        @Override
        public void featureLevel(MetadataRecord.FeatureLevel record) {
            if (record.level() == 0) {
                features.remove(record.name());
            } else {
                features.put(record.name(), record.level());
            }
        }

        @Override
        public void producerIds(MetadataRecord.ProducerIds record) {
            nextProducerId = record.nextProducerId();
        }

        @Override
        public void registerController(MetadataRecord.RegisterController record) {
            controllers.put(record.controllerId(), record);
        }

        @Override
        public void noOp(MetadataRecord.NoOp record) {
            // Changes nothing: it moves the offset on.
        }

        @Override
        public void beginTransaction(MetadataRecord.BeginTransaction record) {
            throw corrupt(offset, record, "a bracket of a transaction is no change");
        }

        @Override
        public void endTransaction(MetadataRecord.EndTransaction record) {
            throw corrupt(offset, record, "a bracket of a transaction is no change");
        }

        @Override
        public void abortTransaction(MetadataRecord.AbortTransaction record) {
            throw corrupt(offset, record, "a bracket of a transaction is no change");
        }

        @Override
        public void unknown(MetadataRecord.Unknown record) {
            // Not folded: whoever reads the log names it.
        }
    }

    private void addTopic(long offset, MetadataRecord.Topic record) {
        TopicState topic = new TopicState(record.name(), record.topicId());
        if (topicsByName.containsKey(record.name()) || topicsById.containsKey(record.topicId())) {
            throw corrupt(offset, record, "the topic exists");
        }
        topicsByName.put(topic.name(), topic);
        topicsById.put(topic.id(), topic);
    }

    private void removeTopic(TopicState topic) {
        topicsByName.remove(topic.name());
        topicsById.remove(topic.id());
        configs.remove(new ConfigResource(Config.TOPIC, topic.name()));
        topic.partitions()
                .forEach((partition, registration) ->
                        index.change(new TopicPartition(topic.id(), partition), registration, null));
    }

    private void applyPartitionChange(long offset, PartitionChange change) {
        TopicState topic = topicOf(offset, change, change.topicId());
        PartitionRegistration old = topic.partitions().get(change.partition());
        if (old == null) {
            throw corrupt(offset, change, "no such partition");
        }
        setPartition(topic, change.partition(), old.merge(change));
    }

    private void setPartition(TopicState topic, int partition, PartitionRegistration registration) {
        PartitionRegistration old = topic.partitions().get(partition);
        topic.put(partition, registration);
        index.change(new TopicPartition(topic.id(), partition), old, registration);
    }

    private void clearElr(long offset, MetadataRecord.ClearElr record) {
        if (record.topicName().isEmpty()) {
            topicsByName.values().forEach(this::clearElr);
            return;
        }
        TopicState topic = topicsByName.get(record.topicName());
        if (topic == null) {
            throw corrupt(offset, record, "no such topic");
        }
        clearElr(topic);
    }

    private void clearElr(TopicState topic) {
        for (var entry : List.copyOf(topic.partitions().entrySet())) {
            PartitionRegistration old = entry.getValue();
            if (!old.elr().isEmpty() || !old.lastKnownElr().isEmpty()) {
                setPartition(topic, entry.getKey(), old.merge(PartitionChange.clearElr(topic.id(), entry.getKey())));
            }
        }
    }

    private void setConfig(Config record) {
        ConfigResource resource = new ConfigResource(record.resourceType(), record.resourceName());
        String value = record.value();
        if (value != null) {
            configs.computeIfAbsent(resource, any -> new TreeMap<>()).put(record.key(), value);
            return;
        }
        TreeMap<String, String> values = configs.get(resource);
        if (values != null && values.remove(record.key()) != null && values.isEmpty()) {
            configs.remove(resource);
        }
    }

    private TopicState topicOf(long offset, MetadataRecord record, UUID id) {
        TopicState topic = topicsById.get(id);
        if (topic == null) {
            throw corrupt(offset, record, "no such topic");
        }
        return topic;
    }

    private BrokerRegistration brokerOf(long offset, MetadataRecord record, int id, long epoch) {
        BrokerRegistration broker = brokers.get(id);
        if (broker == null || broker.epoch() != epoch) {
            throw corrupt(offset, record, "no registration of broker " + id + " with epoch " + epoch);
        }
        return broker;
    }

    private static IllegalStateException corrupt(long offset, MetadataRecord record, String why) {
        return new IllegalStateException(
                "metadata log, offset " + offset + ": " + why + ": " + record + " cannot be applied");
    }

    @Override
    public long appliedOffset() {
        return appliedOffset;
    }

    @Override
    public boolean inTransaction() {
        return transaction != null;
    }

    @Override
    public long registrationOffset(int broker) {
        return registrationOffsets.getOrDefault(broker, -1L);
    }

    @Override
    public SortedMap<Integer, BrokerRegistration> brokers() {
        return Collections.unmodifiableSortedMap(brokers);
    }

    @Override
    public SortedMap<Integer, MetadataRecord.RegisterController> controllers() {
        return Collections.unmodifiableSortedMap(controllers);
    }

    @Override
    public SortedMap<String, TopicState> topics() {
        return Collections.unmodifiableSortedMap(topicsByName);
    }

    @Override
    public @Nullable TopicState topic(UUID id) {
        return topicsById.get(id);
    }

    @Override
    public SortedMap<String, String> configs(byte resourceType, String resourceName) {
        TreeMap<String, String> values = configs.get(new ConfigResource(resourceType, resourceName));
        return values == null ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(values);
    }

    @Override
    public SortedMap<String, Short> features() {
        return Collections.unmodifiableSortedMap(features);
    }

    @Override
    public long nextProducerId() {
        return nextProducerId;
    }

    @Override
    public SortedSet<TopicPartition> replicatedBy(int broker) {
        return index.replicatedBy(broker);
    }

    @Override
    public SortedSet<TopicPartition> ledBy(int broker) {
        return index.ledBy(broker);
    }

    @Override
    public SortedMap<String, String> staticConfig() {
        return staticConfig;
    }

    @Override
    public int nodeId() {
        return nodeId;
    }
}
