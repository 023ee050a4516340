package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.KafkaOps;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FinalReadEvidenceTest {
    @Test
    void whatWasReadIsCountedFromTheFirstToTheEndOffset() {
        FinalReadEvidence read = FinalReadEvidence.of(
                2, Map.of(0, new KafkaOps.Extent(5, 25, true), 1, new KafkaOps.Extent(0, 1_000, true)), null);
        assertThat(read).isEqualTo(new FinalReadEvidence(2, 2, 1_020, null));
        assertThat(read.complete()).isTrue();
    }

    @Test
    void everyPartitionThatIsMissingIsNamedAndWhy() {
        FinalReadEvidence read =
                FinalReadEvidence.of(2, Map.of(1, new KafkaOps.Extent(0, 1_000, false)), "3 of 4 operations");
        assertThat(read.complete()).isFalse();
        assertThat(read.missing())
                .isEqualTo(
                        "the end offset of drill-0 is not known; drill-1 was not read to its end offset 1,000, or that"
                                + " still moved; 3 of 4 operations");
        assertThat(read.offsets()).isZero();
    }

    @Test
    void ofManyOnlyTheFirstAreNamedAndTheOthersCounted() {
        assertThat(FinalReadEvidence.of(12, Map.of(), null).missing())
                .startsWith("the end offset of drill-0 is not known; ")
                .endsWith("the end offset of drill-4 is not known; and 7 more partitions");
    }
}
