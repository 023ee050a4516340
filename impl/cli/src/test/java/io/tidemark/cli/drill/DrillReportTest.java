package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.workload.fault.FaultKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillReportTest {
    private final Outcomes.Builder drill = new Outcomes.Builder();

    private static JsonNode json(Report report) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Session session = new Session(
                List.of("drill"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err,
                Installation.current(),
                Terminal.current());
        session.options().format = CommonOptions.Format.json;
        session.publish(report, text -> {});
        return Schemas.validated("drill", out.toString(StandardCharsets.UTF_8));
    }

    private JsonNode json(String acks) throws Exception {
        DrillConfig config = Outcomes.config(acks, false);
        DrillOutcome outcome = drill.build();
        return json(DrillDocument.of(config, outcome, DrillVerdict.of(config, outcome)));
    }

    private String text(String acks) {
        DrillConfig config = Outcomes.config(acks, false);
        DrillOutcome outcome = drill.build();
        return DrillText.of(config, outcome, DrillVerdict.of(config, outcome));
    }

    @Test
    void aDrillThatHoldsIsADocumentOfItsSchema() throws Exception {
        JsonNode document = json("all");
        assertThat(document.at("/verdict").asText()).isEqualTo("HOLDS");
        assertThat(document.at("/workload/acknowledged").asLong()).isEqualTo(59_990);
        assertThat(document.at("/faults/0/startMs").asLong()).isEqualTo(10_000);
        assertThat(document.at("/leaders/1/leader").isNull()).isTrue();
        assertThat(document.at("/rpo/oldestMs").isNull()).isTrue();
        assertThat(document.at("/notTested/0").asText()).startsWith("power loss");
        assertThat(document.at("/anomalies")).isEmpty();
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
                .isEqualTo("{'topic':'drill','partition':0,'offset':1,'leaderEpoch':3,'ackedBy':2}".replace('\'', '"'));
        assertThat(text("1"))
                .startsWith("VIOLATED: ")
                .contains("acknowledged by node\n  drill-0, 1, 3, 2\n")
                .contains("lost 1, duplicated 0")
                .contains("RPO       1 records, the oldest 700 ms old")
                .contains("first in drill-0: record 42, acknowledged at offset 1, is gone")
                .contains("; leader epoch 3, acknowledged by node 2")
                .contains("acks=1 allows this");
    }

    @Test
    void anInterruptedDrillIsADocumentOfItsSchema() throws Exception {
        Report report = DrillDocument.of(Outcomes.config("all", false))
                .verdict(Report.Verdict.UNKNOWN)
                .exit(ExitCode.INTERRUPTED)
                .reason("INTERRUPTED", "the drill was interrupted before its final read");
        assertThat(json(report).at("/exitCode").asInt()).isEqualTo(130);
    }

    @Test
    void theTextNamesTheEvidenceTheFaultsTheLeadersAndWhatWasNotTested() {
        assertThat(text("all"))
                .startsWith("HOLDS: ")
                .contains("evidence: 5,000 records acknowledged while a fault was active, 5 faults took effect")
                .contains("36 of 36 replicas compared byte for byte")
                .contains("RTO       worst 4,100 ms, median 0 ms over faults and partitions (resolution 12 ms")
                .contains("rolling-restart")
                .contains("unavailable 3,100 ms")
                .contains("drill-0: 1 (0) 1.0, none (1) 11.0, 3 (2) 12.0")
                .contains("broker.session.timeout.ms=3000")
                .contains("not tested: power loss");
    }

    @Test
    void aFaultWithoutEffectIsMarked() {
        drill.faults.set(0, Outcomes.fault(1, FaultKind.KILL, false));
        assertThat(text("all")).startsWith("UNKNOWN: ").contains("WITHOUT EFFECT");
    }
}
