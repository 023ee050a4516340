package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules of three replicas: nothing acknowledged is lost, and a guard that is off is missed. */
class ReplicationScheduleTest {
    private static final int STEPS = 400;

    @Test
    void nothingAcknowledgedIsLostAndAllHeals() {
        int acknowledged = 0;
        for (long seed = 0; seed < 400; seed++) {
            ModelSchedule schedule = new ModelSchedule(seed, Guards.ALL);
            try {
                schedule.run(STEPS);
                schedule.heal();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            acknowledged += schedule.acknowledged();
        }
        assertThat(acknowledged).isGreaterThan(1000);
    }

    /** Those that chance finds soon; {@link GuardScenarioTest} has the others. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "HW_MAXIMAL_ISR",
                "ACK_AFTER_HW",
                "ACK_DUPLICATE_AFTER_HW",
                "TRUNCATE_BY_EPOCH",
                "EXPAND_HW",
                "FETCH_DIVERGENCE_FIRST",
                "RESP_DIVERGENCE_FIRST",
                "RESP_STILL_ASKED"
            })
    void aGuardThatIsOffIsMissed(Guard guard) {
        assertThat(firstViolation(guard)).isNotNull();
    }

    private static ModelInvariants.Violation firstViolation(Guard guard) {
        for (long seed = 0; seed < 3000; seed++) {
            try {
                new ModelSchedule(seed, Guards.without(guard)).run(STEPS);
            } catch (ModelInvariants.Violation violation) {
                return violation;
            }
        }
        return null;
    }
}
