package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Modules Controller and Partition. */
public final class PartitionSubject implements Subject<PartitionCores> {
    private final Map<String, String> constants;
    private final ReplicaDisks disks;

    /** @param constants of the model, each with what is written behind its name */
    public PartitionSubject(Map<String, String> constants) {
        this(constants, ReplicaDisks.inMemory());
    }

    public PartitionSubject(Map<String, String> constants, ReplicaDisks disks) {
        this.constants = constants;
        this.disks = disks;
    }

    @Override
    public List<String> modules() {
        return List.of("Controller", "Partition");
    }

    @Override
    public CoreWorld<PartitionCores> world(Set<Guard> without) {
        PartitionConstants known = PartitionConstants.of(constants);
        return new PartitionWorld(known, guards(known, without), disks);
    }

    @Override
    public @Nullable BiPredicate<Values, Values> bounds(Set<String> constraints) {
        return PartitionFusing.KNOWN.containsAll(constraints)
                ? new PartitionFusing(PartitionConstants.of(constants), constraints)
                : null;
    }

    /** A model that does not follow lag has no replica about to join. */
    static Guards guards(PartitionConstants constants, Set<Guard> without) {
        Set<Guard> off = EnumSet.noneOf(Guard.class);
        off.addAll(without);
        if (!constants.trackLag()) {
            off.add(Guard.HW_JOINING);
        }
        return Guards.without(off);
    }

    @Override
    public @Nullable String missing(State initial) {
        Set<String> brokers = initial.get("up").map().keySet();
        boolean inOrder = constants.getOrDefault("Assignment", "").startsWith("<- MCAssignment");
        boolean known = brokers.equals(Set.of("b1", "b2")) || brokers.equals(Set.of("b1", "b2", "b3"));
        return known && inOrder
                ? null
                : "the code is started for replicas on b1, b2 and b3, assigned in this order, or the first two of them";
    }

    @Override
    public Map<String, String> later() {
        return Map.of("deletes", "DeleteRecords");
    }
}
