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
import org.jspecify.annotations.Nullable;

/**
 * Kafka's metadata records as the core's; {@link RecordToKafka} is the other way. Directories that were never assigned are
 * an empty list.
 */
final class MetadataRecordMapping {
    /** What a change says of a leader and of a recovery that it leaves alone. */
    static final int LEADER_UNCHANGED = -2;

    static final byte RECOVERY_UNCHANGED = -1;

    private MetadataRecordMapping() {}

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
