package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import io.tidemark.spec.tlc.TlcOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes of the simulator decide as controllers, against the specification; and that other decisions are told from it. */
class ControllerTraceTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final Layer CONTROLLER = new Layer.Controller();
    private static final int FAULTS_MS = 20_000;

    @TempDir
    Path work;

    private TraceRun run() {
        return new TraceRun(SPEC, work, TlcOptions.standard());
    }

    private static List<String> traced(long seed, Guards guards) {
        return SimTrace.of(Plan.of(seed, Shape.of(seed).withGuards(guards), Aim.all(), FAULTS_MS));
    }

    /** In two segments: the start of the second is held against the end of the first. */
    @Test
    void whatTheCodeDoesIsABehaviourOfTheSpecification() throws InterruptedException {
        TraceFile trace = TraceFile.parse("trace", traced(4, Guards.ALL));
        TraceSegment first = CONTROLLER.segment(trace, 1, 120);
        TraceSegment second = CONTROLLER.segment(trace, first.last() + 1, 120);
        assertThat(first.events() + second.events()).isEqualTo(240);
        assertThat(first.steps()).extracting(SpecStep::action).contains("Activate", "HandleAlterPartition");
        assertThat(run().follow(first, List.of(), 0, second.start()).followed())
                .containsExactly(first.steps().size());
        assertThat(run().follow(second, List.of(), 0).followed())
                .containsExactly(second.steps().size());
        Map<String, Object> wrong = new LinkedHashMap<>(second.start());
        wrong.put("made", Set.of());
        TraceRun.Followed refused = run().follow(first, List.of(), 0, wrong);
        assertThat(refused.followed()).containsExactly(first.steps().size() - 1);
        assertThat(refused.observed()).containsOnlyKeys("made");
    }

    @Test
    void aTraceWithAnEventLessOrTwiceOrInAnotherPlaceIsRejected() throws InterruptedException {
        List<String> lines = traced(5, Guards.ALL);
        Doctored doctored = new Doctored(lines, CONTROLLER, 1, 120);
        TraceSegment recorded = doctored.segment(lines);
        List<Integer> decisions = recorded.steps().stream()
                .map(SpecStep::event)
                .filter(event -> lines.get(event).contains("\"appended\":["))
                .toList();
        List<TraceRun.Variant> variants = new ArrayList<>();
        for (int i = 1; i + 2 < decisions.size(); i += 2) {
            int event = decisions.get(i);
            int next = decisions.get(i + 1);
            variants.add(doctored.variant(all -> {
                all.remove(event);
                return all;
            }));
            variants.add(doctored.variant(all -> {
                all.add(event, all.get(event));
                return all;
            }));
            // What was decided later may be so before the quorum's log has taken this: then either order may be.
            if (lines.get(event).contains("\"metaLog\"")) {
                variants.add(doctored.variant(all -> {
                    Collections.swap(all, event, next);
                    return all;
                }));
            }
        }
        assertThat(variants).hasSizeGreaterThan(20);
        List<Integer> followed = run().follow(recorded, variants, 0).followed();
        assertThat(followed.get(0)).isEqualTo(recorded.steps().size());
        for (int i = 0; i < variants.size(); i++) {
            assertThat(Corruptions.refused(recorded, variants.get(i), followed.get(i + 1)))
                    .as("variant " + i)
                    .isNotNull();
        }
    }

    /** Of the answers nothing but the controller's own part of a trace tells. */
    @Test
    void anAnswerThatMayLeaveTooEarlyIsRejected() throws InterruptedException {
        TraceFile trace = TraceFile.parse("trace", traced(1, Guards.without(Guard.CONTROLLER_COMMITTED_ANSWERS)));
        TraceValidator.Rejection rejection = new TraceValidator(SPEC, work, TlcOptions.standard())
                .validate(trace, 1, 300, line -> {})
                .rejected();
        assertThat(rejection).isNotNull();
        assertThat(rejection.layer()).isEqualTo("controller");
        assertThat(rejection.action()).isEqualTo("HandleBrokerRegistration");
        assertThat(rejection.observed()).containsOnlyKeys("requires").containsEntry("requires", "Nil");
        assertThat(rejection.expected()).containsOnlyKeys("requires");
    }

    /** What each of the two tells is right by itself: that one is not told what the other knows shows where they are joined. */
    @Test
    void aControllerThatTakesForCommittedWhatItsLogHoldsIsRejected() throws Exception {
        List<String> lines = PatchedTrace.of(
                2,
                FAULTS_MS,
                "runtime",
                "io.tidemark.runtime.control.ControllerRunner",
                "new ControllerInput.CommitMetadata(hw)",
                "new ControllerInput.CommitMetadata(quorum.core().view().log().endOffset())",
                work);
        TraceFile trace = TraceFile.parse("trace", lines);
        TraceValidator validator = new TraceValidator(SPEC, work, TlcOptions.standard());
        List<Layer> others = Layer.of(trace).stream()
                .filter(layer -> !layer.equals(CONTROLLER))
                .limit(2)
                .toList();
        assertThat(validator.validate(others, trace, 1, 300, line -> {}).accepted())
                .isTrue();
        TraceValidator.Rejection rejection = validator
                .validate(List.of(CONTROLLER), trace, 1, 300, line -> {})
                .rejected();
        assertThat(rejection).isNotNull();
        assertThat(rejection.action()).isEqualTo("CommitMetadata");
        assertThat(rejection.observed()).containsOnlyKeys("metaHw", "answer");
        assertThat(rejection.expected()).containsOnlyKeys("metaHw", "answer");
    }

    /** The log takes a batch of one record more than was decided. */
    @Test
    void aBatchThatIsNotWhatWasDecidedIsRejected() throws InterruptedException {
        List<String> lines = traced(4, Guards.ALL);
        Doctored doctored = new Doctored(lines, CONTROLLER, 1, 60);
        TraceSegment recorded = doctored.segment(lines);
        int event = recorded.steps().stream()
                .filter(step -> step.action().equals("AppendMetadata"))
                .skip(3)
                .findFirst()
                .orElseThrow()
                .event();
        List<String> changed = new ArrayList<>(lines);
        changed.set(event, Doctored.corrupted(lines.get(event), "/state/log/appended/0/1"));
        TraceValidator.Rejection rejection = new TraceValidator(SPEC, work, TlcOptions.standard())
                .validate(List.of(CONTROLLER), TraceFile.parse("trace", changed), 1, 60, line -> {})
                .rejected();
        assertThat(rejection).isNotNull();
        assertThat(rejection.index()).isEqualTo(event);
        assertThat(rejection.observed()).containsOnlyKeys("answer");
        assertThat(rejection.expected()).containsOnlyKeys("answer");
        assertThat(rejection.observed().get("answer"))
                .isNotEqualTo(
                        rejection.expected() == null ? "" : rejection.expected().get("answer"));
    }

    /** One that is not in the ISR is elected. */
    @Test
    void whatTheCodeDecidesWithoutAGuardIsRejected() throws InterruptedException {
        isRejected(Guard.ELECT_ISR_ONLY, 1, "HandleBrokerHeartbeat");
    }

    @ParameterizedTest
    @CsvSource({
        "AP_LEADER_EPOCH, 4, HandleAlterPartition",
        "AP_PARTITION_EPOCH, 2, HandleAlterPartition",
        "ELECT_ACTIVE, 1, BrokerSessionTimeout",
        "REGISTRATION_INCARNATION, 1, HandleBrokerRegistration",
        "REGISTRATION_UNCLEAN, 3, HandleBrokerRegistration"
    })
    @EnabledIfSystemProperty(
            named = "tidemark.traces",
            matches = "[1-9]\\d*",
            disabledReason = "left out: without -Dtidemark.traces=SEEDS, a minute")
    void whatTheCodeDecidesWithoutAnotherGuardIsRejected(Guard guard, long seed, String action)
            throws InterruptedException {
        isRejected(guard, seed, action);
    }

    private void isRejected(Guard guard, long seed, String action) throws InterruptedException {
        TraceFile trace = TraceFile.parse("trace", traced(seed, Guards.without(guard)));
        TraceSegment segment = CONTROLLER.segment(trace, 1, 300);
        int followed = run().follow(segment, List.of(), 0).followed().get(0);
        assertThat(followed).isLessThan(segment.steps().size());
        assertThat(segment.steps().get(followed).action()).isEqualTo(action);
    }
}
