package io.tidemark.workload.fault;

import java.util.List;

/**
 * The fault that makes the loss of what one node alone acknowledged certain: its followers stand still, it goes on
 * acknowledging, it is killed, they go on. Short enough that nobody is fenced before the kill.
 */
final class OrphanLeader {
    private final Scene scene;

    OrphanLeader(Scene scene) {
        this.scene = scene;
    }

    /**
     * Makes an orphan of the node.
     *
     * @param records that it has to acknowledge alone
     */
    Effect orphan(int leader, int records) throws InterruptedException {
        Target target = scene.target();
        List<Integer> followers =
                target.nodes().stream().filter(node -> node != leader).toList();
        Standing before = scene.standing(List.of(leader));
        followers.forEach(target::freeze);
        boolean still = Scene.await(Scene.END_LIMIT, () -> followers.stream().allMatch(target::isStopped));
        long frozen = scene.now();
        boolean acknowledged = Scene.await(
                target.sessionTimeout().multipliedBy(2).dividedBy(3), () -> ackedAlone(before, frozen) >= records);
        String process = target.describe(leader);
        target.kill(leader);
        boolean gone = target.awaitExit(leader, Scene.END_LIMIT);
        // What was under way at the kill is acknowledged too.
        long alone = ackedAlone(before, frozen);
        long start = scene.now();
        followers.forEach(target::resume);
        boolean moved = Scene.await(scene.effectLimit(), before::leadersMoved);
        scene.onHalt().accept(leader);
        long end = scene.now();
        target.start(leader);
        String evidence = "nodes " + followers + (still ? " stood still" : " did not stand still") + " while node "
                + leader + " acknowledged " + alone + " records alone that were sent meanwhile; " + process
                + (gone ? " gone" : " still alive")
                + (moved ? before.changes() : "; its leaders did not move");
        return new Effect(List.of(leader), start, end, still && acknowledged && gone && moved, evidence);
    }

    private long ackedAlone(Standing before, long since) {
        long sum = 0;
        for (ClusterView.PartitionView partition : before.led()) {
            sum += scene.recorder().timeline(partition.partition(), timeline -> timeline.countSentAndAckedAfter(since));
        }
        return sum;
    }
}
