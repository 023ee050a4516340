package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionRole;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataApplierTest {
    private static MetadataRecord partition(int number, int leader, Integer... isr) {
        return new MetadataRecord.Partition(BrokerFixture.TOPIC, number, BrokerFixture.registration(leader, 4, 9, isr));
    }

    private static MetadataRecord.PartitionChange change(int leader, List<Integer> isr, List<Integer> replicas) {
        return new MetadataRecord.PartitionChange(
                BrokerFixture.TOPIC, 0, isr, leader, replicas, null, null, null, null, null, null);
    }

    @Test
    void whatTheLogSaysOfAnEarlierLifeMakesNobodyALeader() {
        BrokerFixture broker = new BrokerFixture();
        broker.commit(
                BrokerFixture.register(1, new UUID(0, 99)),
                BrokerFixture.register(2, new UUID(2, 2)),
                BrokerFixture.register(3, new UUID(3, 3)),
                new MetadataRecord.Topic("t", BrokerFixture.TOPIC),
                partition(0, 1, 1, 2, 3));
        assertThat(broker.applier.registered()).isFalse();
        assertThat(broker.replicas.all()).isEmpty();
        assertThat(broker.allCreated).isEmpty();
        // The registration of this life, and with it, in one batch, what it was taken out of.
        broker.commit(BrokerFixture.register(1, BrokerFixture.INCARNATION), change(2, List.of(2, 3), List.of(1, 2, 3)));
        assertThat(broker.applier.registered()).isTrue();
        assertThat(broker.host(0).view().role()).isEqualTo(PartitionRole.FOLLOWER);
        assertThat(broker.inputs(PartitionInput.ApplyPartitionChange.class))
                .as("it never saw itself lead")
                .extracting(input -> input.registration().leader())
                .containsExactly(2);
        broker.follow(1);
        assertThat(broker.allCreated).as("once, with what the log placed here").containsExactly(1);
    }

    /** The controller does not know which replicas are offline: the operator is told that nobody serves. */
    @Test
    void anOfflineReplicaThatIsElectedIsTold() {
        BrokerFixture broker = BrokerFixture.started();
        broker.damaged = true;
        broker.commit(partition(0, 2, 1, 2, 3));
        assertThat(broker.ledOffline).as("another one leads").isEmpty();
        broker.commit(change(1, List.of(1), null));
        assertThat(broker.ledOffline).containsExactly("t-0@5");
        assertThat(broker.replicas.all()).isEmpty();
    }

    @Test
    void aNewReplicaKnowsTheBrokersAndTheConfigsBeforeItsRole() {
        BrokerFixture broker = BrokerFixture.started();
        broker.commit(BrokerFixture.minIsr(2));
        broker.lead(0, 1, 2, 3);
        assertThat(broker.inputs.subList(0, broker.inputs.size() - 1))
                .hasExactlyElementsOfTypes(
                        PartitionInput.ApplyMinIsrChange.class,
                        PartitionInput.ApplyBrokerChange.class,
                        PartitionInput.ApplyBrokerChange.class,
                        PartitionInput.ApplyBrokerChange.class);
        assertThat(broker.inputs.get(broker.inputs.size() - 1)).isInstanceOf(PartitionInput.ApplyPartitionChange.class);
        assertThat(broker.host(0).view().minIsr()).isEqualTo(2);
        assertThat(broker.host(0).view().role()).isEqualTo(PartitionRole.LEADER);
    }

    @Test
    void eachRecordGoesToTheReplicasThatItConcernsAtItsOffset() {
        BrokerFixture broker = BrokerFixture.started();
        broker.lead(0, 1, 2, 3);
        broker.lead(1, 1, 2, 3);
        broker.inputs.clear();
        broker.commit(new MetadataRecord.BrokerRegistrationChange(3, 103, true, null), change(1, List.of(1, 2), null));
        assertThat(broker.inputs(PartitionInput.ApplyBrokerChange.class))
                .hasSize(2)
                .allSatisfy(input -> {
                    assertThat(input.metadataOffset()).isEqualTo(6);
                    assertThat(input.brokerId()).isEqualTo(3);
                    assertThat(input.active()).isFalse();
                });
        assertThat(broker.inputs(PartitionInput.ApplyPartitionChange.class))
                .singleElement()
                .satisfies(input -> {
                    assertThat(input.metadataOffset()).isEqualTo(7);
                    assertThat(input.registration().isr()).containsExactly(1, 2);
                });
        broker.commit(new MetadataRecord.UnregisterBroker(3, 103));
        assertThat(broker.inputs(PartitionInput.ApplyBrokerChange.class))
                .last()
                .extracting(PartitionInput.ApplyBrokerChange::brokerEpoch)
                .isEqualTo(-1L);
    }

    @Test
    void aTopicsConfigReachesItsReplicasAndOnlyIfItChanges() {
        BrokerFixture broker = BrokerFixture.started();
        UUID other = new UUID(8, 8);
        broker.commit(new MetadataRecord.Topic("other", other));
        broker.commit(new MetadataRecord.Partition(other, 0, BrokerFixture.registration(1, 4, 9, 1)));
        broker.lead(0, 1, 2, 3);
        broker.inputs.clear();
        broker.commit(BrokerFixture.minIsr(2), BrokerFixture.minIsr(2));
        assertThat(broker.inputs(PartitionInput.ApplyMinIsrChange.class)).hasSize(1);
        broker.commit(new MetadataRecord.Config(MetadataRecord.Config.BROKER, "", "min.insync.replicas", "3"));
        assertThat(broker.host(0).view().minIsr()).as("the topic's own counts").isEqualTo(2);
        assertThat(broker.replicas.get(new TopicPartition(other, 0)))
                .satisfies(host -> assertThat(host.view().minIsr()).isEqualTo(3));
    }

    @Test
    void whatIsPlacedElsewhereOrDeletedIsRemoved() {
        BrokerFixture broker = BrokerFixture.started();
        broker.lead(0, 1, 2, 3);
        broker.lead(1, 1, 2, 3);
        broker.commit(change(2, List.of(2, 3), List.of(2, 3)));
        assertThat(broker.removed).containsExactly("t-0");
        assertThat(broker.replicas.all()).extracting(PartitionHost::name).containsExactly("t-1");
        broker.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        assertThat(broker.removed).containsExactly("t-0", "t-1");
        assertThat(broker.replicas.all()).isEmpty();
    }

    @Test
    void recordsOfATransactionCountWhenItEnds() {
        BrokerFixture broker = BrokerFixture.started();
        broker.commit(new MetadataRecord.BeginTransaction("create"), partition(0, 1, 1, 2, 3));
        assertThat(broker.replicas.all()).isEmpty();
        broker.commit(new MetadataRecord.EndTransaction());
        assertThat(broker.host(0).view().role()).isEqualTo(PartitionRole.LEADER);
    }
}
