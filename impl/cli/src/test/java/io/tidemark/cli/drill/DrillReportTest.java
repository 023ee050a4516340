package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Shell;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrillReportTest extends DrillReportHarness {
    @Test
    void aDrillThatHoldsIsADocumentOfItsSchema() throws Exception {
        JsonNode document = json("all");
        assertThat(document.at("/verdict").asText()).isEqualTo("HOLDS");
        assertThat(document.at("/workload/acknowledged").asLong()).isEqualTo(59_990);
        assertThat(document.at("/faults/0/startMs").asLong()).isEqualTo(10_000);
        assertThat(document.at("/faults/0/rtoMs").asLong()).isEqualTo(2_900);
        assertThat(document.at("/faults/0/unavailabilityMs").asLong()).isEqualTo(3_100);
        assertThat(document.at("/config/elr").asText()).isEqualTo("on");
        assertThat(document.at("/leaders/1/leader").isNull()).isTrue();
        assertThat(document.at("/rpo/oldestMs").isNull()).isTrue();
        assertThat(document.at("/notTested/0").asText()).startsWith("power loss");
        assertThat(document.at("/anomalies")).isEmpty();
        assertThat(document.at("/faults/0/allInSyncAfterMs").asLong()).isEqualTo(1_500);
        assertThat(document.at("/finalRead").toString())
                .isEqualTo(
                        "{'partitions':12,'partitionsRead':12,'offsets':59991,'acknowledgedLookedFor':2,'missing':null}"
                                .replace('\'', '"'));
        assertThat(document.at("/replicas").toString())
                .isEqualTo("{'total':36,'compared':36,'records':179970,'acknowledgedLookedFor':179970,'missing':null}"
                        .replace('\'', '"'));
        assertThat(document.at("/coverage/covered")).hasSize(4);
        assertThat(document.at("/coverage/notInjected/0").asText()).isEqualTo("kill@controller");
    }

    @Test
    void theMachineIsInTheDocument() throws Exception {
        drill.machine = new Machine(4_200, 30_000, 60_000, 31.25, 2);
        JsonNode machine = json("all").at("/machine");
        assertThat(machine.toString())
                .isEqualTo(
                        "{'starved':true,'longestPauseMs':4200,'pausedMs':30000,'watchedMs':60000,'loadAverage':31.25,"
                                        .replace('\'', '"')
                                + "\"processors\":2}");
    }

    @Test
    void anInterruptedDrillTellsWhatItHadMeasured() throws Exception {
        drill.interrupted = true;
        drill.finalReadComplete = false;
        drill.log = Outcomes.log(false, List.of(1L, 2L), List.of());
        DrillConfig config = Outcomes.config("all", false);
        DrillOutcome outcome = drill.build();
        DrillVerdict verdict = DrillVerdict.interrupted(outcome, ExitCode.INTERRUPTED);
        JsonNode document = json(DrillDocument.of(config, outcome, verdict));
        assertThat(document.at("/exitCode").asInt()).isEqualTo(130);
        assertThat(document.at("/verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.at("/workload/acknowledged").asLong()).isEqualTo(59_990);
        assertThat(document.at("/faults")).hasSize(5);
        assertThat(document.at("/lost").isNull())
                .as("without a final read nothing is known")
                .isTrue();
        assertThat(DrillText.of(config, outcome, verdict, 0))
                .startsWith(
                        "UNKNOWN: nothing wrong was seen, but the evidence does not suffice\nreason     INTERRUPTED: ")
                .contains("found      lost unknown, duplicated unknown, inconsistent reads 0 so far,"
                        + " contradicted acknowledgements 0 so far, out of order 0 so far, replica"
                        + " differences 0\n");
    }

    @Test
    void aClusterThatDidNotStartHasItsReport() throws Exception {
        DrillConfig config = Outcomes.config("all", false);
        Machine machine = new Machine(1_500, 40_000, 120_000, 9, 2);
        DrillOutcome outcome = DrillOutcome.notStarted(config, machine, "node 2: not ready within 120 s");
        DrillVerdict verdict = DrillVerdict.of(config, outcome);
        JsonNode document = json(DrillDocument.of(config, outcome, verdict));
        assertThat(document.at("/exitCode").asInt()).isEqualTo(3);
        assertThat(document.at("/lost").isNull()).isTrue();
        assertThat(document.at("/machine/starved").asBoolean()).isTrue();
        assertThat(document.at("/config/registrationTimeoutMs").asInt()).isEqualTo(180_000);
        assertThat(DrillText.of(config, outcome, verdict, 0))
                .startsWith("UNKNOWN: the cluster did not start, so nothing was put to the test\n"
                        + "reason     STARVED_MACHINE: the drill's own thread waited up to 1,500 ms")
                .contains("\nreason     NOT_STARTED: node 2: not ready within 120 s\n")
                .contains("initial.broker.registration.timeout.ms=180000")
                .doesNotContain("a longer --for");
    }

    @Test
    void aDrillThatIsInterruptedBeforeItsLoadIsADocumentOfItsSchema() throws Exception {
        DrillConfig config = Outcomes.config("all", false);
        DrillOutcome nothing = DrillOutcome.nothing(config);
        DrillVerdict verdict = DrillVerdict.interrupted(nothing, ExitCode.TERMINATED);
        JsonNode document = json(DrillDocument.of(config, nothing, verdict));
        assertThat(document.at("/exitCode").asInt()).isEqualTo(143);
        assertThat(document.at("/workload/attempted").asLong()).isZero();
    }

    @Test
    void theTextNamesTheEvidenceTheFaultsTheLeadersAndWhatWasNotTested() {
        assertThat(text("all"))
                .startsWith(
                        "HOLDS: nothing acknowledged was lost or read inconsistently in 61.3 s, 5 faults (4 of the 10 asked"
                                + " for) and 59,990 records\n\nrecords    59,990 ")
                .contains("\nevidence   5,000 acknowledged while a fault was active\n")
                .contains("\nfinal read 12 of 12 partitions read from the first to the end offset, 59,991 offsets; 2 of"
                        + " 59,990 acknowledged records looked for in them\n")
                .contains(
                        "\nreplicas   36 of 36 logs read from disk, 179,970 records below the high watermark: each log"
                                + " byte for byte with that of its partition's first replica; 179,970 look-ups of an"
                                + " acknowledged record at its offset in a log\n")
                .contains(
                        "RTO        worst 4,100 ms, median 0 ms over faults that took effect and partitions (resolution"
                                + " 12 ms")
                .contains(
                        "\n  1 kill@leader             10.0   3.5   2,900   3,100   1,500     0  node 2 (process 12) gone;")
                .contains(
                        "\nsettings   load for 61.3 s of 60 s asked for, faults asked for: kill@leader, kill@controller,")
                .contains("unclean.leader.election.enable=false, ELR on, fsync as Kafka by default,")
                .contains("\nterms      RPO: ")
                .contains("\n  drill-0  1@1.0 -@11.0 3@12.0\n")
                .contains("broker.session.timeout.ms=3000")
                .contains("\nmachine    the drill's own thread waited up to 30 ms for a processor, 0 % of the time")
                .contains("\nnot tested power loss")
                .contains("\nfaults     5 of 5 injected took effect; of the 10 asked for 4 did: kill@leader,"
                        + " freeze@leader, restart@leader, leader-move@leader\n"
                        + "not tested asked for and never injected: kill@controller, kill@one, freeze@controller,"
                        + " freeze@one, restart@controller, rolling-restart@all; ")
                .contains("\nin sync    again after each fault, at most 1,500 ms after its end; seen once more 320 ms"
                        + " after the load; the ISR shrank 10 times, grew 10 times\n")
                .contains("\nterms      in doubt: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100})
    void onATerminalNoLineIsWiderThanIt(int width) {
        assertThat(text("all", width).lines()).allMatch(line -> line.length() <= width);
        assertThat(text("all", width).replaceAll("\\s+", " "))
                .as("nothing is left out")
                .isEqualTo(text("all").replaceAll("\\s+", " "));
    }

    /** Of standard output and standard error together, as a terminal shows them. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "with a space, and 'quotes'"})
    void theLastLineIsTheDirectoryThatIsKept(String name, @TempDir Path dir) throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        DrillConfig config = Outcomes.config("all", false);
        DrillOutcome outcome = drill.build();
        RunDirectory place = RunDirectory.create(dir.resolve(name), dir, false);
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(terminal, true, StandardCharsets.UTF_8);
        Installation installation = new Installation(dir, Optional.empty(), Installation.NODE_MAIN);
        Session session = new Session(List.of("drill"), both, both, installation, new Terminal(false, false, 80));
        assertThat(DrillCommand.publish(session, config, place, outcome, DrillVerdict.of(config, outcome)))
                .isEqualTo(ExitCode.VIOLATED);
        String shown = terminal.toString(StandardCharsets.UTF_8).stripTrailing();
        String last = shown.substring(shown.lastIndexOf('\n') + 1);
        // Pasted into a shell it is the directory.
        assertThat(Shell.ask(
                        Duration.ofSeconds(10), List.of("sh", "-c", "cd " + last + " && pwd && test -f report.txt")))
                .contains(place.dir().toString());
        assertThat(place.dir()).isAbsolute();
    }

    @Test
    void markdownHasTheVerdictTheNumbersAndTheFaults() {
        DrillConfig config = Outcomes.config("all", false);
        DrillOutcome outcome = drill.build();
        assertThat(DrillMarkdown.of(config, outcome, DrillVerdict.of(config, outcome)))
                .startsWith(
                        "# Drill: HOLDS\n\nHOLDS: nothing acknowledged was lost or read inconsistently in 61.3 s, 5 faults (4"
                                + " of the 10 asked for) and 59,990 records.\n")
                .contains("| acknowledged | 59,990 of 60,000 |\n")
                .contains(
                        "| `kill@leader` | 10.0 | 3.5 | 2,900 | 3,100 | 1,500 | 0 | yes | node 2 (process 12) gone; 4 leaders moved |\n")
                .contains("\n- RPO: acknowledged records lost.")
                .contains("\n- in doubt: sent, ");
    }

    @Test
    void theDocumentHasEverySetting() throws Exception {
        JsonNode config = json("all").at("/config");
        assertThat(config.at("/rate").asInt()).isEqualTo(1_000);
        assertThat(config.at("/forMs").asInt()).isEqualTo(60_000);
        assertThat(config.at("/sessionTimeoutMs").asInt()).isEqualTo(3_000);
        assertThat(config.at("/heartbeatIntervalMs").asInt()).isEqualTo(500);
        assertThat(config.at("/faults/0").asText()).isEqualTo("kill@leader");
    }

    @Test
    void whatWasNotThereIsNotReferredTo() {
        DrillConfig config = Outcomes.single();
        drill.faults.clear();
        DrillOutcome outcome = drill.build();
        assertThat(DrillText.of(config, outcome, DrillVerdict.of(config, outcome), 0))
                .contains("\nRTO        not measured: no fault took effect (")
                .contains("\nin sync    seen once more 320 ms after the load; ")
                .contains(": each log is the only one of its partition, there is none to compare it with; ");
    }

    @Test
    void aFaultWithoutEffectIsMarked() {
        drill.faults.set(0, Outcomes.fault(1, FaultKind.KILL, false));
        assertThat(text("all"))
                .startsWith("UNKNOWN: ")
                .contains("WITHOUT EFFECT")
                .contains("\nfaults     4 of 5 injected took effect; of the 10 asked for 3 did: ")
                .contains("\nnot tested asked for and injected, but without effect: kill@leader\n"
                        + "not tested asked for and never injected: kill@controller, ");
    }

    @Test
    void whatIsMissingStandsBesideWhatWasCompared() throws Exception {
        drill.finalReadComplete = false;
        drill.replicasCompared = 33;
        assertThat(text("all"))
                .contains("looked for in them; MISSING: the end offset of drill-3 is not known\n")
                .contains("\nreplicas   33 of 36 logs read from disk, 90,000 records ")
                .contains("in a log; MISSING: drill-3: the logs of node 2 cannot be reached\n");
        assertThat(json("all").at("/replicas/missing").asText()).startsWith("drill-3: ");
    }

    @Test
    void aFaultThatDidNotHealIsNotSaidToHaveTakenNoTime() throws Exception {
        FaultRecord killed = Outcomes.fault(1, FaultKind.KILL, true);
        long start = killed.startNanos();
        drill.faults.set(
                0,
                new FaultRecord(
                        1, "kill", "leader", List.of(2), start, start + 9, start + 60_400_000_000L, false, true, ""));
        drill.faults.set(1, new FaultRecord(2, "kill", "leader", List.of(2), start, start, start, true, false, "dead"));
        assertThat(text("all"))
                .contains(" 2,900   3,100 not within 60 s     0  ")
                .contains(" 2,900   3,100               -     0  WITHOUT EFFECT: dead")
                .contains("\nin sync    not within 60 s after fault 1; seen 320 ms after the load; the ISR ");
        assertThat(json("all").at("/faults/0/allInSyncAfterMs").isNull()).isTrue();
        assertThat(json("all").at("/faults/1/allInSyncAfterMs").isNull()).isTrue();
    }

    @Test
    void aStarvedMachineIsANoteWhereTheVerdictDoesNotRestOnIt() throws Exception {
        drill.machine = new Machine(4_200, 30_000, 60_000, 31.25, 2);
        assertThat(text("all"))
                .startsWith("HOLDS: ")
                .contains("\nnote       STARVED_MACHINE: the drill's own thread waited");
        assertThat(json("all").at("/reasons/0/code").asText()).isEqualTo("STARVED_MACHINE");
    }
}
