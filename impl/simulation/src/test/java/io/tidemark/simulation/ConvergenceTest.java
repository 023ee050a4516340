package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.controller.ControllerRequest.TopicAndPartition;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConvergenceTest {
    private static final UUID TOPIC = new UUID(7, 7);

    private static MetadataRecord partition(
            int index, int leader, List<Integer> isr, List<Integer> elr, List<Integer> lastKnownElr) {
        return new MetadataRecord.Partition(
                TOPIC,
                index,
                new PartitionRegistration(
                        List.of(1, 2, 3),
                        List.of(),
                        isr,
                        elr,
                        lastKnownElr,
                        List.of(),
                        List.of(),
                        leader,
                        LeaderRecovery.RECOVERED,
                        1,
                        1));
    }

    /** An unclean election of any other could lose what its eligible replicas hold, and hide that they do not come back. */
    @Test
    void theOperatorElectsWhereNobodyIsEligibleAlone() {
        int none = PartitionRegistration.NO_LEADER;
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.Topic("t", TOPIC));
        metadata.apply(1, partition(0, 1, List.of(1), List.of(), List.of()));
        metadata.apply(2, partition(1, none, List.of(2), List.of(), List.of()));
        metadata.apply(3, partition(2, none, List.of(), List.of(3), List.of()));
        metadata.apply(4, partition(3, none, List.of(), List.of(), List.of(1)));
        metadata.apply(5, partition(4, none, List.of(), List.of(), List.of()));
        assertThat(Convergence.withNobodyElectable(metadata)).containsExactly(new TopicAndPartition("t", 4));
    }
}
