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
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes of the simulator do to their metadata quorum, against the specification; and that other steps are told from it. */
class QuorumTraceTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final Layer QUORUM = new Layer.Quorum();
    private static final int FAULTS_MS = 20_000;
    /** By then the nodes have found each other: before, they ask who leads and learn nothing. */
    private static final int FROM = 200;

    @TempDir
    Path work;

    private TraceRun run() {
        return new TraceRun(SPEC, work, TlcOptions.standard());
    }

    private static List<String> traced(long seed, Consumer<Shape> shape) {
        return SimTrace.of(Plan.of(seed, Shape.three().with(shape), Aim.all(), FAULTS_MS));
    }

    private static void isAccepted(TraceRun.Followed followed, TraceSegment segment) {
        int steps = followed.followed().get(0);
        assertThat(steps)
                .as(() -> "step " + segment.steps().get(steps).tla())
                .isEqualTo(segment.steps().size());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTheCodeDoesIsABehaviourOfTheSpecification(long seed) throws InterruptedException {
        List<String> lines = traced(seed, shape -> shape.dynamicVoters = seed == 2);
        TraceSegment segment = QUORUM.segment(TraceFile.parse("trace", lines), FROM, 500);
        assertThat(segment.events()).isGreaterThanOrEqualTo(500);
        isAccepted(run().follow(segment, List.of(), 0), segment);
    }

    /** A segment's start is held against the end of the one before. */
    @Test
    void aSegmentThatBeginsInAnotherStateIsRefused() throws InterruptedException {
        List<String> lines = traced(2, shape -> {});
        TraceFile trace = TraceFile.parse("trace", lines);
        TraceSegment first = QUORUM.segment(trace, FROM, 60);
        TraceSegment second = QUORUM.segment(trace, first.last() + 1, 1);
        isAccepted(run().follow(first, List.of(), 0, second.start()), first);
        Map<String, Object> wrong = new LinkedHashMap<>(second.start());
        wrong.put("hw", Map.of("n1", 1_000));
        TraceRun.Followed refused = run().follow(first, List.of(), 0, wrong);
        assertThat(refused.followed()).containsExactly(first.steps().size() - 1);
        assertThat(refused.observed()).containsOnlyKeys("hw");
        assertThat(refused.expected()).containsOnlyKeys("hw");
    }

    @Test
    void aTraceWithAnEventLessOrTwiceOrInAnotherPlaceIsRejected() throws InterruptedException {
        List<String> lines = traced(2, shape -> {});
        Doctored doctored = new Doctored(lines, QUORUM, FROM, 300);
        TraceSegment recorded = doctored.segment(lines);
        List<Integer> appends = recorded.steps().stream()
                .filter(step -> lines.get(step.event()).contains("\"log\""))
                .map(SpecStep::event)
                .distinct()
                .toList();
        List<TraceRun.Variant> variants = new ArrayList<>();
        for (int i = 2; i < 18; i += 4) {
            int event = appends.get(i);
            int next = appends.stream()
                    .filter(later -> later > event && node(lines, later) == node(lines, event))
                    .findFirst()
                    .orElseThrow();
            variants.add(doctored.variant(all -> {
                all.remove(event);
                return all;
            }));
            variants.add(doctored.variant(all -> {
                all.add(event, all.get(event));
                return all;
            }));
            variants.add(doctored.variant(all -> {
                Collections.swap(all, event, next);
                return all;
            }));
        }
        List<Integer> followed = run().follow(recorded, variants, 0).followed();
        assertThat(followed.get(0)).isEqualTo(recorded.steps().size());
        for (int i = 0; i < variants.size(); i++) {
            assertThat(Corruptions.refused(recorded, variants.get(i), followed.get(i + 1)))
                    .as("variant " + i)
                    .isNotNull();
        }
    }

    private static int node(List<String> lines, int event) {
        return Doctored.read(lines.get(event)).path("node").asInt();
    }

    /** A follower that does not cut what its leader has not got. */
    @Test
    void whatTheCodeDoesWithoutAGuardIsRejected() throws InterruptedException {
        Guards without = Guards.without(Guard.QUORUM_DIVERGENCE);
        TraceValidator validator = new TraceValidator(SPEC, work, TlcOptions.standard());
        TraceValidator.Rejection rejection = null;
        for (long seed = 1; seed <= 5 && rejection == null; seed++) {
            TraceFile trace = TraceFile.parse(
                    "trace", SimTrace.of(Plan.of(seed, Shape.three().withGuards(without), Aim.all(), FAULTS_MS)));
            rejection = validator.validate(trace, FROM, 700, line -> {}).rejected();
        }
        assertThat(rejection).isNotNull();
        assertThat(rejection.layer()).isEqualTo("quorum");
    }
}
