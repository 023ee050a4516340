package io.tidemark.workload.fault;

import java.time.Duration;
import java.util.List;

/**
 * The disk runs full. The file system is filled but for a rest that the load itself uses up, so that it is a node's own
 * write that is refused, in the middle of an append or a checkpoint; then the room is given back, and nodes that have
 * stopped are started again.
 */
final class DiskFull {
    /** The load writes this much within seconds: what it acknowledges meanwhile is what a full disk may take away. */
    private static final long REST_BYTES = 2 << 20;

    private static final Duration RUN_UP = Duration.ofSeconds(5);

    private final Scene scene;

    DiskFull(Scene scene) {
        this.scene = scene;
    }

    Effect fill(List<Integer> nodes) throws InterruptedException {
        Target target = scene.target();
        SmallFileSystem disk = target.smallFileSystem().orElse(null);
        if (disk == null) {
            return new Effect(nodes, scene.now(), scene.now(), false, "no small file system holds the nodes");
        }
        try {
            long filling = scene.now();
            disk.fill(REST_BYTES);
            scene.await(RUN_UP, disk::refuses);
            long acknowledged = acknowledgedSince(filling);
            disk.fill(0);
            long start = scene.now();
            boolean refused = disk.refuses();
            // What a node deletes on its way down is filled again: the disk stays full.
            boolean felt = scene.await(scene.effectLimit(), () -> {
                disk.fill(0);
                return scene.now() - start > target.sessionTimeout().toNanos() && stopped(nodes, start);
            });
            refused &= disk.refuses();
            List<Integer> ended =
                    nodes.stream().filter(node -> !target.isAlive(node)).toList();
            String processes = scene.describe(ended);
            ended.forEach(scene.onHalt()::accept);
            long end = scene.now();
            disk.free();
            ended.forEach(target::start);
            String evidence = "writes " + (refused ? "refused" : "still possible") + " for " + (end - start) / 1_000_000
                    + " ms; " + acknowledged + " records acknowledged while the disk ran full, "
                    + acknowledgedSince(start) + " after; stopped and started again: "
                    + (ended.isEmpty() ? "no node" : processes);
            return new Effect(nodes, start, end, refused && felt, evidence);
        } finally {
            disk.free();
        }
    }

    private long acknowledgedSince(long time) {
        long sum = 0;
        for (int partition = 0; partition < scene.partitions(); partition++) {
            sum += scene.recorder().timeline(partition, timeline -> timeline.countSentAndAckedAfter(time));
        }
        return sum;
    }

    /** Whether a node has ended, or nothing at all has been acknowledged of late. */
    private boolean stopped(List<Integer> nodes, long start) {
        return nodes.stream().anyMatch(node -> !scene.target().isAlive(node)) || acknowledgedSince(start) == 0;
    }
}
