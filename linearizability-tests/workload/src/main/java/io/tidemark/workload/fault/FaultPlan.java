package io.tidemark.workload.fault;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The order of faults: a bag that is shuffled and emptied again and again. In each round the first fault of every kind
 * comes before the second of any, so that a short run has all kinds; in the first round that fault is the one that is aimed
 * at leaders, where the kind has one, since they are who a loss would come from. The same seed gives the same order.
 */
public final class FaultPlan {
    private final List<FaultSpec> specs;
    private final Random random;
    private final Deque<FaultSpec> bag = new ArrayDeque<>();
    private boolean first = true;

    /**
     * A plan over the faults.
     *
     * @param specs not empty
     */
    public FaultPlan(List<FaultSpec> specs, Random random) {
        if (specs.isEmpty()) {
            throw new IllegalArgumentException("plan: no faults");
        }
        this.specs = List.copyOf(specs);
        this.random = random;
    }

    public FaultSpec next() {
        if (bag.isEmpty()) {
            List<FaultSpec> shuffled = new ArrayList<>(specs);
            Collections.shuffle(shuffled, random);
            if (first) {
                List<FaultKind> kinds =
                        shuffled.stream().map(FaultSpec::kind).distinct().toList();
                shuffled.sort(Comparator.comparing((FaultSpec spec) -> kinds.indexOf(spec.kind()))
                        .thenComparing(spec -> spec.target().who() != FaultTarget.Who.LEADER));
                first = false;
            }
            while (!shuffled.isEmpty()) {
                Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
                shuffled.removeIf(spec -> kinds.add(spec.kind()) && bag.add(spec));
            }
        }
        return bag.remove();
    }
}
