package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What each guard is there for, as a story of three replicas that ends well with it and badly without. Broker 1 leads first,
 * all are in the ISR, minIsr is 2.
 */
class GuardScenarioTest {
    private static void misses(Guard guard, String invariant, Consumer<ModelCluster> story) {
        assertThatCode(() -> story.accept(new ModelCluster(Guards.ALL))).doesNotThrowAnyException();
        assertThatThrownBy(() -> story.accept(new ModelCluster(Guards.without(guard))))
                .isInstanceOf(ModelInvariants.Violation.class)
                .hasMessageStartingWith(invariant);
    }

    /** KAFKA-7128: the high watermark of a new leader lags, so reaching it does not mean having what was acknowledged. */
    @Test
    void expandEpochStart() {
        misses(Guard.EXPAND_EPOCH_START, "AckedDurable", cluster -> {
            cluster.write(1);
            cluster.fetch(2);
            cluster.fetch(3);
            cluster.write(1);
            cluster.fetch(2);
            cluster.lag(1, 3);
            cluster.alter(1);
            cluster.fetchUnanswered(2); // Both records are acknowledged, which broker 2 does not learn.
            cluster.moveLeader(2);
            cluster.applyAll(1, 2, 3);
            cluster.fetchUnanswered(3);
            cluster.alter(2);
        });
    }

    /** KIP-320: a fetch of an earlier epoch says what the follower held then, not what it holds. */
    @Test
    void fetchLeaderEpoch() {
        misses(Guard.FETCH_LEADER_EPOCH, "ElectableComplete", cluster -> {
            cluster.write(1);
            cluster.fetch(3);
            cluster.ask(3); // Delayed.
            cluster.moveLeader(2);
            cluster.applyAll(2, 3);
            cluster.fetch(3); // Truncates: broker 2 does not have the record.
            cluster.moveLeader(1);
            cluster.applyAll(1, 2);
            cluster.deliverOldest();
            cluster.fetch(2);
            cluster.fetch(2);
        });
    }

    /** The answer to an expansion is lost, and the retry is told only that it is stale. */
    @Test
    void pendingUntilKnown() {
        misses(Guard.PENDING_UNTIL_KNOWN, "AckedDurable", cluster -> {
            cluster.write(1);
            cluster.lag(1, 3);
            cluster.alter(1);
            cluster.applyNext(1);
            cluster.fetch(2);
            cluster.fetch(2);
            cluster.fetch(3);
            cluster.fetch(3);
            cluster.alterUnanswered(1); // Broker 3 is in the ISR now.
            cluster.alter(1);
            cluster.write(1);
            cluster.lag(1, 3);
            cluster.fetch(2);
            cluster.fetch(2);
        });
    }

    /** As above, with the answer that arrives, and behind it the record that it was the answer to before. */
    @Test
    void applyOlder() {
        misses(Guard.APPLY_OLDER, "AckedDurable", cluster -> {
            cluster.write(1);
            cluster.lag(1, 3);
            cluster.alter(1); // Its record is not applied yet.
            cluster.fetch(2);
            cluster.fetch(2);
            cluster.fetch(3);
            cluster.fetch(3);
            cluster.alterUnanswered(1); // Broker 3 is in the ISR now.
            cluster.applyNext(1);
            cluster.write(1);
            cluster.lag(1, 3);
            cluster.fetch(2);
            cluster.fetch(2);
        });
    }
}
