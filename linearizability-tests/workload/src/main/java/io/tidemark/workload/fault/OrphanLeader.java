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
     * A leader's death.
     *
     * @param certain whether it takes records with it that it alone held
     */
    record Orphan(Effect effect, boolean certain) {}

    /**
     * Makes an orphan of the node.
     *
     * @param records that it has to acknowledge alone
     */
    Orphan orphan(int leader, int records) throws InterruptedException {
        Target target = scene.target();
        List<Integer> followers =
                target.nodes().stream().filter(node -> node != leader).toList();
        Standing before = scene.standing(List.of(leader));
        followers.forEach(target::freeze);
        boolean still = scene.await(Scene.END_LIMIT, () -> followers.stream().allMatch(target::isStopped));
        long frozen = scene.now();
        boolean acknowledged = scene.await(
                target.sessionTimeout().multipliedBy(2).dividedBy(3), () -> ackedAlone(before, frozen) >= records);
        String process = target.describe(leader);
        target.kill(leader);
        boolean gone = target.awaitExit(leader, Scene.END_LIMIT);
        // What was under way at the kill is acknowledged too.
        long alone = ackedAlone(before, frozen);
        long start = scene.now();
        followers.forEach(target::resume);
        scene.await(scene.effectLimit(), before::leadersMoved);
        Standing.Change change = before.change();
        scene.onHalt().accept(leader);
        long end = scene.now();
        target.start(leader);
        boolean certain = still && acknowledged;
        String evidence = "nodes " + followers + (still ? " stood still" : " did not stand still") + " while node "
                + leader + " acknowledged " + alone + " records alone that were sent meanwhile; " + process
                + (gone ? " gone" : " still alive")
                + change.inWords() + (certain ? "" : "; too little for a certain loss");
        // It is a kill of a leader, whether or not it was one that makes a loss certain.
        return new Orphan(new Effect(List.of(leader), start, end, gone && change.leadersMoved(), evidence), certain);
    }

    private long ackedAlone(Standing before, long since) {
        long sum = 0;
        for (ClusterView.PartitionView partition : before.led()) {
            sum += scene.recorder().timeline(partition.partition(), timeline -> timeline.countSentAndAckedAfter(since));
        }
        return sum;
    }
}
