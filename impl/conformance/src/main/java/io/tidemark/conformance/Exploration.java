package io.tidemark.conformance;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.Guard;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The whole state space of a model, searched over the code's cores and by TLC at once. */
public final class Exploration {
    /** What became of the search. */
    public enum Result {
        /** Both reach the same states by the same steps. */
        EQUAL,
        /** Code and specification part, or a state breaks an invariant. */
        DIFFERS,
        /** The code cannot be searched within this model's bounds, or the search did not come to its end. */
        UNKNOWN
    }

    /**
     * What came of it.
     *
     * @param model its name
     * @param states that were reached, symmetry off
     * @param edges steps that change the state, by action
     * @param broken the first invariant that a state breaks, with the path to it
     * @param difference where the two part, with the shortest path to it and the successors of both
     * @param reason for {@link Result#UNKNOWN}, a sentence; else empty
     */
    public record Report(
            String model,
            Result result,
            long states,
            SortedMap<String, Long> edges,
            @Nullable String broken,
            @Nullable String difference,
            String reason) {}

    /** Ends a search before its end. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Path spec;
    private final Model model;
    private final Set<Guard> without;
    private final BiFunction<Set<String>, Map<String, String>, @Nullable Subject<?>> subjects;

    private Exploration(
            Path spec,
            Model model,
            Set<Guard> without,
            BiFunction<Set<String>, Map<String, String>, @Nullable Subject<?>> subjects) {
        this.spec = spec;
        this.model = model;
        this.without = without;
        this.subjects = subjects;
    }

    /**
     * Searches.
     *
     * @param spec the directory of the specification
     * @param without guards that the code lacks, while the specification has them
     * @param progress is told the number of states, now and then; it says whether to go on
     */
    public static Report of(Path spec, Model model, Set<Guard> without, Progress progress) {
        return new Exploration(spec, model, without, Subjects::of).report(progress);
    }

    /** The same of code that stands in the modules' place by another rule than {@link Subjects#of}. */
    static Report of(Path spec, Model model, Subject<?> subject, Progress progress) {
        return new Exploration(spec, model, Set.of(), (variables, constants) -> subject).report(progress);
    }

    /** Watches a search. */
    @FunctionalInterface
    public interface Progress {
        /** @return whether to go on */
        boolean at(long states);
    }

    private Report report(Progress progress) {
        Map<String, String> constants = model.config().constants();
        try {
            SpecModel read = SpecModel.read(spec, model.module(), config().render());
            Subject<?> subject = subjects.apply(Set.copyOf(read.variables()), constants);
            return subject == null
                    ? unknown(0, "only models of modules Quorum and Partition can be searched over the code")
                    : report(read, subject, progress);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ModelConfig config() {
        return model.config()
                .with(List.of(ConfigChange.parse("SYMMETRY=")))
                .checking(model.config().invariants(), List.of());
    }

    private <C> Report report(SpecModel read, Subject<C> subject, Progress progress) {
        Map<String, String> keywords = model.config().keywords();
        Set<String> constraints = new TreeSet<>();
        for (String keyword : List.of("CONSTRAINTS", "ACTION_CONSTRAINTS")) {
            Collections.addAll(
                    constraints, keywords.getOrDefault(keyword, "").strip().split("\\s+"));
        }
        constraints.remove("");
        BiPredicate<Values, Values> bounds = subject.bounds(constraints);
        String missing = bounds == null
                ? "the code is not searched under the constraints " + String.join(", ", constraints)
                : missing(read, subject);
        if (bounds == null || missing != null) {
            return unknown(0, String.valueOf(missing));
        }
        List<Call> calls = new ArrayList<>();
        read.names().forEach(name -> calls.addAll(read.instances(name)));
        CoreWorld<C> world = subject.world(without);
        long[] reached = {0};
        LongConsumer told = states -> {
            reached[0] = states;
            if (!progress.at(states)) {
                throw new Ended();
            }
        };
        try {
            Graphs.Result found = new Graphs<>(read, world, new Explorer<>(world, calls, bounds)).compare(told);
            boolean equal = found.difference() == null && found.broken() == null;
            return new Report(
                    model.name(),
                    equal ? Result.EQUAL : Result.DIFFERS,
                    found.states(),
                    found.edges(),
                    found.broken(),
                    found.difference(),
                    "");
        } catch (Ended e) {
            return unknown(reached[0], "the search was ended before its end");
        }
    }

    private @Nullable String missing(SpecModel read, Subject<?> subject) {
        SpecState initial = read.initial().get(0);
        for (Map.Entry<String, String> later : subject.later().entrySet()) {
            if (initial.get("budget", later.getKey()).integer() != 0) {
                return "the code does not have " + later.getValue() + " yet";
            }
        }
        String missing = new Behaviour(spec, List.of(), subject.modules())
                .missing(model.config().constants());
        return missing != null ? missing : subject.missing(initial);
    }

    private Report unknown(long states, String reason) {
        return new Report(model.name(), Result.UNKNOWN, states, new TreeMap<>(), null, null, reason);
    }
}
