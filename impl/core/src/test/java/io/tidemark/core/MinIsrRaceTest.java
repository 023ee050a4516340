package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** {@code min.insync.replicas} is raised while a leader's shrink of the ISR is under way (ELR on, KIP-966). */
class MinIsrRaceTest {
    /**
     * The controller decides the shrink by the new value, which puts whoever leaves into the ELR; the leader hears the answer
     * before it has applied that value.
     */
    private static StoryCluster theAnswerOvertakesTheConfig(Guards guards) {
        StoryCluster cluster = new StoryCluster(guards, 1);
        cluster.write(1);
        cluster.lag(1, 2, 3);
        cluster.controller.minIsr(2);
        cluster.alter(1);
        assertThat(cluster.controller.part().isr()).containsExactly(1);
        assertThat(cluster.controller.part().elr()).containsExactly(2, 3);
        return cluster;
    }

    @Test
    void whatOnlyTheLeaderHasIsNotAcknowledged() {
        StoryCluster cluster = theAnswerOvertakesTheConfig(Guards.ALL);
        assertThat(cluster.view(1).minIsr()).isEqualTo(1);
        assertThat(cluster.acknowledged()).isZero();
        cluster.applyAll(1);
        assertThat(cluster.view(1).departed()).isEmpty();
        assertThat(cluster.acknowledged()).as("minIsr is 2 now").isZero();
        cluster.controller.fence(1);
        assertThat(cluster.controller.part().leader()).isEqualTo(2);
    }

    @Test
    void theyComeBackAndItIs() {
        StoryCluster cluster = theAnswerOvertakesTheConfig(Guards.ALL);
        cluster.applyAll(1, 2, 3);
        cluster.replicate(2);
        cluster.alter(1);
        cluster.applyAll(1);
        assertThat(cluster.controller.part().isr()).containsExactly(1, 2);
        assertThat(cluster.acknowledged()).isEqualTo(1);
    }

    /** As above, but the one who left had joined by an answer too: the ISR last applied does not name it. */
    @Test
    void whoCameAndWentByAnswersCounts() {
        StoryCluster cluster = new StoryCluster(Guards.ALL, 1);
        cluster.lag(1, 2, 3);
        cluster.write(1);
        cluster.lag(1, 2, 3);
        cluster.alter(1);
        cluster.applyAll(1, 2, 3);
        assertThat(cluster.view(1).part().isr()).containsExactly(1);
        cluster.replicate(2);
        cluster.alter(1);
        cluster.controller.minIsr(2);
        cluster.write(1);
        cluster.lag(1, 2);
        cluster.alter(1);
        cluster.lag(1, 2);
        assertThat(cluster.controller.part().elr()).containsExactly(2);
        assertThat(cluster.acknowledged()).isEqualTo(1);
        cluster.applyAll(1);
        assertThat(cluster.acknowledged()).isEqualTo(1);
    }

    @Test
    void withoutTheRuleTheRecordIsLostWithTheLeader() {
        assertThatThrownBy(() -> theAnswerOvertakesTheConfig(Guards.without(Guard.HW_APPLIED_ISR)))
                .isInstanceOf(StoryInvariants.Violation.class)
                .hasMessageStartingWith("AckedDurable: broker 2 lacks record 0 at 0");
    }
}
