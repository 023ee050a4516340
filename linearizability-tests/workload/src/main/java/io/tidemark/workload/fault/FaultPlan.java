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
 * The order of faults. It opens with leaders and the active controller killed and frozen, where that is asked for: that is
 * what acknowledged records are lost by, and a slow machine may come to little else. What follows is a bag that is shuffled
 * and emptied again and again. In each round the first fault of every kind comes before the second of any, so that a short
 * run has all kinds; in the first round that fault is the one that is aimed at leaders, where the kind has one, and a
 * rolling restart, which takes longest, comes behind the others. The same seed gives the same order.
 */
public final class FaultPlan {
    private static final List<FaultSpec> OPENING = FaultSpec.parse(
            List.of("kill@leader", "kill@controller", "freeze@leader", "freeze@controller"),
            EnumSet.noneOf(FaultKind.class));

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

    /** The next one. */
    public FaultSpec next() {
        return next(EnumSet.allOf(FaultKind.class));
    }

    /**
     * The next one of some kinds, of this round; the next one of any where the round has none of them left.
     *
     * @param wanted come before what else was to come, which keeps its order
     */
    public FaultSpec next(Set<FaultKind> wanted) {
        if (bag.isEmpty()) {
            fill();
        }
        FaultSpec next = bag.stream()
                .filter(spec -> wanted.contains(spec.kind()))
                .findFirst()
                .orElseGet(bag::getFirst);
        bag.remove(next);
        return next;
    }

    private void fill() {
        List<FaultSpec> shuffled = new ArrayList<>(specs);
        Collections.shuffle(shuffled, random);
        Set<FaultKind> begun = EnumSet.noneOf(FaultKind.class);
        if (first) {
            first = false;
            OPENING.stream().filter(shuffled::remove).forEach(spec -> {
                bag.add(spec);
                begun.add(spec.kind());
            });
            List<FaultKind> kinds =
                    shuffled.stream().map(FaultSpec::kind).distinct().toList();
            shuffled.sort(Comparator.comparing((FaultSpec spec) -> spec.kind() == FaultKind.ROLLING_RESTART)
                    .thenComparing(spec -> kinds.indexOf(spec.kind()))
                    .thenComparing(spec -> spec.target().who() != FaultTarget.Who.LEADER));
        }
        while (!shuffled.isEmpty()) {
            shuffled.removeIf(spec -> begun.add(spec.kind()) && bag.add(spec));
            begun.clear();
        }
    }
}
