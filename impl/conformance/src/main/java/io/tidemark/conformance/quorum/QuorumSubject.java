package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Module Quorum. */
public final class QuorumSubject implements Subject<QuorumStart.Cores> {
    private final Map<String, String> constants;
    private final UnaryOperator<QuorumStart.Cores> seen;

    /** @param constants of the model, each with what is written behind its name */
    public QuorumSubject(Map<String, String> constants) {
        this(constants, UnaryOperator.identity());
    }

    /** @param seen what the world is given of cores: a mutant of their effects */
    public QuorumSubject(Map<String, String> constants, UnaryOperator<QuorumStart.Cores> seen) {
        this.constants = constants;
        this.seen = seen;
    }

    @Override
    public List<String> modules() {
        return List.of("Quorum");
    }

    @Override
    public QuorumWorld world(Set<Guard> without) {
        String most = constants.getOrDefault("FetchMax", "= 9").replaceFirst("^= *", "");
        Guards guards = Guards.without(without);
        return new QuorumWorld(
                seen.apply(QuorumStart.remembered(guards)),
                () -> seen.apply(QuorumStart.kept(guards)),
                Integer.parseInt(most));
    }

    @Override
    public @Nullable BiPredicate<Values, Values> bounds(Set<String> constraints) {
        if (constraints.isEmpty()) {
            return (from, to) -> true;
        }
        return constraints.size() == 1 && QuorumFusing.KNOWN.containsAll(constraints)
                ? new QuorumFusing(world(Set.of()), constraints.contains("FusedOnlyN3"))
                : null;
    }

    private boolean is(String constant) {
        return constants.getOrDefault(constant, "").contains("TRUE");
    }

    @Override
    public @Nullable String missing(State initial) {
        if (is("Static")) {
            return "the code is started with voters that are known by their directories too";
        }
        if (is("Patient")) {
            return "the model's timers run out for nothing where nothing else can help";
        }
        return Set.copyOf(Nodes.ALL).equals(initial.get("log").map().keySet())
                ? null
                : "the code is started for the nodes " + String.join(", ", Nodes.ALL) + ", all of them voters";
    }

    @Override
    public Map<String, String> later() {
        return Map.of("snapshot", "CreateSnapshot", "voters", "HandleChangeVoter");
    }
}
