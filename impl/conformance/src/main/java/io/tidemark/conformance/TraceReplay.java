package io.tidemark.conformance;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Itf;
import io.tidemark.spec.trace.TlaValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
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
     * @param reason a sentence for {@link Result#DIFFERS} and {@link Result#UNKNOWN}, else empty
     * @param differences a line for each variable in which code and specification differ where they part unexpectedly
     */
    public record Report(
            Result result,
            List<String> off,
            @Nullable String violated,
            @Nullable Boolean shown,
            int refusedAt,
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
        Set<Guard> off = EnumSet.noneOf(Guard.class);
        off.addAll(without);
        for (Guard guard : Guard.values()) {
            if (constants.getOrDefault("Off", "").contains('"' + guard.specName() + '"')) {
                off.add(guard);
            }
        }
        try {
            return new TraceReplay(spec, example, constants, off).report();
        } catch (IllegalArgumentException | ClassCastException | IllegalStateException | ArithmeticException e) {
            throw new SpecException(
                    SpecException.Kind.INPUT,
                    "the trace",
                    "has a state that is none of module Quorum: " + e.getMessage(),
                    "a trace that spec check has saved");
        }
    }

    private QuorumWorld world(Set<Guard> without) {
        String most = constants.getOrDefault("FetchMax", "= 9").replaceFirst("^= *", "");
        return new QuorumWorld(Guards.without(without), Integer.parseInt(most));
    }

    private Report report() {
        String missing = missing();
        if (missing != null) {
            return report(Result.UNKNOWN, null, -1, missing, List.of(), List.of());
        }
        List<Called> calls = calls();
        List<Values> states = states(world(off).variables());
        Run without = run(calls, states, off);
        Run whole = off.isEmpty() ? without : run(calls, states, EnumSet.noneOf(Guard.class));
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
                    "the code " + (elsewhere == null ? "refuses" : "takes elsewhere") + " step " + without.parted()
                            + ", which the specification takes",
                    elsewhere == null ? List.of() : Replayer.differences(states.get(without.parted()), elsewhere),
                    steps);
        }
        Boolean shown = broken(without.shown());
        if (off.isEmpty()) {
            return report(Result.SAME, shown, -1, "", List.of(), steps);
        }
        if (Boolean.FALSE.equals(shown)) {
            return report(
                    Result.DIFFERS, false, whole.parted(), "the code's state keeps the property", List.of(), steps);
        }
        if (whole.parted() < 0 && shown == null) {
            String reason = "no step of it is forbidden, and no state of it alone breaks " + example.violated();
            return report(Result.UNKNOWN, null, -1, reason, List.of(), steps);
        }
        return whole.parted() < 0
                ? report(Result.DIFFERS, shown, -1, "the code with all guards does the same", List.of(), steps)
                : report(Result.GUARDED, shown, whole.parted(), "", List.of(), steps);
    }

    private Report report(
            Result result,
            @Nullable Boolean shown,
            int refusedAt,
            String reason,
            List<String> differences,
            List<Step> steps) {
        return new Report(
                result,
                off.stream().map(Guard::specName).toList(),
                example.violated(),
                shown,
                refusedAt,
                reason,
                differences,
                steps);
    }

    private Run run(List<Called> calls, List<Values> states, Set<Guard> without) {
        int[] at = {-1};
        Values[] where = new Values[1];
        List<Values> shown = new Replayer<>(world(without)).follow(calls, states, (step, elsewhere) -> {
            at[0] = step;
            where[0] = elsewhere;
        });
        return new Run(at[0], where[0], shown);
    }

    /** Whether the code's last state breaks the property; null where no state alone can. */
    private @Nullable Boolean broken(List<Values> shown) {
        Predicate<State> property =
                example.violated() == null ? null : QuorumProperties.all().get(example.violated());
        return property == null ? null : !property.test(shown.get(shown.size() - 1));
    }

    /** What the code lacks to take the behaviour; null if nothing. */
    private @Nullable String missing() {
        Map<String, TlaValue> state = example.steps().get(0).state();
        TlaValue log = state.get("log");
        if (constants.getOrDefault("Static", "").contains("TRUE")) {
            return "the code is started with voters that are known by their directories too";
        }
        if (constants.getOrDefault("Patient", "").contains("TRUE")) {
            return "the model's timers run out for nothing where nothing else can help";
        }
        if (!state.containsKey("votedKey") || !state.containsKey("voterFetch")) {
            return "only behaviours of module Quorum can be replayed";
        }
        if (!(log instanceof TlaValue.Fun logs)
                || !Set.copyOf(Nodes.ALL)
                        .equals(Set.copyOf(logs.values().keySet().stream()
                                .map(Object::toString)
                                .toList()))) {
            return "the code is started for the nodes " + String.join(", ", Nodes.ALL) + ", all of them voters";
        }
        for (Vocabulary.ActionRow row : Vocabulary.read(spec).actions()) {
            if (row.module().equals("Quorum")
                    && row.code().equals("later")
                    && example.steps().stream().anyMatch(step -> step.action().equals(row.action()))) {
                return "the code does not have " + row.action() + " yet";
            }
        }
        return null;
    }

    private List<Called> calls() {
        Map<String, List<String>> parameters = Parameters.of(spec.resolve("Quorum.tla"));
        List<Called> calls = new ArrayList<>();
        for (int i = 1; i < example.steps().size(); i++) {
            Counterexample.Step step = example.steps().get(i);
            List<String> names = parameters.get(step.action());
            List<String> arguments = step.arguments();
            if (names == null || arguments == null || names.size() != arguments.size()) {
                throw new SpecException(
                        SpecException.Kind.INPUT,
                        "step " + i,
                        names == null
                                ? "no action " + step.action() + " in module Quorum"
                                : step.action() + " without the arguments " + names,
                        "a trace that spec check has saved, with the arguments of its actions");
            }
            Map<String, Val> args = new TreeMap<>();
            for (int k = 0; k < names.size(); k++) {
                args.put(names.get(k), Val.of(arguments.get(k)));
            }
            calls.add(new Called(step.action(), args));
        }
        return calls;
    }

    private List<Values> states(List<String> variables) {
        List<Values> states = new ArrayList<>();
        for (Counterexample.Step step : example.steps()) {
            Map<String, Val> values = new TreeMap<>();
            for (String variable : variables) {
                TlaValue value = step.state().get(variable);
                if (value == null) {
                    throw new SpecException(
                            SpecException.Kind.INPUT,
                            "state " + states.size(),
                            "no variable " + variable,
                            "every variable of module Quorum");
                }
                values.put(variable, Val.of(value));
            }
            states.add(new Values(values));
        }
        return states;
    }
}
