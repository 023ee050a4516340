package io.tidemark.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataRecord.PartitionChange;
import io.tidemark.core.metadata.MetadataState.Applied;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataStateTest {
    private static final UUID TOPIC = new UUID(1, 1);
    private static final TopicPartition ID = new TopicPartition(TOPIC, 0);

    private final MetadataState state = new MetadataState(1, new TreeMap<>(Map.of("log.retention.hours", "1")));
    private long offset = 10;

    private List<Applied> apply(MetadataRecord record) {
        return state.apply(++offset, record);
    }

    private void partition(int leader, Integer... replicas) {
        if (state.topic(TOPIC) == null) {
            apply(new MetadataRecord.Topic("t", TOPIC));
        }
        apply(new MetadataRecord.Partition(TOPIC, 0, registration(leader, replicas)));
    }

    private static PartitionRegistration registration(int leader, Integer... replicas) {
        return new PartitionRegistration(
                List.of(replicas),
                List.of(),
                List.of(replicas),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                leader,
                LeaderRecovery.RECOVERED,
                3,
                7);
    }

    private static PartitionChange change(List<Integer> isr, Integer leader) {
        return new PartitionChange(TOPIC, 0, isr, leader, null, null, null, null, null, null, null);
    }

    private static BrokerRegistration broker(int id, long epoch) {
        return new BrokerRegistration(
                id, epoch, new UUID(0, id), List.of(), new TreeMap<>(), null, List.of(), true, false);
    }

    @Test
    void aLeaderGivenRaisesTheLeaderEpochAndEveryChangeThePartitionEpoch() {
        partition(1, 1, 2);

        apply(change(List.of(1), null));
        assertThat(state.partition(ID).leaderEpoch()).isEqualTo(3);
        assertThat(state.partition(ID).partitionEpoch()).isEqualTo(8);
        apply(change(null, 1));

        PartitionRegistration after = state.partition(ID);
        assertThat(after.leader()).isEqualTo(1);
        assertThat(after.leaderEpoch()).isEqualTo(4);
        assertThat(after.partitionEpoch()).isEqualTo(9);
        assertThat(after.isr()).containsExactly(1);
        assertThat(after.replicas()).containsExactly(1, 2);
    }

    @Test
    void theIndexFollowsLeadersAndReplicas() {
        partition(1, 1, 2);
        assertThat(state.replicatedBy(2)).containsExactly(ID);
        assertThat(state.ledBy(1)).containsExactly(ID);

        apply(change(null, -1));
        assertThat(state.ledBy(1)).isEmpty();
        assertThat(state.ledBy(PartitionRegistration.NO_LEADER)).containsExactly(ID);

        apply(new PartitionChange(TOPIC, 0, null, 3, List.of(3, 2), null, null, null, null, null, null));
        assertThat(state.replicatedBy(1)).isEmpty();
        assertThat(state.replicatedBy(3)).containsExactly(ID);

        apply(new MetadataRecord.RemoveTopic(TOPIC));
        assertThat(state.replicatedBy(3)).isEmpty();
        assertThat(state.ledBy(3)).isEmpty();
    }

    @Test
    void aTopicTakesItsConfigsWithIt() {
        partition(1, 1);
        apply(new Config(Config.TOPIC, "t", "retention.ms", "5"));
        apply(new MetadataRecord.RemoveTopic(TOPIC));

        assertThat(state.configs(Config.TOPIC, "t")).isEmpty();
        assertThat(state.topic("t")).isNull();
        assertThat(state.topic(TOPIC)).isNull();
    }

    @Test
    void recordsOfATransactionCountTogether() {
        assertThat(apply(new MetadataRecord.BeginTransaction("x"))).isEmpty();
        assertThat(apply(new MetadataRecord.Topic("t", TOPIC))).isEmpty();
        assertThat(apply(new MetadataRecord.Partition(TOPIC, 0, registration(1, 1))))
                .isEmpty();
        assertThat(state.topics()).isEmpty();
        assertThat(state.inTransaction()).isTrue();
        assertThat(state.appliedOffset()).isEqualTo(-1);

        List<Applied> applied = apply(new MetadataRecord.EndTransaction());

        assertThat(applied).extracting(Applied::offset).containsExactly(12L, 13L);
        assertThat(state.topics()).containsOnlyKeys("t");
        assertThat(state.appliedOffset()).isEqualTo(14);
        assertThat(state.inTransaction()).isFalse();
    }

    @Test
    void anAbortedTransactionNeverCounted() {
        apply(new MetadataRecord.BeginTransaction(null));
        apply(new MetadataRecord.Topic("t", TOPIC));

        assertThat(apply(new MetadataRecord.AbortTransaction("why"))).isEmpty();

        assertThat(state.topics()).isEmpty();
        assertThat(state.appliedOffset()).isEqualTo(13);
        assertThat(apply(new MetadataRecord.NoOp())).hasSize(1);
    }

    @Test
    void registrationsAndTheirChanges() {
        apply(new MetadataRecord.RegisterBroker(broker(1, 11)));
        assertThat(state.active(1)).isFalse();

        apply(new MetadataRecord.BrokerRegistrationChange(1, 11, false, null));
        assertThat(state.active(1)).isTrue();
        apply(new MetadataRecord.BrokerRegistrationChange(1, 11, null, true));
        assertThat(state.broker(1).fenced()).isFalse();
        assertThat(state.broker(1).shuttingDown()).isTrue();
        apply(new MetadataRecord.RegisterBroker(broker(1, 11)));
        assertThat(state.registrationOffset(1)).isEqualTo(14);

        apply(new MetadataRecord.UnregisterBroker(1, 11));
        assertThat(state.brokers()).isEmpty();
        assertThat(state.registrationOffset(1)).isEqualTo(-1);
    }

    @Test
    void featuresAtZeroAreGone() {
        apply(new MetadataRecord.FeatureLevel("f", (short) 2));
        assertThat(state.features()).containsEntry("f", (short) 2);
        apply(new MetadataRecord.FeatureLevel("f", (short) 0));
        assertThat(state.features()).isEmpty();
    }

    @Test
    void clearElrTouchesOnlyPartitionsThatHaveSome() {
        partition(1, 1, 2);
        apply(new PartitionChange(TOPIC, 0, List.of(), null, null, null, null, null, List.of(2), List.of(1), null));
        apply(new MetadataRecord.ClearElr("t"));
        assertThat(state.partition(ID).elr()).isEmpty();
        assertThat(state.partition(ID).lastKnownElr()).isEmpty();
        assertThat(state.partition(ID).partitionEpoch()).isEqualTo(9);

        apply(new MetadataRecord.ClearElr(""));
        assertThat(state.partition(ID).partitionEpoch()).isEqualTo(9);
    }

    @Test
    void aRecordThatContradictsTheLogIsRefusedWithItsPlace() {
        List<MetadataRecord> bad = List.of(
                change(null, 1),
                new MetadataRecord.RemoveTopic(TOPIC),
                new MetadataRecord.ClearElr("t"),
                new MetadataRecord.BrokerRegistrationChange(1, 1, true, null),
                new MetadataRecord.UnregisterBroker(1, 1),
                new MetadataRecord.EndTransaction());
        for (MetadataRecord record : bad) {
            assertThatThrownBy(() -> apply(record))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("offset " + offset);
        }
        apply(new MetadataRecord.Topic("t", TOPIC));
        assertThatThrownBy(() -> apply(new MetadataRecord.Topic("t", new UUID(2, 2))))
                .hasMessageContaining("exists");
        assertThatThrownBy(() -> state.apply(3, new MetadataRecord.NoOp())).hasMessageContaining("offset 3");
    }

    @Test
    void aCopyIsIndependent() {
        partition(1, 1, 2);
        apply(new MetadataRecord.RegisterBroker(broker(1, 5)));
        apply(new Config(Config.BROKER, "", "log.retention.ms", "9"));
        apply(new MetadataRecord.FeatureLevel("f", (short) 1));
        apply(new MetadataRecord.ProducerIds(1, 5, 1_000));
        MetadataState copy = state.copy();
        String before = MetadataText.of(state);
        assertThat(MetadataText.of(copy)).isEqualTo(before);

        copy.apply(99, change(List.of(2), 2));
        copy.apply(100, new Config(Config.BROKER, "", "log.retention.ms", null));

        assertThat(MetadataText.of(state)).isEqualTo(before);
    }

    @Test
    void configPrecedence() {
        partition(1, 1, 2);
        assertThat(entry("retention.ms"))
                .isEqualTo(new TopicConfigs.Entry("retention.ms", "3600000", TopicConfigs.Source.STATIC_BROKER));
        assertThat(entry("segment.ms").source()).isEqualTo(TopicConfigs.Source.DEFAULT);

        apply(new Config(Config.BROKER, "", "log.retention.ms", "4"));
        assertThat(entry("retention.ms"))
                .isEqualTo(new TopicConfigs.Entry("retention.ms", "4", TopicConfigs.Source.DYNAMIC_DEFAULT_BROKER));
        apply(new Config(Config.BROKER, "2", "log.retention.ms", "8"));
        assertThat(entry("retention.ms").value()).isEqualTo("4");
        apply(new Config(Config.BROKER, "1", "log.retention.ms", "3"));
        assertThat(entry("retention.ms"))
                .isEqualTo(new TopicConfigs.Entry("retention.ms", "3", TopicConfigs.Source.DYNAMIC_BROKER));
        apply(new Config(Config.TOPIC, "t", "retention.ms", "2"));
        assertThat(entry("retention.ms"))
                .isEqualTo(new TopicConfigs.Entry("retention.ms", "2", TopicConfigs.Source.TOPIC));
    }

    private TopicConfigs.Entry entry(String key) {
        return state.topicConfigEntry("t", key);
    }

    @Test
    void minIsrIsBoundedByTheReplicationFactorAndWithElrHasNoBrokerLevel() {
        partition(1, 1, 2);
        apply(new Config(Config.BROKER, "", "min.insync.replicas", "5"));
        assertThat(state.effectiveMinIsr("t")).isEqualTo(2);

        apply(new Config(Config.BROKER, "1", "min.insync.replicas", "1"));
        assertThat(state.effectiveMinIsr("t")).isEqualTo(1);
        apply(new MetadataRecord.FeatureLevel(MetadataState.ELR_FEATURE, (short) 1));
        assertThat(state.effectiveMinIsr("t")).isEqualTo(2);

        apply(new Config(Config.TOPIC, "t", "unclean.leader.election.enable", "true"));
        assertThat(state.uncleanElection("t")).isTrue();
    }
}
