package io.tidemark.workload.fault;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who led before a fault, and what has changed since: the proof of a fault that is aimed at leaders or the controller.
 *
 * @param nodes that the fault hits
 * @param led partitions whose leader was one of them
 * @param controller the active controller, null if none was known
 */
record Standing(
        ClusterObserver observer,
        List<Integer> nodes,
        List<ClusterView.PartitionView> led,
        @Nullable Integer controller,
        int controllerEpoch) {

    static Standing of(ClusterObserver observer, List<Integer> nodes) {
        List<ClusterView.PartitionView> led = observer.partitions().stream()
                .filter(partition -> nodes.contains(partition.leader()))
                .toList();
        ClusterObserver.Controllership controller = observer.controller().orElse(null);
        return controller == null
                ? new Standing(observer, nodes, led, null, -1)
                : new Standing(observer, nodes, led, controller.node(), controller.epoch());
    }

    /** Whether every partition that was led by one of the nodes is led by another, in a later epoch. */
    boolean leadersMoved() {
        Map<Integer, ClusterView.PartitionView> now = observer.partitions().stream()
                .collect(Collectors.toMap(ClusterView.PartitionView::partition, partition -> partition));
        return led.stream().allMatch(old -> {
            ClusterView.PartitionView next = now.get(old.partition());
            return next != null
                    && next.leaderEpoch() > old.leaderEpoch()
                    && next.leader() >= 0
                    && !nodes.contains(next.leader());
        });
    }

    private boolean controllerMoved() {
        return observer.controller()
                .filter(now -> now.epoch() > controllerEpoch && !nodes.contains(now.node()))
                .isPresent();
    }

    /** What the target asks to see and has not been seen: null if the fault's aim is met. */
    @Nullable
    String missing(FaultTarget aim) {
        return switch (aim.who()) {
            case LEADER -> leadersMoved() ? null : "its leaders did not move";
            case CONTROLLER -> controllerMoved() ? null : "no other controller was seen";
            default -> null;
        };
    }

    /** What has changed, or what is missing, to be appended to a fault's evidence. */
    String changes(FaultTarget aim) {
        String missing = missing(aim);
        return missing == null ? changes() : "; " + missing;
    }

    String changes() {
        String leaders = !led.isEmpty() && leadersMoved() ? "; " + led.size() + " leaders moved" : "";
        Integer old = controller;
        return leaders
                + (old != null && nodes.contains(old) && controllerMoved()
                        ? "; controller moved from node " + old + " to node "
                                + observer.controller()
                                        .map(ClusterObserver.Controllership::node)
                                        .orElse(-1)
                        : "");
    }
}
