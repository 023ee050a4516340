package io.tidemark.conformance;

import io.tidemark.conformance.names.SpecNames;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cores that lack a guard, put to the same inputs: a guard is missed once its core goes where the specification does not. Asked
 * are the actions that lead to its switch in the specification, and a core that is missed is asked no more.
 */
final class Teeth {
    private final Map<Guard, Set<String>> acting = new EnumMap<>(Guard.class);
    private final Map<Guard, String> missed = new EnumMap<>(Guard.class);

    /** Those that are switched in the modules that {@code names} was read from. */
    Teeth(SpecNames names) {
        for (Guard guard : Guard.values()) {
            SpecNames.Use use = names.guards().get(guard.specName());
            if (use != null) {
                acting.put(guard, new TreeSet<>(use.actions()));
            }
        }
        // The specification asks at whoever takes the answer whether it may have left yet, the code at whoever gives
        // it.
        acting.computeIfPresent(Guard.CONTROLLER_COMMITTED_ANSWERS, (guard, actions) -> {
            actions.add(SpecAction.HandleAlterPartition.name());
            return actions;
        });
    }

    /** For the walks over one model. */
    Cores cores(Function<Guards, List<Adapter>> adapters) {
        return new Cores(adapters);
    }

    /** The guards of these modules. */
    Set<Guard> guards() {
        return EnumSet.copyOf(acting.keySet());
    }

    boolean missed(Guard guard) {
        return missed.containsKey(guard);
    }

    /** What told that the guard was off; null where nothing did. */
    @Nullable
    String told(Guard guard) {
        return missed.get(guard);
    }

    final class Cores {
        private final List<Adapter> whole;
        private final Map<Guard, List<Adapter>> open = new EnumMap<>(Guard.class);

        private Cores(Function<Guards, List<Adapter>> adapters) {
            whole = adapters.apply(Guards.ALL);
            for (Guard guard : acting.keySet()) {
                if (!missed(guard)) {
                    open.put(guard, adapters.apply(Guards.without(guard)));
                }
            }
        }

        void visit(Visit visit) {
            open.entrySet().removeIf(entry -> {
                String told = difference(entry.getKey(), entry.getValue(), visit);
                if (told != null) {
                    missed.put(entry.getKey(), told);
                }
                return told != null;
            });
        }

        private @Nullable String difference(Guard guard, List<Adapter> adapters, Visit visit) {
            Set<String> actions = acting.getOrDefault(guard, Set.of());
            for (int i = 0; i < adapters.size(); i++) {
                Adapter adapter = adapters.get(i);
                if (!actions.contains(adapter.instance())) {
                    continue;
                }
                for (SpecModel.Instance instance : visit.instances(adapter.instance())) {
                    Comparison without = Comparison.of(adapter, visit, instance);
                    if (without != null && without.stepsElsewhere() && agrees(whole.get(i), visit, instance)) {
                        return instance + ": " + without.wrong() + " " + without.differs();
                    }
                }
            }
            return null;
        }

        /** Whether the core that has all guards goes where the specification does. */
        private static boolean agrees(Adapter adapter, Visit visit, SpecModel.Instance instance) {
            Comparison with = Comparison.of(adapter, visit, instance);
            return with != null && with.wrong() == null;
        }
    }
}
