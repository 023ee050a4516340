package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.IsrState;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StepWordsTest {
    private static final UUID TOPIC = new UUID(0, 7);
    private static final AlterPartitionAsked ASKED = new AlterPartitionAsked(1, 2, List.of(), LeaderRecovery.RECOVERED);

    @Test
    void whatALeaderKnowsOfTheIsr() {
        assertThat(StepWords.isr(null, List.of(1))).isEmpty();
        assertThat(StepWords.isr(new IsrState.Committed(List.of(1, 2)), List.of(1, 2)))
                .isEmpty();
        assertThat(StepWords.isr(new IsrState.Committed(List.of(1, 2)), List.of(1)))
                .isEqualTo("knows ISR [1, 2]");
        assertThat(StepWords.isr(new IsrState.PendingExpand(List.of(4, 3), 2, List.of(4, 3, 2), ASKED), List.of(4, 3)))
                .isEqualTo("asks to take 2 into ISR [4, 3]");
        assertThat(StepWords.isr(new IsrState.PendingShrink(List.of(4, 3), List.of(3), ASKED), List.of(4, 3)))
                .isEqualTo("asks to drop [3] from ISR [4, 3]");
    }

    @Test
    void recordsOfTheMetadataLog() {
        assertThat(StepWords.records(List.of(
                        new MetadataRecord.Topic("t", TOPIC),
                        new MetadataRecord.BrokerRegistrationChange(3, 9, true, null),
                        new MetadataRecord.PartitionChange(
                                TOPIC, 1, List.of(2), -1, null, null, null, null, List.of(3), null, null),
                        new MetadataRecord.Config(MetadataRecord.Config.BROKER, "", "min.insync.replicas", "2"),
                        new MetadataRecord.RemoveTopic(TOPIC))))
                .isEqualTo(
                        "topic t; broker 3 fenced; p1 no leader, ISR [2], ELR [3]; min.insync.replicas=2 of the cluster;"
                                + " topic removed");
    }
}
