package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord.PartitionChange;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PartitionChangesTest {
    private static final TopicPartition ID = new TopicPartition(new UUID(1, 1), 0);

    private static PartitionChanges changes(PartitionRegistration old, int minIsr, boolean elr, Integer... active) {
        return new PartitionChanges(ID, old, minIsr, elr, List.of(active)::contains, Guards.ALL);
    }

    @Test
    void nothingToChangeIsNoChange() {
        PartitionRegistration led = ElectionRuleTest.partition(1, List.of(3, 1), List.of(), List.of());

        assertThat(changes(led, 2, true, 1, 3).build()).isNull();
        assertThat(changes(led, 2, true, 1, 3).isr(List.of(1, 3)).build()).isNull();
    }

    @Test
    void theIsrIsKeptInAssignmentOrder() {
        PartitionRegistration led = ElectionRuleTest.partition(1, List.of(1), List.of(), List.of());

        assertThat(changes(led, 1, false, 1, 2, 3).isr(List.of(1, 2, 3)).build())
                .isEqualTo(change(ID, List.of(3, 1, 2), null, null, null, null));
    }

    @Test
    void anEligibleReplicaThatIsElectedIsTheIsr() {
        PartitionRegistration leaderless = ElectionRuleTest.partition(-1, List.of(), List.of(3, 1), List.of(3));

        assertThat(changes(leaderless, 2, true, 1).build())
                .isEqualTo(change(ID, List.of(1), 1, List.of(3), List.of(), null));
    }

    @Test
    void anUncleanElectionLeavesTheLeaderAloneAndRecovering() {
        PartitionRegistration leaderless = ElectionRuleTest.partition(-1, List.of(), List.of(3), List.of(3));

        assertThat(changes(leaderless, 2, true, 1)
                        .mode(ElectionRule.Mode.UNCLEAN)
                        .build())
                .isEqualTo(change(ID, List.of(1), 1, List.of(), List.of(), LeaderRecovery.RECOVERING));
    }

    @Test
    void theLastKnownLeaderOutlivesItsEligibility() {
        PartitionRegistration last = ElectionRuleTest.partition(3, List.of(3), List.of(), List.of());

        PartitionChange fenced = changes(last, 2, true).without(3).build();
        assertThat(fenced).isEqualTo(change(ID, List.of(), -1, List.of(3), List.of(3), null));
        PartitionRegistration leaderless = last.merge(fenced);
        assertThat(changes(leaderless, 2, true).withoutUnclean(3).build())
                .isEqualTo(change(ID, null, null, List.of(), null, null));
    }

    @Test
    void withElrOffTheLastMemberStaysAndElrIsCleared() {
        PartitionRegistration last = ElectionRuleTest.partition(3, List.of(3), List.of(1), List.of());

        assertThat(changes(last, 2, false).without(3).build()).isEqualTo(change(ID, null, -1, List.of(), null, null));
    }

    /**
     * Over a random life of one partition with ELR: whoever may hold every acknowledged record (ISR or ELR) is forgotten only
     * by an ISR of at least minIsr, an unclean election, or because its own log can not be trusted.
     */
    @Property(tries = 300)
    void whoMayHaveEverythingIsNotForgotten(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int minIsr) {
        Random random = new Random(seed);
        PartitionRegistration partition = ElectionRuleTest.partition(3, List.of(3, 1, 2), List.of(), List.of());
        TreeSet<Integer> active = new TreeSet<>(partition.replicas());
        for (int step = 0; step < 60; step++) {
            int broker = 1 + random.nextInt(3);
            int kind = random.nextInt(4);
            PartitionChanges changes = new PartitionChanges(ID, partition, minIsr, true, active::contains, Guards.ALL);
            int untrusted = -1;
            if (kind == 0) {
                active.remove(broker);
                changes.without(broker);
            } else if (kind == 1) {
                active.remove(broker);
                untrusted = broker;
                changes.withoutUnclean(broker);
            } else if (kind == 2) {
                active.add(broker);
            } else if (partition.hasLeader()) {
                List<Integer> isr = new ArrayList<>(active);
                isr.removeIf(member -> random.nextBoolean());
                isr.add(partition.leader());
                changes.isr(isr);
            }
            PartitionChange change = changes.build();
            PartitionRegistration after = change == null ? partition : partition.merge(change);
            boolean uncleanElection = change != null && change.recovery() == LeaderRecovery.RECOVERING;
            if (after.isr().size() < minIsr && !uncleanElection) {
                TreeSet<Integer> forgotten = new TreeSet<>(partition.isr());
                forgotten.addAll(partition.elr());
                forgotten.removeAll(after.isr());
                forgotten.removeAll(after.elr());
                forgotten.remove(untrusted);
                assertThat(forgotten).as("from %s to %s", partition, after).isEmpty();
            }
            partition = after;
        }
    }
}
