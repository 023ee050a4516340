package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultSpec;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DrillVerdictTest {
    private static final List<DrillVerdict.Reason> DIED =
            List.of(new DrillVerdict.Reason("RUN_FAILED", "the producer died"));
    private static final List<DrillVerdict.Reason> NOT_HEALED =
            List.of(new DrillVerdict.Reason("NOT_HEALED", "fault 3 did not"));

    private final Outcomes.Builder drill = new Outcomes.Builder();

    private DrillVerdict verdict(String acks, boolean expectLoss) {
        return DrillVerdict.of(Outcomes.config(acks, expectLoss), drill.build());
    }

    private static List<String> codes(DrillVerdict verdict) {
        return verdict.reasons().stream().map(DrillVerdict.Reason::code).toList();
    }

    private void lose() {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
    }

    @Test
    void allEvidenceAndNoAnomalyHolds() {
        DrillVerdict verdict = verdict("all", false);
        assertThat(verdict.reasons()).isEmpty();
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.HOLDS);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.OK);
    }

    static Stream<Arguments> missing() {
        return Stream.of(
                missing("TOO_FEW_ACKNOWLEDGED", "999 records", drill -> drill.acknowledgedDuringFaults = 999),
                missing(
                        "FAULT_WITHOUT_EFFECT",
                        "no freeze took effect: node 2 (process 12)",
                        drill -> drill.faults.set(1, Outcomes.fault(2, FaultKind.FREEZE, false))),
                missing(
                        "FAULT_NOT_INJECTED",
                        "no leader-move was injected in the time; more --for gives it some",
                        drill -> drill.faults.remove(4)),
                missing("FINAL_READ_INCOMPLETE", "unknown: the end offset of drill-3 is not known", drill -> {
                    drill.finalReadComplete = false;
                    drill.log = Outcomes.log(false, List.of(1L, 2L), List.of(1L));
                }),
                missing(
                        "REPLICAS_NOT_COMPARED",
                        "33 of 36 replicas were compared below the high watermark: drill-3: the logs of node 2",
                        drill -> drill.replicasCompared = 33),
                missing("NOT_IN_SYNC", "not all replicas", drill -> drill.allInSyncAfterMs = null),
                missing("NOT_WRITABLE", "not every partition", drill -> drill.acknowledgedAgain = false),
                missing("RUN_FAILED", "the producer died", drill -> drill.trouble = DIED),
                missing("NOT_HEALED", "fault 3 did not", drill -> drill.trouble = NOT_HEALED));
    }

    private static Arguments missing(String code, String message, Consumer<Outcomes.Builder> take) {
        return Arguments.of(code, message, take);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("missing")
    void oneMissingProofIsUnknownAndNamed(String code, String message, Consumer<Outcomes.Builder> take) {
        take.accept(drill);
        DrillVerdict verdict = verdict("all", false);
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.UNKNOWN);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(codes(verdict)).containsExactly(code);
        assertThat(verdict.reasons().get(0).message()).contains(message);
    }

    @Test
    void withoutFaultsThatIsTheReason() {
        drill.faults.clear();
        drill.acknowledgedDuringFaults = 0;
        DrillVerdict verdict = DrillVerdict.of(Outcomes.config("all", false, List.of()), drill.build());
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(codes(verdict)).containsExactly("NO_FAULTS_ASKED");
        assertThat(codes(verdict("all", false)))
                .as("asked for, and none injected")
                .contains("TOO_FEW_ACKNOWLEDGED", "FAULT_NOT_INJECTED")
                .doesNotContain("NO_FAULTS_ASKED", "FAULT_WITHOUT_EFFECT");
    }

    @Test
    void aDrillThatIsOverSaysWhatItFinishes() {
        assertThat(DrillRun.overFor(
                        FaultSpec.parse(List.of("rolling-restart@all"), Outcomes.KINDS)
                                .get(0),
                        ", healing"))
                .isEqualTo("finishing rolling-restart@all, healing");
        assertThat(DrillRun.overFor(null, "")).isEqualTo("calm before a kind not tried yet");
    }

    @Test
    void oneEffectiveFaultForEveryTwentySecondsIsNeeded() {
        drill.faults.subList(2, 5).clear();
        assertThat(verdict("all", false).reasons())
                .contains(new DrillVerdict.Reason(
                        "TOO_FEW_FAULTS", "2 faults took effect in 60 s; 3 are needed, one for every 20 s"));
        drill.faults.remove(1);
        assertThat(verdict("all", false).reasons())
                .contains(new DrillVerdict.Reason(
                        "TOO_FEW_FAULTS", "1 fault took effect in 60 s; 3 are needed, one for every 20 s"));
    }

    @Test
    void aLostRecordIsAViolationWhateverElseIsMissing() {
        lose();
        drill.replicasCompared = 0;
        DrillVerdict verdict = verdict("all", false);
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.VIOLATED);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(codes(verdict)).containsExactly("LOST", "NOT_PERMITTED");
        assertThat(verdict.reasons().get(1).message())
                .isEqualTo("a defect: lost (no setting of this drill permits it)");
        assertThat(verdict.reasons().get(0).message())
                .isEqualTo("1 lost: record 42, acknowledged at offset 1, is gone: at the end the log ends at offset 1");
    }

    @Test
    void withAcksOneTheReasonSaysWhyTheSettingsAllowTheLoss() {
        lose();
        DrillVerdict verdict = verdict("1", false);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(codes(verdict)).containsExactly("LOST", "ACKS");
        assertThat(verdict.reasons().get(1).message())
                .startsWith("acks=1 permits lost: the leader acknowledges before");
    }

    @Test
    void anOffsetAcknowledgedTwiceIsTheLossThatAcksOneAllows() {
        drill.log = Outcomes.ackedTwice();
        drill.finalReadComplete = false;
        DrillVerdict verdict = verdict("1", false);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(codes(verdict)).containsExactly("INCONSISTENT_ACKNOWLEDGEMENTS", "ACKS", "FINAL_READ_INCOMPLETE");
        assertThat(verdict.reasons().get(1).message())
                .isEqualTo(
                        "acks=1 permits offset-acked-twice: the next leader gives the offset of a record that is gone"
                                + " to another one");
        assertThat(codes(verdict("all", false)))
                .as("nothing allows it with acks=all")
                .containsExactly("INCONSISTENT_ACKNOWLEDGEMENTS", "NOT_PERMITTED", "FINAL_READ_INCOMPLETE");
        assertThat(verdict("1", true).exitCode())
                .as("whether what was asked for is absent is not known")
                .isEqualTo(ExitCode.UNKNOWN);
    }

    @Test
    void aStarvedMachineIsNotedWhateverTheVerdictAndChangesNone() {
        drill.machine = new Machine(2_000, 2_000, 60_000, 31, 2);
        DrillVerdict holds = verdict("all", false);
        assertThat(holds.verdict()).isEqualTo(Report.Verdict.HOLDS);
        assertThat(holds.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(codes(holds)).containsExactly("STARVED_MACHINE");
        assertThat(holds.reasons().get(0).message()).contains("the verdict does not rest on that, but every time here");
        drill.replicasCompared = 33;
        DrillVerdict verdict = verdict("all", false);
        assertThat(codes(verdict))
                .as("why the evidence may be missing comes first, and is no note")
                .containsExactly("STARVED_MACHINE", "REPLICAS_NOT_COMPARED");
        assertThat(verdict.reasons()).noneMatch(verdict::isNote);
        assertThat(holds.reasons()).allMatch(holds::isNote);
        assertThat(verdict.reasons().get(0).message())
                .startsWith("the drill's own thread waited up to 2,000 ms for a processor, 3 % of the time")
                .endsWith("drill again on a quieter one");
        assertThat(codes(verdict("1", true))).as("loss asked for").startsWith("STARVED_MACHINE", "NO_LOSS");
        lose();
        assertThat(codes(verdict("all", false))).containsExactly("LOST", "NOT_PERMITTED", "STARVED_MACHINE");
        assertThat(codes(verdict("1", true))).containsExactly("EXPECTED_LOSS", "LOST", "ACKS", "STARVED_MACHINE");
        drill.finalReadComplete = false;
        assertThat(verdict("all", false).reasons().get(3).message())
                .as("how much is lost may be unknown because of the machine")
                .endsWith("drill again on a quieter one");
        drill.finalReadComplete = true;
        assertThat(codes(DrillVerdict.interrupted(drill.build(), ExitCode.INTERRUPTED)))
                .containsExactly("STARVED_MACHINE", "INTERRUPTED", "LOST");
    }

    @Test
    void aFaultThatWasNotInjectedSaysWhyAndWhatHelps() {
        drill.faults.remove(4);
        assertThat(notInjected()).isEqualTo("no leader-move was injected in the time; more --for gives it some");
        drill.machine = new Machine(2_000, 2_000, 60_000, 31, 2);
        assertThat(notInjected()).contains("the machine was busy").contains("a quieter one");
        drill.trouble = DIED;
        assertThat(notInjected()).endsWith("once the run has failed");
        drill.trouble = NOT_HEALED;
        assertThat(notInjected()).endsWith("does not heal in time");
    }

    private String notInjected() {
        return verdict("all", false).reasons().stream()
                .filter(reason -> reason.code().equals("FAULT_NOT_INJECTED"))
                .map(DrillVerdict.Reason::message)
                .findFirst()
                .orElse("");
    }

    @Test
    void aClusterThatDidNotStartIsUnknownWithThatReasonAlone() {
        DrillConfig config = Outcomes.config("all", true);
        Machine quiet = new Machine(0, 0, 120_000, -1, 2);
        DrillVerdict verdict = DrillVerdict.of(config, DrillOutcome.notStarted(config, quiet, "node 2: ended"));
        assertThat(verdict.reasons()).containsExactly(new DrillVerdict.Reason("NOT_STARTED", "node 2: ended"));
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.UNKNOWN);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        Machine starved = new Machine(2_000, 2_000, 120_000, 31, 2);
        assertThat(codes(DrillVerdict.of(config, DrillOutcome.notStarted(config, starved, "node 2: ended"))))
                .containsExactly("STARVED_MACHINE", "NOT_STARTED");
    }

    @Test
    void expectedLossIsZeroAndStillSaysViolated() {
        lose();
        DrillVerdict verdict = verdict("1", true);
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.VIOLATED);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(codes(verdict)).startsWith("EXPECTED_LOSS");
    }

    @Test
    void expectedLossThatDoesNotComeIsOne() {
        DrillVerdict verdict = verdict("1", true);
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.HOLDS);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(codes(verdict)).containsExactly("NO_LOSS");
    }

    @Test
    void expectedLossThatWasNotTriedEnoughIsUnknown() {
        drill.trouble = DIED;
        DrillVerdict verdict = verdict("1", true);
        assertThat(verdict.verdict()).isEqualTo(Report.Verdict.UNKNOWN);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(codes(verdict)).containsExactly("NO_LOSS", "RUN_FAILED");
    }

    @Test
    void aReaderThatSawWhatIsGoneIsAViolationWithoutLoss() {
        drill.log = Outcomes.log(true, List.of(1L), List.of(1L, 77L));
        DrillVerdict verdict = verdict("all", false);
        assertThat(codes(verdict)).containsExactly("INCONSISTENT_READS", "NOT_PERMITTED");
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
    }
}
