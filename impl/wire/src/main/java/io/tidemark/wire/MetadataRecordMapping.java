package io.tidemark.wire;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.FenceBrokerRecord;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metadata.UnfenceBrokerRecord;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.jspecify.annotations.Nullable;

/**
 * The core's metadata records and Kafka's schemas of them. Versions are those of metadata.version 4.0-IV1, the first with
 * eligible leader replicas. Directories that were never assigned are an empty list.
 */
final class MetadataRecordMapping {
    private static final int LEADER_UNCHANGED = -2;
    private static final byte RECOVERY_UNCHANGED = -1;
    private static final short PLAINTEXT = 0;

    private MetadataRecordMapping() {}

    /** @throws IllegalArgumentException for what has no place in Kafka's schema */
    static ApiMessageAndVersion kafka(MetadataRecord record) {
        if (record instanceof MetadataRecord.PartitionChange change) {
            return new ApiMessageAndVersion(kafka(change), (short) 2);
        } else if (record instanceof MetadataRecord.Partition partition) {
            return new ApiMessageAndVersion(kafka(partition), (short) 2);
        } else if (record instanceof MetadataRecord.RegisterBroker register) {
            return new ApiMessageAndVersion(kafka(register.registration()), (short) 3);
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange change) {
            return new ApiMessageAndVersion(kafka(change), (short) 2);
        } else if (record instanceof MetadataRecord.RegisterController register) {
            return new ApiMessageAndVersion(kafka(register), (short) 0);
        }
        return new ApiMessageAndVersion(simple(record), (short) 0);
    }

    private static ApiMessage simple(MetadataRecord record) {
        if (record instanceof MetadataRecord.UnregisterBroker gone) {
            return new UnregisterBrokerRecord().setBrokerId(gone.brokerId()).setBrokerEpoch(gone.brokerEpoch());
        } else if (record instanceof MetadataRecord.Topic topic) {
            return new TopicRecord().setName(topic.name()).setTopicId(Ids.kafka(topic.topicId()));
        } else if (record instanceof MetadataRecord.RemoveTopic topic) {
            return new RemoveTopicRecord().setTopicId(Ids.kafka(topic.topicId()));
        } else if (record instanceof MetadataRecord.ClearElr clear) {
            return new ClearElrRecord().setTopicName(clear.topicName());
        } else if (record instanceof MetadataRecord.Config config) {
            return new ConfigRecord()
                    .setResourceType(config.resourceType())
                    .setResourceName(config.resourceName())
                    .setName(config.key())
                    .setValue(config.value());
        } else if (record instanceof MetadataRecord.FeatureLevel feature) {
            return new FeatureLevelRecord().setName(feature.name()).setFeatureLevel(feature.level());
        } else if (record instanceof MetadataRecord.ProducerIds ids) {
            return new ProducerIdsRecord()
                    .setBrokerId(ids.brokerId())
                    .setBrokerEpoch(ids.brokerEpoch())
                    .setNextProducerId(ids.nextProducerId());
        } else if (record instanceof MetadataRecord.NoOp) {
            return new NoOpRecord();
        } else if (record instanceof MetadataRecord.BeginTransaction begin) {
            return new BeginTransactionRecord().setName(begin.name());
        } else if (record instanceof MetadataRecord.EndTransaction) {
            return new EndTransactionRecord();
        } else if (record instanceof MetadataRecord.AbortTransaction abort) {
            return new AbortTransactionRecord().setReason(abort.reason());
        }
        throw new IllegalArgumentException("cannot be written: " + record);
    }

    /** A kind that we do not fold becomes {@link MetadataRecord.Unknown}. */
    static MetadataRecord neutral(ApiMessage message) {
        if (message instanceof PartitionChangeRecord change) {
            return neutral(change);
        } else if (message instanceof PartitionRecord partition) {
            return neutral(partition);
        } else if (message instanceof RegisterBrokerRecord register) {
            return neutral(register);
        } else if (message instanceof BrokerRegistrationChangeRecord change) {
            return new MetadataRecord.BrokerRegistrationChange(
                    change.brokerId(),
                    change.brokerEpoch(),
                    change.fenced() == 0 ? null : Boolean.valueOf(change.fenced() > 0),
                    change.inControlledShutdown() == 0 ? null : Boolean.TRUE);
        } else if (message instanceof FenceBrokerRecord fence) {
            return new MetadataRecord.BrokerRegistrationChange(fence.id(), fence.epoch(), true, null);
        } else if (message instanceof UnfenceBrokerRecord unfence) {
            return new MetadataRecord.BrokerRegistrationChange(unfence.id(), unfence.epoch(), false, null);
        } else if (message instanceof RegisterControllerRecord register) {
            return neutral(register);
        }
        return simple(message);
    }

    private static MetadataRecord simple(ApiMessage message) {
        if (message instanceof UnregisterBrokerRecord gone) {
            return new MetadataRecord.UnregisterBroker(gone.brokerId(), gone.brokerEpoch());
        } else if (message instanceof TopicRecord topic) {
            return new MetadataRecord.Topic(topic.name(), Ids.java(topic.topicId()));
        } else if (message instanceof RemoveTopicRecord topic) {
            return new MetadataRecord.RemoveTopic(Ids.java(topic.topicId()));
        } else if (message instanceof ClearElrRecord clear) {
            return new MetadataRecord.ClearElr(clear.topicName());
        } else if (message instanceof ConfigRecord config) {
            return new MetadataRecord.Config(
                    config.resourceType(), config.resourceName(), config.name(), config.value());
        } else if (message instanceof FeatureLevelRecord feature) {
            return new MetadataRecord.FeatureLevel(feature.name(), feature.featureLevel());
        } else if (message instanceof ProducerIdsRecord ids) {
            return new MetadataRecord.ProducerIds(ids.brokerId(), ids.brokerEpoch(), ids.nextProducerId());
        } else if (message instanceof NoOpRecord) {
            return new MetadataRecord.NoOp();
        } else if (message instanceof BeginTransactionRecord begin) {
            return new MetadataRecord.BeginTransaction(begin.name());
        } else if (message instanceof EndTransactionRecord) {
            return new MetadataRecord.EndTransaction();
        } else if (message instanceof AbortTransactionRecord abort) {
            return new MetadataRecord.AbortTransaction(abort.reason());
        }
        return new MetadataRecord.Unknown(message.apiKey());
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

    private static MetadataRecord neutral(PartitionRecord record) {
        return new MetadataRecord.Partition(
                Ids.java(record.topicId()),
                record.partitionId(),
                new PartitionRegistration(
                        record.replicas(),
                        Ids.java(record.directories()),
                        record.isr(),
                        orEmpty(record.eligibleLeaderReplicas()),
                        orEmpty(record.lastKnownElr()),
                        record.removingReplicas(),
                        record.addingReplicas(),
                        record.leader(),
                        recovery(record.leaderRecoveryState()),
                        record.leaderEpoch(),
                        record.partitionEpoch()));
    }

    private static List<Integer> orEmpty(@Nullable List<Integer> ids) {
        return ids == null ? List.of() : ids;
    }

    private static LeaderRecovery recovery(byte code) {
        return switch (code) {
            case 0 -> LeaderRecovery.RECOVERED;
            case 1 -> LeaderRecovery.RECOVERING;
            default -> throw new IllegalArgumentException("leader recovery state " + code + "; known are 0 and 1");
        };
    }

    private static PartitionChangeRecord kafka(MetadataRecord.PartitionChange change) {
        Integer leader = change.leader();
        LeaderRecovery recovery = change.recovery();
        List<UUID> directories = change.directories();
        return new PartitionChangeRecord()
                .setPartitionId(change.partition())
                .setTopicId(Ids.kafka(change.topicId()))
                .setIsr(change.isr())
                .setLeader(leader == null ? LEADER_UNCHANGED : leader)
                .setReplicas(change.replicas())
                .setRemovingReplicas(change.removingReplicas())
                .setAddingReplicas(change.addingReplicas())
                .setLeaderRecoveryState(recovery == null ? RECOVERY_UNCHANGED : BrokerMapping.recovery(recovery))
                .setEligibleLeaderReplicas(change.elr())
                .setLastKnownElr(change.lastKnownElr())
                .setDirectories(directories == null ? null : Ids.kafka(directories));
    }

    private static MetadataRecord neutral(PartitionChangeRecord change) {
        List<Uuid> directories = change.directories();
        return new MetadataRecord.PartitionChange(
                Ids.java(change.topicId()),
                change.partitionId(),
                change.isr(),
                change.leader() == LEADER_UNCHANGED ? null : Integer.valueOf(change.leader()),
                change.replicas(),
                change.removingReplicas(),
                change.addingReplicas(),
                change.leaderRecoveryState() == RECOVERY_UNCHANGED ? null : recovery(change.leaderRecoveryState()),
                change.eligibleLeaderReplicas(),
                change.lastKnownElr(),
                directories == null ? null : Ids.java(directories));
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

    private static MetadataRecord neutral(RegisterBrokerRecord record) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        record.features()
                .forEach(f ->
                        features.put(f.name(), new FeatureRange(f.minSupportedVersion(), f.maxSupportedVersion())));
        return new MetadataRecord.RegisterBroker(new BrokerRegistration(
                record.brokerId(),
                record.brokerEpoch(),
                Ids.java(record.incarnationId()),
                record.endPoints().stream()
                        .map(e -> new Endpoint(e.name(), e.host(), e.port()))
                        .toList(),
                features,
                record.rack(),
                Ids.java(record.logDirs()),
                record.fenced(),
                record.inControlledShutdown()));
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

    private static MetadataRecord neutral(RegisterControllerRecord record) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        record.features()
                .forEach(f ->
                        features.put(f.name(), new FeatureRange(f.minSupportedVersion(), f.maxSupportedVersion())));
        return new MetadataRecord.RegisterController(
                record.controllerId(),
                Ids.java(record.incarnationId()),
                record.zkMigrationReady(),
                record.endPoints().stream()
                        .map(e -> new Endpoint(e.name(), e.host(), e.port()))
                        .toList(),
                features);
    }
}
