package io.tidemark.wire;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The core's metadata records as Kafka's; {@link MetadataRecordMapping} is the other way. Versions are those of
 * metadata.version 4.0-IV1, the first with eligible leader replicas. What has no place in Kafka's schema is an {@link
 * IllegalArgumentException}.
 *
 * @param out takes each record, once
 */
record RecordToKafka(Consumer<ApiMessageAndVersion> out) implements MetadataRecord.Handler {
    private static final short PLAINTEXT = 0;

    @Override
    public void registerBroker(MetadataRecord.RegisterBroker record) {
        write(kafka(record.registration()), 3);
    }

    @Override
    public void unregisterBroker(MetadataRecord.UnregisterBroker record) {
        write(new UnregisterBrokerRecord().setBrokerId(record.brokerId()).setBrokerEpoch(record.brokerEpoch()), 0);
    }

    @Override
    public void brokerRegistrationChange(MetadataRecord.BrokerRegistrationChange record) {
        write(kafka(record), 2);
    }

    @Override
    public void topic(MetadataRecord.Topic record) {
        write(new TopicRecord().setName(record.name()).setTopicId(Ids.kafka(record.topicId())), 0);
    }

    @Override
    public void removeTopic(MetadataRecord.RemoveTopic record) {
        write(new RemoveTopicRecord().setTopicId(Ids.kafka(record.topicId())), 0);
    }

    @Override
    public void partition(MetadataRecord.Partition record) {
        write(kafka(record), 2);
    }

    @Override
    public void partitionChange(MetadataRecord.PartitionChange record) {
        write(kafka(record), 2);
    }

    @Override
    public void clearElr(MetadataRecord.ClearElr record) {
        write(new ClearElrRecord().setTopicName(record.topicName()), 0);
    }

    @Override
    public void config(MetadataRecord.Config record) {
        write(
                new ConfigRecord()
                        .setResourceType(record.resourceType())
                        .setResourceName(record.resourceName())
                        .setName(record.key())
                        .setValue(record.value()),
                0);
    }

    @Override
    public void featureLevel(MetadataRecord.FeatureLevel record) {
        write(new FeatureLevelRecord().setName(record.name()).setFeatureLevel(record.level()), 0);
    }

    @Override
    public void producerIds(MetadataRecord.ProducerIds record) {
        write(
                new ProducerIdsRecord()
                        .setBrokerId(record.brokerId())
                        .setBrokerEpoch(record.brokerEpoch())
                        .setNextProducerId(record.nextProducerId()),
                0);
    }

    @Override
    public void registerController(MetadataRecord.RegisterController record) {
        write(kafka(record), 0);
    }

    @Override
    public void noOp(MetadataRecord.NoOp record) {
        write(new NoOpRecord(), 0);
    }

    @Override
    public void beginTransaction(MetadataRecord.BeginTransaction record) {
        write(new BeginTransactionRecord().setName(record.name()), 0);
    }

    @Override
    public void endTransaction(MetadataRecord.EndTransaction record) {
        write(new EndTransactionRecord(), 0);
    }

    @Override
    public void abortTransaction(MetadataRecord.AbortTransaction record) {
        write(new AbortTransactionRecord().setReason(record.reason()), 0);
    }

    /** Only its kind was kept. */
    @Override
    public void unknown(MetadataRecord.Unknown record) {
        throw new IllegalArgumentException("cannot be written: " + record);
    }

    private void write(ApiMessage message, int version) {
        out.accept(new ApiMessageAndVersion(message, (short) version));
    }

    private static PartitionRecord kafka(MetadataRecord.Partition partition) {
        PartitionRegistration registration = partition.registration();
        PartitionRecord record = new PartitionRecord()
                .setPartitionId(partition.partition())
                .setTopicId(Ids.kafka(partition.topicId()))
                .setReplicas(registration.replicas())
                .setDirectories(Ids.kafka(registration.directories()))
                .setIsr(registration.isr())
                .setRemovingReplicas(registration.removingReplicas())
                .setAddingReplicas(registration.addingReplicas())
                .setLeader(registration.leader())
                .setLeaderRecoveryState(BrokerMapping.recovery(registration.recovery()))
                .setLeaderEpoch(registration.leaderEpoch())
                .setPartitionEpoch(registration.partitionEpoch());
        // Tagged fields: Kafka leaves them out where there is nothing to say.
        if (!registration.elr().isEmpty()) {
            record.setEligibleLeaderReplicas(registration.elr());
        }
        if (!registration.lastKnownElr().isEmpty()) {
            record.setLastKnownElr(registration.lastKnownElr());
        }
        return record;
    }

    private static PartitionChangeRecord kafka(MetadataRecord.PartitionChange change) {
        Integer leader = change.leader();
        LeaderRecovery recovery = change.recovery();
        List<UUID> directories = change.directories();
        return new PartitionChangeRecord()
                .setPartitionId(change.partition())
                .setTopicId(Ids.kafka(change.topicId()))
                .setIsr(change.isr())
                .setLeader(leader == null ? MetadataRecordMapping.LEADER_UNCHANGED : leader)
                .setReplicas(change.replicas())
                .setRemovingReplicas(change.removingReplicas())
                .setAddingReplicas(change.addingReplicas())
                .setLeaderRecoveryState(
                        recovery == null ? MetadataRecordMapping.RECOVERY_UNCHANGED : BrokerMapping.recovery(recovery))
                .setEligibleLeaderReplicas(change.elr())
                .setLastKnownElr(change.lastKnownElr())
                .setDirectories(directories == null ? null : Ids.kafka(directories));
    }

    private static BrokerRegistrationChangeRecord kafka(MetadataRecord.BrokerRegistrationChange change) {
        Boolean fenced = change.fenced();
        Boolean shuttingDown = change.inControlledShutdown();
        if (Boolean.FALSE.equals(shuttingDown)) {
            throw new IllegalArgumentException("a controlled shutdown cannot be taken back: " + change);
        }
        return new BrokerRegistrationChangeRecord()
                .setBrokerId(change.brokerId())
                .setBrokerEpoch(change.brokerEpoch())
                .setFenced((byte) (fenced == null ? 0 : fenced ? 1 : -1))
                .setInControlledShutdown((byte) (shuttingDown == null ? 0 : 1));
    }

    private static RegisterBrokerRecord kafka(BrokerRegistration registration) {
        RegisterBrokerRecord record = new RegisterBrokerRecord()
                .setBrokerId(registration.id())
                .setIncarnationId(Ids.kafka(registration.incarnation()))
                .setBrokerEpoch(registration.epoch())
                .setRack(registration.rack())
                .setFenced(registration.fenced())
                .setInControlledShutdown(registration.shuttingDown())
                .setLogDirs(Ids.kafka(registration.directories()));
        for (Endpoint endpoint : registration.endpoints()) {
            record.endPoints()
                    .add(new RegisterBrokerRecord.BrokerEndpoint()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port())
                            .setSecurityProtocol(PLAINTEXT));
        }
        registration
                .features()
                .forEach((name, range) -> record.features()
                        .add(new RegisterBrokerRecord.BrokerFeature()
                                .setName(name)
                                .setMinSupportedVersion(range.min())
                                .setMaxSupportedVersion(range.max())));
        return record;
    }

    private static RegisterControllerRecord kafka(MetadataRecord.RegisterController register) {
        RegisterControllerRecord record = new RegisterControllerRecord()
                .setControllerId(register.controllerId())
                .setIncarnationId(Ids.kafka(register.incarnation()))
                .setZkMigrationReady(register.zkMigrationReady());
        for (Endpoint endpoint : register.endpoints()) {
            record.endPoints()
                    .add(new RegisterControllerRecord.ControllerEndpoint()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port())
                            .setSecurityProtocol(PLAINTEXT));
        }
        register.features()
                .forEach((name, range) -> record.features()
                        .add(new RegisterControllerRecord.ControllerFeature()
                                .setName(name)
                                .setMinSupportedVersion(range.min())
                                .setMaxSupportedVersion(range.max())));
        return record;
    }
}
