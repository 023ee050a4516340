package io.tidemark.workload.fault;

import io.tidemark.workload.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Injects one fault after the other, waits for the proof of each and for the cluster to be whole again. A fault whose
 * proof does not come in time is taken back all the same, and counts as not effective. Belongs to one thread; others
 * may ask what it has done and does.
 */
public final class Nemesis {
    private final Scene scene;
    private final Victims victims;
    private final ProcessFaults processes;
    private final LeaderMoves leaders;
    private final List<FaultRecord> records = new CopyOnWriteArrayList<>();
    private volatile @Nullable FaultSpec current;
    private volatile boolean healing;
    private volatile boolean proven;
    private volatile long latest = System.nanoTime() + Duration.ofDays(365).toNanos();
    private boolean lossCertain;

    /**
     * A nemesis that has done nothing yet.
     *
     * @param partitions of the topic under load
     * @param healLimit how long the cluster may take to be whole again
     * @param onHalt is told each node that has ended or stands still, before it goes on: its logs are as it left them
     */
    public Nemesis(
            Target target,
            ClusterObserver observer,
            Recorder recorder,
            LeaderElection election,
            Random random,
            int partitions,
            Duration healLimit,
            IntConsumer onHalt) {
        this.scene = new Scene(target, observer, recorder, partitions, healLimit, onHalt, () -> latest);
        this.victims = new Victims(target, observer, random);
        this.processes = new ProcessFaults(scene);
        this.leaders = new LeaderMoves(scene, election);
    }

    /** What was injected so far. */
    public List<FaultRecord> records() {
        return List.copyOf(records);
    }

    /** The fault that is under way, until the cluster is whole again; null between faults. */
    public @Nullable FaultSpec current() {
        return current;
    }

    /** Whether the fault that is under way was taken back, and what is awaited is that the cluster is whole again. */
    public boolean healing() {
        return healing;
    }

    /** Whether the fault that is under way was proven already. */
    public boolean proven() {
        return proven;
    }

    /** Nothing is waited for beyond that time, on the clock of {@link System#nanoTime}. */
    public void finishBy(long nanos) {
        latest = nanos;
    }

    /** Injects the fault, takes it back and waits until the cluster is whole again. */
    public FaultRecord inject(FaultSpec spec) throws InterruptedException {
        List<Integer> nodes = scene.awaitKnown(spec.target()) ? victims.of(spec.target()) : List.of();
        return carryOut(spec, spec.kind().label(), nodes, () -> switch (spec.kind()) {
            case KILL -> processes.kill(spec.target(), nodes);
            case FREEZE -> processes.freeze(spec.target(), nodes);
            case RESTART -> processes.restart(nodes, false);
            case ROLLING_RESTART -> processes.restart(nodes, true);
            case LEADER_MOVE -> leaders.move(nodes.get(0));
            case DISK_FULL -> new DiskFull(scene).fill(nodes);
        });
    }

    /**
     * Kills a leader that has acknowledged records alone: with {@code acks=1} they are lost for certain.
     *
     * @param records that the leader has to acknowledge alone
     */
    public FaultRecord orphanLeader(int records) throws InterruptedException {
        FaultSpec spec = new FaultSpec(FaultKind.KILL, new FaultTarget(FaultTarget.Who.LEADER, 0));
        List<Integer> nodes = victims.of(spec.target());
        return carryOut(spec, "orphan-leader", nodes, () -> {
            OrphanLeader.Orphan orphan = new OrphanLeader(scene).orphan(nodes.get(0), records);
            lossCertain |= orphan.certain();
            return orphan.effect();
        });
    }

    /** Whether a leader was killed that had acknowledged enough alone. */
    public boolean lossCertain() {
        return lossCertain;
    }

    private interface Injection {
        Effect inject() throws InterruptedException;
    }

    private FaultRecord carryOut(FaultSpec spec, String event, List<Integer> nodes, Injection injection)
            throws InterruptedException {
        String impossible = impossible(nodes);
        if (impossible != null) {
            long now = scene.now();
            return add(spec, new Effect(nodes, now, now, false, impossible), true);
        }
        current = spec;
        scene.recorder().nemesis("start-" + event, numbers(nodes));
        scene.recorder().faultActive(true);
        Effect effect;
        try {
            effect = injection.inject();
        } finally {
            scene.recorder().faultActive(false);
        }
        scene.recorder().nemesis("stop-" + spec.kind().label(), numbers(effect.nodes()));
        proven = effect.proven();
        healing = true;
        boolean whole = scene.awaitWhole(effect.endNanos());
        proven = false;
        healing = false;
        current = null;
        return add(spec, effect, whole);
    }

    private @Nullable String impossible(List<Integer> nodes) {
        if (nodes.isEmpty()) {
            return "no node is the target";
        }
        String dead = nodes.stream()
                .filter(node -> !scene.target().isAlive(node))
                .map(node -> "node " + node)
                .collect(Collectors.joining(", "));
        return dead.isEmpty() ? null : dead + " was not running";
    }

    private FaultRecord add(FaultSpec spec, Effect effect, boolean whole) {
        FaultRecord added = new FaultRecord(
                records.size() + 1,
                spec.kind().label(),
                spec.target().toString(),
                effect.nodes(),
                effect.startNanos(),
                effect.endNanos(),
                scene.now(),
                whole,
                effect.proven(),
                effect.evidence()
                        + (whole
                                ? ""
                                : "; not whole again: "
                                        + scene.observer().wholeness(effect.endNanos(), scene.partitions())));
        records.add(added);
        return added;
    }

    private static List<Long> numbers(List<Integer> nodes) {
        return nodes.stream().map(Integer::longValue).toList();
    }

    /** Starts what is gone, continues what stands still, and waits until the cluster is whole. */
    public boolean healAll() throws InterruptedException {
        Target target = scene.target();
        for (int node : target.nodes()) {
            if (!target.isAlive(node)) {
                target.start(node);
            } else if (target.isStopped(node)) {
                target.resume(node);
            }
        }
        return scene.awaitWhole(scene.now());
    }
}
