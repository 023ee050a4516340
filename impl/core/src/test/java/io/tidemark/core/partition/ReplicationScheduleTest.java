package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import org.junit.jupiter.api.Test;

/** Random schedules of three replicas: nothing acknowledged is lost. Without a guard: {@link PartitionTeeth}. */
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
}
