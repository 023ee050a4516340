package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.control.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Folds committed records into this broker's metadata and hands each to the replicas that it concerns, in offset order.
 *
 * <p>Until this life's own registration is committed, records are folded alone: what the log says before it, it says of an
 * earlier life, and a replica must not take up a leadership that was given to that one.
 */
final class MetadataApplier {
    /** Makes and removes replicas. */
    interface Hosts {
        /**
         * A new replica.
         *
         * @param leaderEpoch the highest that the partition has had
         * @return null where its directory is damaged: this replica stays offline, the others serve while one of them leads
         */
        @Nullable
        PartitionHost create(TopicPartition id, String topic, int leaderEpoch);

        /** This broker is to lead a partition of which its own replica is offline: nobody serves it. */
        void leadsOffline(TopicPartition id, String topic, int leaderEpoch);

        void delete(PartitionHost host);

        /** Every replica that the metadata places here is made. */
        void allCreated();
    }

    private final int self;
    private final UUID incarnation;
    private final MetadataState metadata;
    private final PartitionHosts replicas;
    private final Hosts hosts;
    private boolean registered;

    MetadataApplier(int self, UUID incarnation, MetadataState metadata, PartitionHosts replicas, Hosts hosts) {
        this.self = self;
        this.incarnation = incarnation;
        this.metadata = metadata;
        this.replicas = replicas;
        this.hosts = hosts;
    }

    /** Returns what took effect. */
    List<MetadataState.Applied> apply(ControlPlane.CommittedBatch batch) {
        List<MetadataState.Applied> all = new ArrayList<>();
        long offset = batch.baseOffset();
        for (MetadataRecord record : batch.records()) {
            for (MetadataState.Applied applied : metadata.apply(offset, record)) {
                all.add(applied);
                if (registered) {
                    applied.record().applyTo(new Dispatch(applied.offset()));
                }
            }
            offset++;
        }
        // After the whole batch: what the controller decided along with the registration is part of it.
        BrokerRegistration own = metadata.broker(self);
        if (!registered && own != null && own.incarnation().equals(incarnation)) {
            registered = true;
            for (TopicPartition id : List.copyOf(metadata.replicatedBy(self))) {
                partitionChanged(offset - 1, id);
            }
            hosts.allCreated();
        }
        return all;
    }

    /** Whether this life's own registration is applied. */
    boolean registered() {
        return registered;
    }

    /** Which replicas of this broker a record concerns that took effect at the offset. */
    private final class Dispatch implements MetadataRecord.Handler {
        private final long offset;

        Dispatch(long offset) {
            this.offset = offset;
        }

        @Override
        public void registerBroker(MetadataRecord.RegisterBroker record) {
            brokerChanged(offset, record.registration().id());
        }

        @Override
        public void unregisterBroker(MetadataRecord.UnregisterBroker record) {
            brokerChanged(offset, record.brokerId());
        }

        @Override
        public void brokerRegistrationChange(MetadataRecord.BrokerRegistrationChange record) {
            brokerChanged(offset, record.brokerId());
        }

        @Override
        public void removeTopic(MetadataRecord.RemoveTopic record) {
            MetadataApplier.this.removeTopic(record);
        }

        @Override
        public void partition(MetadataRecord.Partition record) {
            partitionChanged(offset, new TopicPartition(record.topicId(), record.partition()));
        }

        @Override
        public void partitionChange(MetadataRecord.PartitionChange record) {
            partitionChanged(offset, new TopicPartition(record.topicId(), record.partition()));
        }

        @Override
        public void clearElr(MetadataRecord.ClearElr record) {
            everyPartitionChanged(offset);
        }

        @Override
        public void config(MetadataRecord.Config record) {
            configChanged(offset, record);
        }

        @Override
        public void featureLevel(MetadataRecord.FeatureLevel record) {
            everyPartitionChanged(offset);
        }

        // ---- no replica has to be told

        @Override
        public void topic(MetadataRecord.Topic record) {}

        @Override
        public void producerIds(MetadataRecord.ProducerIds record) {}

        @Override
        public void registerController(MetadataRecord.RegisterController record) {}

        @Override
        public void noOp(MetadataRecord.NoOp record) {}

        @Override
        public void beginTransaction(MetadataRecord.BeginTransaction record) {}

        @Override
        public void endTransaction(MetadataRecord.EndTransaction record) {}

        @Override
        public void abortTransaction(MetadataRecord.AbortTransaction record) {}

        @Override
        public void unknown(MetadataRecord.Unknown record) {}
    }

    /** A feature or a cleared ELR may change effective configs or the ELR of any partition. */
    private void everyPartitionChanged(long offset) {
        replicas.all().forEach(host -> {
            minIsr(offset, host);
            registration(offset, host);
        });
    }

    private void partitionChanged(long offset, TopicPartition id) {
        PartitionRegistration registration = metadata.partition(id);
        PartitionHost host = replicas.get(id);
        if (registration == null) {
            return;
        }
        if (!registration.replicas().contains(self)) {
            if (host != null) {
                delete(host, ErrorCode.NOT_LEADER_OR_FOLLOWER);
            }
            return;
        }
        if (host == null) {
            TopicState topic = metadata.topic(id.topicId());
            if (topic == null) {
                return;
            }
            host = hosts.create(id, topic.name(), registration.leaderEpoch());
            if (host == null) {
                if (registration.leader() == self) {
                    hosts.leadsOffline(id, topic.name(), registration.leaderEpoch());
                }
                return;
            }
            replicas.put(host);
            configure(host);
            minIsr(offset, host);
            for (int replica : registration.replicas()) {
                broker(offset, host, replica);
            }
        }
        host.apply(new PartitionInput.ApplyPartitionChange(offset, registration));
    }

    private void brokerChanged(long offset, int brokerId) {
        for (TopicPartition id : metadata.replicatedBy(brokerId)) {
            PartitionHost host = replicas.get(id);
            if (host != null) {
                broker(offset, host, brokerId);
            }
        }
    }

    private void removeTopic(MetadataRecord.RemoveTopic record) {
        List<PartitionHost> gone = new ArrayList<>();
        for (PartitionHost host : replicas.all()) {
            if (host.id.topicId().equals(record.topicId())) {
                gone.add(host);
            }
        }
        gone.forEach(host -> delete(host, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
    }

    /** Whoever waits there is told {@code error} at once, as by Kafka. */
    private void delete(PartitionHost host, ErrorCode error) {
        replicas.remove(host.id);
        hosts.delete(host);
        host.gone(error);
    }

    private void configChanged(long offset, MetadataRecord.Config record) {
        for (PartitionHost host : replicas.all()) {
            if (record.resourceType() != MetadataRecord.Config.TOPIC
                    || record.resourceName().equals(host.topic)) {
                configure(host);
                minIsr(offset, host);
            }
        }
    }

    private void configure(PartitionHost host) {
        host.flushPolicy(number(host, TopicConfigs.FLUSH_MESSAGES), number(host, TopicConfigs.FLUSH_MS));
    }

    private long number(PartitionHost host, String key) {
        return Long.parseLong(metadata.topicConfig(host.topic, key));
    }

    private void minIsr(long offset, PartitionHost host) {
        int minIsr = metadata.effectiveMinIsr(host.topic);
        if (minIsr != host.view().minIsr()) {
            host.apply(new PartitionInput.ApplyMinIsrChange(offset, minIsr));
        }
    }

    private void registration(long offset, PartitionHost host) {
        PartitionRegistration registration = metadata.partition(host.id);
        if (registration != null && !registration.equals(host.view().part())) {
            host.apply(new PartitionInput.ApplyPartitionChange(offset, registration));
        }
    }

    private void broker(long offset, PartitionHost host, int brokerId) {
        BrokerRegistration broker = metadata.broker(brokerId);
        host.apply(new PartitionInput.ApplyBrokerChange(
                offset, brokerId, broker == null ? -1 : broker.epoch(), broker != null && broker.active()));
    }
}
