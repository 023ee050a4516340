package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;

/** Traces of three simulated nodes, what the specification is asked of them, and what its answers must be. */
abstract class TraceHarness {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final int SEEDS = 12;
    private static final int EVENTS = 700;

    private final int faultsMs;

    @TempDir
    Path work;

    /** @param faultsMs how long there are faults in the simulation */
    TraceHarness(int faultsMs) {
        this.faultsMs = faultsMs;
    }

    TraceRun run() {
        return new TraceRun(SPEC, work, TlcOptions.standard());
    }

    List<String> traced(long seed, Shape shape) {
        return SimTrace.of(Plan.of(seed, shape, Aim.all(), faultsMs));
    }

    static void isAccepted(TraceRun.Followed followed, TraceSegment segment) {
        List<SpecStep> steps = segment.steps();
        assertThat(followed.followed())
                .as(() -> "step " + steps.get(followed.followed().get(0)).tla())
                .containsExactly(steps.size());
    }

    /**
     * A segment's start is held against the end of the one before.
     *
     * @param variable of the module, which is given another value
     */
    void isRefusedWhereTheNextBeginsOtherwise(Layer layer, List<String> lines, int from, String variable, Object other)
            throws InterruptedException {
        TraceFile trace = TraceFile.parse("trace", lines);
        TraceSegment first = layer.segment(trace, from, 60);
        TraceSegment second = layer.segment(trace, first.last() + 1, 1);
        isAccepted(run().follow(first, List.of(), 0, second.start()), first);
        Map<String, Object> wrong = new LinkedHashMap<>(second.start());
        wrong.put(variable, other);
        TraceRun.Followed refused = run().follow(first, List.of(), 0, wrong);
        assertThat(refused.followed()).containsExactly(first.steps().size() - 1);
        assertThat(refused.observed()).containsOnlyKeys(variable);
        assertThat(refused.expected()).containsOnlyKeys(variable);
    }

    /**
     * Without one of the events, with it twice, and with it in the place of another, a trace is none of the specification.
     *
     * @param places the events, each with the other
     */
    void isRefusedWithout(Doctored doctored, TraceSegment recorded, Map<Integer, Integer> places)
            throws InterruptedException {
        List<TraceRun.Variant> variants = new ArrayList<>();
        List<String> names = new ArrayList<>();
        places.forEach((event, other) -> {
            variants.add(doctored.variant(all -> {
                all.remove((int) event);
                return all;
            }));
            variants.add(doctored.variant(all -> {
                all.add(event, all.get(event));
                return all;
            }));
            variants.add(doctored.variant(all -> {
                Collections.swap(all, event, other);
                return all;
            }));
            names.addAll(List.of("without " + event, event + " twice", event + " in the place of " + other));
        });
        List<Integer> followed = run().follow(recorded, variants, 0).followed();
        assertThat(followed.get(0)).isEqualTo(recorded.steps().size());
        for (int i = 0; i < variants.size(); i++) {
            assertThat(Corruptions.refused(recorded, variants.get(i), followed.get(i + 1)))
                    .as(names.get(i))
                    .isNotNull();
        }
    }

    /**
     * The first rejection of what nodes do with these guards.
     *
     * @param of which of a trace's layers are asked
     * @param firstSeed where it shows; where another order of steps hides it there, the next ones are tried
     */
    TraceValidator.Rejection rejection(Guards guards, Predicate<Layer> of, int from, long firstSeed)
            throws InterruptedException {
        TraceValidator validator = new TraceValidator(SPEC, work, TlcOptions.standard());
        TraceValidator.Rejection rejection = null;
        for (long seed = firstSeed; seed < firstSeed + SEEDS && rejection == null; seed++) {
            TraceFile trace =
                    TraceFile.parse("trace", traced(seed, Shape.three().withGuards(guards)));
            List<Layer> layers = Layer.of(trace).stream().filter(of).toList();
            rejection =
                    validator.validate(layers, trace, from, EVENTS, line -> {}).rejected();
        }
        assertThat(rejection).isNotNull();
        return rejection;
    }
}
