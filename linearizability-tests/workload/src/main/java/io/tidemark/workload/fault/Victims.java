package io.tidemark.workload.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Chooses the nodes that a fault hits. Seeded: the same state of the cluster and the same seed give the same nodes. */
final class Victims {
    private final Target target;
    private final ClusterObserver observer;
    private final Random random;

    Victims(Target target, ClusterObserver observer, Random random) {
        this.target = target;
        this.observer = observer;
        this.random = random;
    }

    /** The nodes; none where nobody is the target. */
    List<Integer> of(FaultTarget aim) {
        List<Integer> all = new ArrayList<>(target.nodes());
        Collections.shuffle(all, random);
        int majority = all.size() / 2 + 1;
        return switch (aim.who()) {
            case NODE -> target.nodes().contains(aim.node()) ? List.of(aim.node()) : List.of();
            case ALL -> target.nodes();
            case ONE -> all.subList(0, 1);
            case MINORITY -> all.subList(0, Math.max(1, all.size() - majority));
            case MAJORITY -> all.subList(0, majority);
            case CONTROLLER ->
                observer.controller()
                        .map(controller -> List.of(controller.node()))
                        .orElse(List.of());
            case LEADER -> {
                Set<Integer> leaders = new HashSet<>();
                observer.partitions().forEach(partition -> leaders.add(partition.leader()));
                List<Integer> leading = all.stream().filter(leaders::contains).toList();
                yield leading.isEmpty() ? List.of() : leading.subList(0, 1);
            }
        };
    }
}
