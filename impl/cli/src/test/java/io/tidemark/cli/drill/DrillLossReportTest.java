package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reports say of records that are gone or there twice, and of the setting that permits it. */
class DrillLossReportTest extends DrillReportHarness {
    @Test
    void withoutACompleteFinalReadEveryFigureAboutLossIsUnknownWhateverTheVerdict() throws Exception {
        drill.finalReadComplete = false;
        drill.replicasCompared = 0;
        drill.log = Outcomes.ackedTwice();
        JsonNode document = json("1");
        assertThat(document.at("/verdict").asText()).isEqualTo("VIOLATED");
        for (String figure : List.of("/lost", "/duplicated", "/rpo/records", "/rpo/oldestMs", "/faults/0/lost")) {
            assertThat(document.at(figure).isNull()).as(figure).isTrue();
        }
        assertThat(text("1"))
                .contains("\nfound      lost unknown, duplicated unknown, inconsistent reads 0 so far,"
                        + " contradicted acknowledgements at least 1, out of order 0 so far, replica"
                        + " differences 0 so far\n")
                .contains("\nRPO        unknown\n")
                .contains(" 2,900   3,100   1,500 unknown  node 2")
                .contains("\nreason     FINAL_READ_INCOMPLETE: ");
        DrillConfig config = Outcomes.config("1", false);
        DrillOutcome outcome = drill.build();
        assertThat(DrillMarkdown.of(config, outcome, DrillVerdict.of(config, outcome)))
                .contains("| lost (RPO) | unknown |\n")
                .contains("| inconsistent reads | 0 so far |\n| contradicted acknowledgements | at least 1 |\n");
    }

    @Test
    void whatWasFoundLostBeforeTheFinalReadEndedIsALowerBound() {
        drill.finalReadComplete = false;
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        assertThat(text("1")).contains("\nfound      lost unknown (at least 1), ");
    }

    @Test
    void aLostRecordIsNamedWithItsOrigin() throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        JsonNode document = json("1");
        assertThat(document.at("/exitCode").asInt()).isEqualTo(1);
        assertThat(document.at("/lost").asInt()).isEqualTo(1);
        assertThat(document.at("/rpo/oldestMs").asLong()).isEqualTo(700);
        JsonNode first = document.at("/anomalies/0/first");
        assertThat(first.at("/topic").asText()).isEqualTo("drill");
        assertThat(first.at("/partition").asInt()).isZero();
        assertThat(first.at("/offset").asInt()).isEqualTo(1);
        assertThat(first.at("/leaderEpoch").asInt()).isEqualTo(3);
        assertThat(first.at("/ackedBy").asInt()).isEqualTo(2);
        assertThat(document.at("/lostRecords/0").toString())
                .isEqualTo("{'topic':'drill','partition':0,'offset':1,'leaderEpoch':3,'ackedBy':2,'fault':1}"
                        .replace('\'', '"'));
        assertThat(document.at("/faults/0/lost").asInt()).isEqualTo(1);
        assertThat(document.at("/faults/1/lost").asInt()).isZero();
        assertThat(LostList.of(drill.build()))
                .isEqualTo("topic\tpartition\toffset\tvalue\tackedAtMs\tleaderEpoch\tackedBy\tfault\n"
                        + "drill\t0\t1\t42\t3\t3\t2\t1\n");
        assertThat(text("1"))
                .startsWith("VIOLATED: ")
                .contains("\nlost       drill-0 offset 1, leader epoch 3, acknowledged by node 2\n")
                .contains("\nfound      lost 1, duplicated 0, ")
                .contains("  2,900   3,100   1,500     1  node 2 (process 12) gone")
                .contains("\nRPO        1 record, the oldest 700 ms old\n")
                .contains("first in drill-0: record 42, acknowledged at offset 1, is gone")
                .contains("; leader epoch 3, acknowledged by node 2")
                .contains(
                        "\nanomaly    lost x 1 (acks=1 permits it: the leader acknowledges before any follower has the record,");
    }

    @Test
    void aLossThatWasAskedForIsSaidInTheFirstLine() {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        DrillConfig config = Outcomes.config("1", true);
        DrillOutcome outcome = drill.build();
        assertThat(DrillText.headline(config, outcome, DrillVerdict.of(config, outcome)))
                .isEqualTo(
                        "VIOLATED: the log did not keep what it had acknowledged, which acks=1 permits, as --expect loss"
                                + " asked for");
        drill.log = Outcomes.log(true, List.of(1L), List.of(1L));
        DrillOutcome kept = drill.build();
        assertThat(DrillText.headline(config, kept, DrillVerdict.of(config, kept)))
                .startsWith("HOLDS: ")
                .endsWith(", although --expect loss asked for a loss");
    }

    @Test
    void duplicatesThatTheSettingsAllowAreSaidToBeAllowed() {
        drill.log = Outcomes.log(false, true, List.of(1L, 2L), List.of(1L, 2L, 2L));
        assertThat(text("1"))
                .contains("duplicated 1, ")
                .contains(
                        "\nanomaly    duplicate x 1 (enable.idempotence=false permits it: a retry may append a record twice), ");
    }

    @Test
    void whatAcknowledgementsSaidIsNoReadersMatterAndEachIsPermittedOrNot() throws Exception {
        drill.log = Outcomes.log(false, true, List.of(41L, 42L), List.of(41L, 77L));
        JsonNode document = json("1");
        assertThat(text("1")).contains(", inconsistent reads 1, contradicted acknowledgements 1, out of order 0, ");
        assertThat(document.at("/inconsistentReads").asLong()).as("a phantom").isEqualTo(1);
        assertThat(document.at("/inconsistentAcknowledgements").asLong()).isEqualTo(1);
        for (JsonNode anomaly : document.at("/anomalies")) {
            boolean phantom = anomaly.at("/type").asText().equals("phantom");
            assertThat(anomaly.at("/permittedBy").toString()).isEqualTo(phantom ? "[]" : "[\"acks=1\"]");
            assertThat(anomaly.at("/why").asText())
                    .startsWith(
                            phantom
                                    ? "no setting of this drill permits it: whatever acks is, "
                                    : "acks=1 permits it: ");
        }
        assertThat(text("1")).startsWith("VIOLATED: the log did not keep what it had acknowledged\n");
    }

    @Test
    void oneLossThatShowsInSeveralWaysIsCountedByEachOfThem() {
        drill.log = Outcomes.givenAgain();
        assertThat(text("1"))
                .startsWith("VIOLATED: the log did not keep what it had acknowledged, which acks=1 permits\n")
                .contains("\nfound      lost 1, duplicated 0, inconsistent reads 0, contradicted acknowledgements 2"
                        + " (1 offset-acked-twice, 1 ack-contradicted), out of order 0, ");
    }
}
