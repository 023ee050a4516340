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
        return moved(led);
    }

    private boolean moved(List<ClusterView.PartitionView> partitions) {
        Map<Integer, ClusterView.PartitionView> now = observer.partitions().stream()
                .collect(Collectors.toMap(ClusterView.PartitionView::partition, partition -> partition));
        return partitions.stream().allMatch(old -> {
            ClusterView.PartitionView next = now.get(old.partition());
            return next != null
                    && next.leaderEpoch() > old.leaderEpoch()
                    && next.leader() >= 0
                    && !nodes.contains(next.leader());
        });
    }

    /**
     * Whether all that has to change while the nodes are away has changed: partitions that can be led by others are, and
     * so is the quorum. What a fault is aimed at has no part in this: every fault's consequences are awaited alike.
     */
    boolean settled() {
        Integer old = controller;
        List<ClusterView.PartitionView> movable = led.stream()
                .filter(partition -> !nodes.containsAll(partition.replicas()))
                .toList();
        return moved(movable) && (old == null || !nodes.contains(old) || controllerMoved());
    }

    private boolean controllerMoved() {
        return observer.controller()
                .filter(now -> now.epoch() > controllerEpoch && !nodes.contains(now.node()))
                .isPresent();
    }

    /**
     * What had changed at one moment: what is judged and what is told are the same, however fast things move on.
     *
     * @param leadersMoved whether all that the nodes led is led by others
     * @param controllerMoved whether another controller was seen
     * @param leaders what became of the leaders, to be appended to a fault's evidence
     * @param control the same of the controller, empty where the nodes had nothing to do with it
     */
    record Change(boolean leadersMoved, boolean controllerMoved, String leaders, String control) {
        /** Whether what the target asks to see has been seen. */
        boolean met(FaultTarget aim) {
            return switch (aim.who()) {
                case LEADER -> leadersMoved;
                case CONTROLLER -> controllerMoved;
                default -> true;
            };
        }

        String inWords() {
            return leaders + control;
        }
    }

    /** What has changed until now. */
    Change change() {
        boolean leaders = leadersMoved();
        boolean control = controllerMoved();
        String words = led.isEmpty()
                ? "; led nothing"
                : leaders ? "; " + led.size() + " leaders moved" : "; no move of its leaders was seen";
        return new Change(leaders, control, words, controllerChange(control));
    }

    private String controllerChange(boolean moved) {
        Integer old = controller;
        if (old == null || !nodes.contains(old)) {
            return "";
        }
        return moved
                ? "; controller moved from node " + old + " to node "
                        + observer.controller()
                                .map(ClusterObserver.Controllership::node)
                                .orElse(-1)
                : "; no other controller was seen";
    }
}
