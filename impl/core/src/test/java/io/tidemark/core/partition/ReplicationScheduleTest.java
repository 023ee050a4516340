package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules of three replicas: nothing acknowledged is lost, and each guard is missed when it is off. */
class ReplicationScheduleTest {
    private static final int STEPS = 400;

    @Test
    void nothingAcknowledgedIsLostAndAllHeals() {
        int acknowledged = 0;
        for (long seed = 0; seed < 3000; seed++) {
            ModelCluster cluster = new ModelCluster(seed, Guards.ALL);
            try {
                cluster.run(STEPS);
                cluster.heal();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            acknowledged += cluster.acknowledged();
        }
        System.out.println("acked " + acknowledged);
        assertThat(acknowledged).isGreaterThan(4000);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "HW_MAXIMAL_ISR",
                "TRUNCATE_BY_EPOCH",
                "TRUNCATE_OWN_EPOCH",
                "EXPAND_HW",
                "EXPAND_EPOCH_START",
                "EXPAND_BROKER_EPOCH",
                "FETCH_LEADER_EPOCH",
                "FETCH_BROKER_EPOCH",
                "ACK_AFTER_HW",
                "RESP_STILL_ASKED",
                "RESP_BATCH_EPOCH",
                "PENDING_UNTIL_KNOWN",
                "APPLY_DROPS_FETCH",
                "APPLY_OLDER"
            })
    void aGuardThatIsOffIsMissed(Guard guard) {
        for (long seed = 0; seed < 20000; seed++) {
            ModelCluster cluster = new ModelCluster(seed, Guards.without(guard));
            try {
                cluster.run(STEPS);
            } catch (RuntimeException e) {
                System.out.println(guard + " seed " + seed + " " + e);
                return;
            }
        }
        throw new AssertionError(guard + " is not missed");
    }
}
