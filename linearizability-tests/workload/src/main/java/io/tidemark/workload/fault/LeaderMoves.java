package io.tidemark.workload.fault;

import java.util.List;

/** Leaders that move as planned: a preferred election where that moves anything, else the hand-over of a shutdown. */
final class LeaderMoves {
    private final Scene scene;
    private final LeaderElection election;

    LeaderMoves(Scene scene, LeaderElection election) {
        this.scene = scene;
        this.election = election;
    }

    Effect move(int node) throws InterruptedException {
        List<ClusterView.PartitionView> astray = scene.observer().partitions().stream()
                .filter(partition -> partition.whole()
                        && partition.leader() != partition.replicas().get(0))
                .toList();
        long start = scene.now();
        String refused = astray.isEmpty()
                ? "no leader to move home, so one was handed over"
                : election.preferred(astray.stream()
                        .map(ClusterView.PartitionView::partition)
                        .toList());
        return refused == null ? elected(astray, start) : handOver(node, start, refused);
    }

    private Effect elected(List<ClusterView.PartitionView> astray, long start) throws InterruptedException {
        scene.await(scene.effectLimit(), () -> astray.stream().allMatch(this::movedHome));
        long home = astray.stream().filter(this::movedHome).count();
        List<Integer> from = astray.stream()
                .map(ClusterView.PartitionView::leader)
                .distinct()
                .sorted()
                .toList();
        String evidence =
                "preferred election: " + home + " of " + astray.size() + " leaders moved to the preferred replica";
        return new Effect(from, start, scene.now(), home == astray.size(), evidence);
    }

    private boolean movedHome(ClusterView.PartitionView before) {
        return scene.observer().partitions().stream()
                .anyMatch(now -> now.partition() == before.partition()
                        && now.leaderEpoch() > before.leaderEpoch()
                        && now.leader() == before.replicas().get(0));
    }

    /** Planned means: the leaders moved before the session could time out. */
    private Effect handOver(int node, long start, String why) throws InterruptedException {
        Target target = scene.target();
        Standing before = scene.standing(List.of(node));
        target.terminate(node);
        boolean moved = scene.await(scene.effectLimit(), before::leadersMoved);
        long took = scene.now() - start;
        boolean clean = scene.end(node);
        long end = scene.now();
        target.start(node);
        boolean inTime = took < target.sessionTimeout().toNanos();
        boolean planned = moved && clean && inTime;
        String evidence = why + "; " + before.led().size() + " leaders of node " + node
                + (moved ? " moved in " : " did not move in ") + took / 1_000_000
                + " ms as it shut down, session time-out "
                + target.sessionTimeout().toMillis() + " ms"
                + (moved && !inTime ? ": too late to tell a hand-over from a failure" : "")
                + (clean ? "" : "; it had to be killed") + before.change().control();
        return new Effect(List.of(node), start, end, planned && !before.led().isEmpty(), evidence);
    }
}
