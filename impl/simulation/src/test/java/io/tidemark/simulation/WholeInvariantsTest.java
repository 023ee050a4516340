package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import java.lang.reflect.Proxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a step changes below what the checks after a step look at is found by the look at everything. */
class WholeInvariantsTest {
    private static final TopicPartition ID = new TopicPartition(new UUID(1, 1), 0);
    private final int[] epochs = {0, 0, 0};

    /** A leader of three committed records. */
    private PartitionView leader() {
        return (PartitionView) Proxy.newProxyInstance(
                PartitionView.class.getClassLoader(),
                new Class<?>[] {PartitionView.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "part", "isrState" -> null;
                    case "role" -> PartitionRole.LEADER;
                    case "hw", "logEnd" -> (long) epochs.length;
                    case "epochAt" -> epochs[(int) (long) arguments[0]];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aCommittedRecordThatChangesBelowTheHighWatermarkIsFound() {
        Exposure exposure = new Exposure();
        exposure.step(1, ID, leader(), 0, true, 0);
        exposure.whole();
        epochs[1] = 7;
        exposure.step(1, ID, leader(), 0, false, 3);
        assertThatThrownBy(exposure::whole)
                .isInstanceOf(Violation.class)
                .hasMessageContaining(
                        "NoDivergenceBelowHw: partition 0 of broker 1: record 1 is of epoch 7, elsewhere of 0");
    }
}
