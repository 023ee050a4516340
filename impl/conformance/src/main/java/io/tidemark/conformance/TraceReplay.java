package io.tidemark.conformance;

import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Called;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.Guard;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Itf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A saved behaviour of the specification, taken by the code. */
public final class TraceReplay {
    /** What became of the behaviour on the code. */
    public enum Result {
        /** The code shows the same states to its end. */
        SAME,
        /** Without the guard the code shows the same states, the violation among them; with it, it refuses a step. */
        GUARDED,
        /** The code goes elsewhere, or does not show the violation, or is not held by the guard. */
        DIFFERS,
        /** The code cannot take the behaviour: it does not have all that it needs. */
        UNKNOWN
    }

    /**
     * A step of the behaviour.
     *
     * @param call the action with its arguments
     * @param without what the code did without the guards that the behaviour lacks: {@code same}, {@code refused},
     *     {@code differs}, or {@code -} where the two had parted before
     * @param whole the same of the code with all guards
     */
    public record Step(String call, String without, String whole) {}

    /**
     * What came of it.
     *
     * @param off the guards that the behaviour lacks, by their names in the specification
     * @param violated the property that the behaviour breaks; null if none is told
     * @param shown whether the code's last state without the guards breaks it too; null where it cannot be asked of a state
     * @param refusedAt the step that the code with all guards refuses or takes elsewhere; -1 where there is none
     * @param refusedBy of the guards that the behaviour lacks, those that keep the code from it by themselves
     * @param reason a sentence for {@link Result#DIFFERS} and {@link Result#UNKNOWN}, else empty
     * @param differences a line for each variable in which code and specification differ where they part unexpectedly
     */
    public record Report(
            Result result,
            List<String> off,
            @Nullable String violated,
            @Nullable Boolean shown,
            int refusedAt,
            List<String> refusedBy,
            String reason,
            List<String> differences,
            List<Step> steps) {}

    /** One run of the code along the behaviour. */
    private record Run(int parted, @Nullable Values elsewhere, List<Values> shown) {
        String at(int step) {
            return parted < 0 || step < parted
                    ? "same"
                    : step > parted ? "-" : elsewhere == null ? "refused" : "differs";
        }
    }

    private final Path spec;
    private final Counterexample example;
    private final Map<String, String> constants;
    private final Set<Guard> off;

    private TraceReplay(Path spec, Counterexample example, Map<String, String> constants, Set<Guard> off) {
        this.spec = spec;
        this.example = example;
        this.constants = constants;
        this.off = off;
    }

    /**
     * Takes a saved behaviour on cores.
     *
     * @param spec the directory of the specification
     * @param file the behaviour, in ITF
     * @param without guards that it lacks beside those that the file names
     * @throws SpecException if the file cannot be read, or lacks variables or arguments
     */
    public static Report of(Path spec, Path file, Set<Guard> without) {
        Counterexample example = Itf.read(file);
        return of(spec, example, Itf.constants(file), without);
    }

    static Report of(Path spec, Counterexample example, Map<String, String> constants, Set<Guard> without) {
        Subject<?> subject = Subjects.of(example.steps().get(0).state().keySet(), constants);
        return of(spec, example, constants, without, subject);
    }

    static Report of(
            Path spec,
            Counterexample example,
            Map<String, String> constants,
            Set<Guard> without,
            @Nullable Subject<?> subject) {
        Set<Guard> off = EnumSet.noneOf(Guard.class);
        off.addAll(without);
        for (Guard guard : Guard.values()) {
            if (constants.getOrDefault("Off", "").contains('"' + guard.specName() + '"')) {
                off.add(guard);
            }
        }
        TraceReplay replay = new TraceReplay(spec, example, constants, off);
        try {
            return subject == null
                    ? replay.unknown("only behaviours of modules Quorum and Partition can be replayed")
                    : replay.report(subject);
        } catch (IllegalArgumentException | ClassCastException | IllegalStateException | ArithmeticException e) {
            throw new SpecException(
                    SpecException.Kind.INPUT,
                    "the trace",
                    "has a state that is none of the module's: " + e.getMessage(),
                    "a trace that spec check has saved");
        }
    }

    private <C> Report report(Subject<C> subject) {
        Behaviour behaviour = new Behaviour(spec, example.steps(), subject.modules());
        String missing = behaviour.missing(constants);
        if (missing == null) {
            missing = subject.missing(behaviour.initial());
        }
        if (missing != null) {
            return unknown(missing);
        }
        List<Called> calls = behaviour.calls();
        List<Values> states = behaviour.states(subject.world(off).variables());
        Run without = run(subject, calls, states, off);
        Run whole = off.isEmpty() ? without : run(subject, calls, states, EnumSet.noneOf(Guard.class));
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            steps.add(new Step(example.steps().get(i).call(), without.at(i), whole.at(i)));
        }
        if (without.parted() >= 0) {
            Values elsewhere = without.elsewhere();
            return report(
                    Result.DIFFERS,
                    null,
                    -1,
                    List.of(),
                    "the code " + (elsewhere == null ? "refuses" : "takes elsewhere") + " step " + without.parted()
                            + ", which the specification takes",
                    elsewhere == null ? List.of() : Replayer.differences(states.get(without.parted()), elsewhere),
                    steps);
        }
        Boolean shown = new Judge(spec, example, constants).broken(without.shown());
        return judged(shown, whole.parted(), whole.parted() < 0 ? List.of() : held(subject, calls, states), steps);
    }

    private Report judged(@Nullable Boolean shown, int refusedAt, List<String> held, List<Step> steps) {
        if (off.isEmpty()) {
            return report(Result.SAME, shown, -1, List.of(), "", List.of(), steps);
        }
        if (Boolean.FALSE.equals(shown)) {
            return report(
                    Result.DIFFERS, false, refusedAt, held, "the code's state keeps the property", List.of(), steps);
        }
        if (refusedAt < 0 && shown == null) {
            String reason = "no step of it is forbidden, and no state of it alone breaks " + example.violated();
            return report(Result.UNKNOWN, null, -1, held, reason, List.of(), steps);
        }
        return refusedAt < 0
                ? report(Result.DIFFERS, shown, -1, held, "the code with all guards does the same", List.of(), steps)
                : report(Result.GUARDED, shown, refusedAt, held, "", List.of(), steps);
    }

    /** Of the guards that the behaviour lacks, those that alone keep the code from it. */
    private <C> List<String> held(Subject<C> subject, List<Called> calls, List<Values> states) {
        List<String> held = new ArrayList<>();
        for (Guard guard : off) {
            Set<Guard> others = EnumSet.copyOf(off);
            others.remove(guard);
            if (off.size() == 1 || run(subject, calls, states, others).parted() >= 0) {
                held.add(guard.specName());
            }
        }
        return held;
    }

    private Report unknown(String reason) {
        return report(Result.UNKNOWN, null, -1, List.of(), reason, List.of(), List.of());
    }

    private Report report(
            Result result,
            @Nullable Boolean shown,
            int refusedAt,
            List<String> refusedBy,
            String reason,
            List<String> differences,
            List<Step> steps) {
        return new Report(
                result,
                off.stream().map(Guard::specName).toList(),
                example.violated(),
                shown,
                refusedAt,
                refusedBy,
                reason,
                differences,
                steps);
    }

    private static <C> Run run(Subject<C> subject, List<Called> calls, List<Values> states, Set<Guard> without) {
        int[] at = {-1};
        Values[] where = new Values[1];
        List<Values> shown = new Replayer<>(subject.world(without)).follow(calls, states, (step, elsewhere) -> {
            at[0] = step;
            where[0] = elsewhere;
        });
        return new Run(at[0], where[0], shown);
    }
}
