package io.tidemark.workload.fault;

import io.tidemark.workload.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * What every fault works with: the nodes, who observes them, who keeps count, and how long to wait.
 *
 * @param partitions of the topic under load
 * @param healLimit how long the cluster may take to be whole again
 * @param onHalt is told each node that has ended or stands still, before it goes on
 * @param latest on the clock of {@link System#nanoTime}: nothing is waited for beyond it
 */
record Scene(
        Target target,
        ClusterObserver observer,
        Recorder recorder,
        int partitions,
        Duration healLimit,
        IntConsumer onHalt,
        LongSupplier latest) {
    /** How long a process may take to end. */
    static final Duration END_LIMIT = Duration.ofSeconds(30);

    private static final long POLL_MILLIS = 20;

    long now() {
        return recorder.elapsedNanos();
    }

    Standing standing(List<Integer> nodes) {
        return Standing.of(observer, nodes);
    }

    /** Long enough for a session to time out and an election behind it, on a slow machine. */
    Duration effectLimit() {
        return target.sessionTimeout().multipliedBy(6);
    }

    /**
     * Whether what is known of the target is of now. Of the active controller somebody has to tell anew who it is: on a busy
     * machine the last word may be seconds old, and the fault would hit one that is controller no longer, or be proven by a
     * change from before it.
     */
    boolean awaitKnown(FaultTarget aim) throws InterruptedException {
        long now = now();
        return aim.who() != FaultTarget.Who.CONTROLLER
                || await(effectLimit(), () -> observer.controllerAskedSince(now));
    }

    /** Waits for the consequences of a fault; not where too few nodes are left to draw any. */
    void awaitSettled(Standing before) throws InterruptedException {
        if (othersDecide(before.nodes())) {
            await(effectLimit(), before::settled);
        }
    }

    /** Whether the other nodes are a majority that runs. */
    boolean othersDecide(List<Integer> nodes) {
        long others = target.nodes().stream()
                .filter(node -> !nodes.contains(node) && target.isAlive(node) && !target.isStopped(node))
                .count();
        return others > target.nodes().size() / 2;
    }

    boolean awaitWhole(long since) throws InterruptedException {
        return await(healLimit, () -> observer.whole(since, partitions));
    }

    /** Waits for the end of a node that was asked to end, kills it when its time is up; whether it ended in order. */
    boolean end(int node) throws InterruptedException {
        boolean clean = target.awaitExit(node, left(END_LIMIT));
        if (!clean) {
            target.kill(node);
            target.awaitExit(node, END_LIMIT);
        }
        onHalt.accept(node);
        return clean;
    }

    boolean awaitExit(List<Integer> nodes) throws InterruptedException {
        boolean gone = true;
        for (int node : nodes) {
            gone &= target.awaitExit(node, left(END_LIMIT));
        }
        return gone;
    }

    /** The limit, or what is left until the end of all waiting. */
    private Duration left(Duration limit) {
        long left = Math.max(0, latest.getAsLong() - System.nanoTime());
        return limit.toNanos() <= left ? limit : Duration.ofNanos(left);
    }

    /** Whether nothing is waited for any more. */
    boolean timeIsUp() {
        return latest.getAsLong() - System.nanoTime() <= 0;
    }

    String describe(List<Integer> nodes) {
        return nodes.stream()
                .map(node -> "node " + node + " (" + target.describe(node) + ")")
                .collect(Collectors.joining(", "));
    }

    /** Waits for the condition, at most so long, and in no case beyond the end of the whole run. */
    boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + left(limit).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }
}
