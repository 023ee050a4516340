package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.log.AnomalyType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which anomaly which setting permits, as {@code docs/durability.md} has it. */
class PermitTest {
    private static DrillConfig config(String acks, boolean unclean, int minInsyncReplicas) {
        return new DrillConfig(
                3,
                12,
                3,
                minInsyncReplicas,
                acks,
                1_000,
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                List.of(),
                7,
                unclean,
                true,
                "none",
                false);
    }

    private static List<String> settings(DrillConfig config, AnomalyType type) {
        return Permit.of(config, type).stream().map(Permit::setting).toList();
    }

    @ParameterizedTest
    @EnumSource(AnomalyType.class)
    void theDefaultSettingsPermitNothing(AnomalyType type) {
        DrillConfig config = config("all", false, 2);
        assertThat(Permit.of(config, type)).isEmpty();
        assertThat(Permit.inWords(config, type)).isEqualTo("no setting of this drill permits it");
    }

    @ParameterizedTest
    @CsvSource({
        "LOST, true, true",
        "OFFSET_ACKED_TWICE, true, true",
        "ACK_CONTRADICTED, true, true",
        "REAL_TIME_ORDER, true, true",
        "REPLICA_MISSING, true, true",
        "MISPLACED, true, false",
        "DIRTY_READ, false, true",
        "INCONSISTENT_OFFSET, false, true",
        "OFFSET_REUSED, false, true",
        "HW_REGRESS, false, true",
        "GAP, false, false",
        "PHANTOM, false, false",
        "FAILED_READ, false, false",
        "NONMONOTONIC_POLL, false, false",
        "POLL_SKIP, false, false",
        "REPLICA_DIFFERS, false, false",
        "REPLICA_SHORT, false, false"
    })
    void eachSettingPermitsWhatItLeadsTo(AnomalyType type, boolean acks, boolean unclean) {
        assertThat(settings(config("1", false, 2), type)).isEqualTo(acks ? List.of("acks=1") : List.of());
        assertThat(settings(config("all", true, 2), type))
                .isEqualTo(unclean ? List.of("unclean.leader.election.enable=true") : List.of());
    }

    @ParameterizedTest
    @EnumSource(
            value = AnomalyType.class,
            names = {"DUPLICATE", "CLIENT_ORDER"})
    void withoutIdempotenceARetryMayDoubleAndReorder(AnomalyType type) {
        assertThat(settings(config("1", true, 2), type)).containsExactly("enable.idempotence=false");
        assertThat(settings(config("all", true, 2), type)).isEmpty();
    }

    @Test
    void acksOfNoneNeedNoNodeAtAll() {
        assertThat(Permit.inWords(config("0", false, 2), AnomalyType.LOST))
                .isEqualTo("acks=0 permits it: a record counts as acknowledged before any node has it");
    }

    @Test
    void whatIsWeakAndNotToBlameIsNamed() {
        assertThat(Permit.inWords(config("1", false, 2), AnomalyType.DIRTY_READ))
                .isEqualTo("no setting of this drill permits it: whatever acks is, readers are given only what is below"
                        + " the high watermark");
        assertThat(Permit.inWords(config("all", false, 1), AnomalyType.LOST))
                .startsWith("no setting of this drill permits it: with min.insync.replicas=1 a leader may acknowledge");
    }
}
