package io.tidemark.workload.fault;

import io.tidemark.workload.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Injects one fault after the other, waits for the proof of each and for the cluster to be whole again. A fault whose
 * proof does not come in time is taken back all the same, and counts as not effective. Belongs to one thread.
 */
public final class Nemesis {
    private static final long POLL_MILLIS = 20;
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final long MARGIN_NANOS = 300_000_000L;

    private final Target target;
    private final ClusterObserver observer;
    private final Recorder recorder;
    private final LeaderElection election;
    private final Random random;
    private final int partitions;
    private final Duration healLimit;
    private final IntConsumer onHalt;
    private final List<FaultRecord> records = new ArrayList<>();

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
        this.target = target;
        this.observer = observer;
        this.recorder = recorder;
        this.election = election;
        this.random = random;
        this.partitions = partitions;
        this.healLimit = healLimit;
        this.onHalt = onHalt;
    }

    /** What was injected so far. */
    public List<FaultRecord> records() {
        return List.copyOf(records);
    }

    /** Injects the fault, takes it back and waits until the cluster is whole again. */
    public FaultRecord inject(FaultSpec spec) throws InterruptedException {
        List<Integer> nodes = victims(spec.target());
        if (nodes.isEmpty() || !nodes.stream().allMatch(target::isAlive)) {
            String why = nodes.isEmpty()
                    ? "no node is the target"
                    : nodes.stream()
                                    .filter(node -> !target.isAlive(node))
                                    .map(node -> "node " + node)
                                    .collect(Collectors.joining(", "))
                            + " was not running";
            long now = recorder.elapsedNanos();
            return add(spec.kind().label(), spec.target().toString(), nodes, now, now, true, false, why);
        }
        recorder.nemesis(
                "start-" + spec.kind().label(),
                nodes.stream().map(Integer::longValue).toList());
        return switch (spec.kind()) {
            case KILL -> kill(spec, nodes);
            case FREEZE -> freeze(spec, nodes);
            case RESTART, ROLLING_RESTART -> restart(spec, nodes);
            case LEADER_MOVE -> leaderMove(spec, nodes.get(0));
        };
    }

    private FaultRecord kill(FaultSpec spec, List<Integer> nodes) throws InterruptedException {
        Before before = before(nodes);
        String processes = describe(nodes);
        recorder.faultActive(true);
        nodes.forEach(target::kill);
        boolean gone = awaitExit(nodes);
        long start = recorder.elapsedNanos();
        boolean moved = await(effectLimit(), () -> missing(spec.target(), before, nodes) == null);
        String missing = missing(spec.target(), before, nodes);
        nodes.forEach(onHalt::accept);
        long end = recorder.elapsedNanos();
        nodes.forEach(target::start);
        recorder.faultActive(false);
        String evidence = processes
                + (gone ? " gone" : " still alive")
                + (missing == null ? changes(before, nodes) : "; " + missing);
        return heal(spec, nodes, start, end, gone && moved, evidence);
    }

    private FaultRecord freeze(FaultSpec spec, List<Integer> nodes) throws InterruptedException {
        Before before = before(nodes);
        recorder.faultActive(true);
        nodes.forEach(target::freeze);
        boolean still = await(END_LIMIT, () -> nodes.stream().allMatch(target::isStopped));
        long start = recorder.elapsedNanos();
        long session = target.sessionTimeout().toNanos() + MARGIN_NANOS;
        boolean proven = await(
                effectLimit(),
                () -> recorder.elapsedNanos() - start > session
                        && nodes.stream().allMatch(node -> observer.fenced(node, start))
                        && missing(spec.target(), before, nodes) == null);
        nodes.forEach(onHalt::accept);
        boolean stillStopped = nodes.stream().allMatch(target::isStopped);
        long end = recorder.elapsedNanos();
        String missing = missing(spec.target(), before, nodes);
        boolean fenced = nodes.stream().allMatch(node -> observer.fenced(node, start));
        nodes.forEach(target::resume);
        recorder.faultActive(false);
        String evidence = describe(nodes) + (still && stillStopped ? " stood still " : " did not stand still ")
                + (end - start) / 1_000_000 + " ms, session time-out "
                + target.sessionTimeout().toMillis() + " ms, "
                + (fenced ? "fenced" : "not fenced")
                + (missing == null ? changes(before, nodes) : "; " + missing);
        return heal(spec, nodes, start, end, still && stillStopped && proven, evidence);
    }

    private FaultRecord restart(FaultSpec spec, List<Integer> nodes) throws InterruptedException {
        long start = recorder.elapsedNanos();
        long end = start;
        boolean effective = true;
        List<String> evidence = new ArrayList<>();
        recorder.faultActive(true);
        boolean rolling = spec.kind() == FaultKind.ROLLING_RESTART;
        for (int node : nodes) {
            long asked = recorder.elapsedNanos();
            String old = target.describe(node);
            target.terminate(node);
            boolean clean = target.awaitExit(node, END_LIMIT);
            long took = (recorder.elapsedNanos() - asked) / 1_000_000;
            if (!clean) {
                target.kill(node);
                target.awaitExit(node, END_LIMIT);
            }
            onHalt.accept(node);
            end = recorder.elapsedNanos();
            target.start(node);
            evidence.add(old + (clean ? " ended in order in " : " had to be killed after ") + took + " ms, "
                    + target.describe(node) + " follows");
            effective &= clean;
            if (rolling && node != nodes.get(nodes.size() - 1)) {
                effective &= awaitWhole(recorder.elapsedNanos());
            }
        }
        recorder.faultActive(false);
        return heal(spec, nodes, start, end, effective, String.join("; ", evidence));
    }

    /** A preferred election where that moves anything; else the hand-over of the leader as it shuts down. */
    private FaultRecord leaderMove(FaultSpec spec, int node) throws InterruptedException {
        List<ClusterView.PartitionView> astray = observer.partitions().stream()
                .filter(partition -> partition.whole()
                        && partition.leader() != partition.replicas().get(0))
                .toList();
        long start = recorder.elapsedNanos();
        recorder.faultActive(true);
        try {
            String refused = astray.isEmpty()
                    ? "every leader is the preferred one"
                    : election.preferred(astray.stream()
                            .map(ClusterView.PartitionView::partition)
                            .toList());
            if (refused == null) {
                boolean moved = await(effectLimit(), () -> astray.stream().allMatch(this::movedHome));
                long end = recorder.elapsedNanos();
                Set<Integer> from =
                        astray.stream().map(ClusterView.PartitionView::leader).collect(Collectors.toSet());
                return heal(
                        spec,
                        List.copyOf(from),
                        start,
                        end,
                        moved,
                        "preferred election: "
                                + astray.stream().filter(this::movedHome).count() + " of " + astray.size()
                                + " leaders moved to the preferred replica");
            }
            return handOver(spec, node, start, refused);
        } finally {
            recorder.faultActive(false);
        }
    }

    private boolean movedHome(ClusterView.PartitionView before) {
        return observer.partitions().stream()
                .anyMatch(now -> now.partition() == before.partition()
                        && now.leaderEpoch() > before.leaderEpoch()
                        && now.leader() == before.replicas().get(0));
    }

    private FaultRecord handOver(FaultSpec spec, int node, long start, String why) throws InterruptedException {
        Before before = before(List.of(node));
        target.terminate(node);
        boolean moved = await(effectLimit(), () -> before.leadersMoved(observer.partitions(), List.of(node)));
        long took = recorder.elapsedNanos() - start;
        boolean clean = target.awaitExit(node, END_LIMIT);
        if (!clean) {
            target.kill(node);
            target.awaitExit(node, END_LIMIT);
        }
        onHalt.accept(node);
        long end = recorder.elapsedNanos();
        target.start(node);
        boolean planned = moved && clean && took < target.sessionTimeout().toNanos();
        return heal(
                spec,
                List.of(node),
                start,
                end,
                planned && !before.led().isEmpty(),
                why + "; "
                        + before.led().size() + " leaders of node " + node
                        + (moved ? " moved in " : " did not move in ")
                        + took / 1_000_000 + " ms as it shut down, session time-out "
                        + target.sessionTimeout().toMillis() + " ms");
    }

    /**
     * The fault that makes the loss of what one node alone acknowledged certain: its followers stand still, it goes on
     * acknowledging, it is killed, they go on. Short enough that nobody is fenced before the kill.
     *
     * @param records that the node has to acknowledge alone
     */
    public FaultRecord orphanLeader(int records) throws InterruptedException {
        FaultSpec spec = new FaultSpec(FaultKind.KILL, new FaultTarget(FaultTarget.Who.LEADER, 0));
        List<Integer> victims = victims(spec.target());
        if (victims.isEmpty()) {
            long now = recorder.elapsedNanos();
            return add(spec.kind().label(), "leader", List.of(), now, now, true, false, "no node leads a partition");
        }
        int leader = victims.get(0);
        List<Integer> followers =
                target.nodes().stream().filter(node -> node != leader).toList();
        Before before = before(victims);
        recorder.nemesis("start-orphan-leader", List.of((long) leader));
        recorder.faultActive(true);
        followers.forEach(target::freeze);
        boolean still = await(END_LIMIT, () -> followers.stream().allMatch(target::isStopped));
        long frozen = recorder.elapsedNanos();
        boolean acknowledged = await(
                target.sessionTimeout().multipliedBy(2).dividedBy(3),
                () -> ackedAlone(before.led(), frozen) >= records);
        long alone = ackedAlone(before.led(), frozen);
        String process = target.describe(leader);
        target.kill(leader);
        boolean gone = target.awaitExit(leader, END_LIMIT);
        long start = recorder.elapsedNanos();
        followers.forEach(target::resume);
        boolean moved = await(effectLimit(), () -> before.leadersMoved(observer.partitions(), victims));
        onHalt.accept(leader);
        long end = recorder.elapsedNanos();
        target.start(leader);
        recorder.faultActive(false);
        String evidence = "nodes " + followers + (still ? " stood still" : " did not stand still") + " while node "
                + leader + " acknowledged " + alone + " records alone; " + process + (gone ? " gone" : " still alive")
                + (moved ? changes(before, victims) : "; its leaders did not move");
        return heal(spec, victims, start, end, still && acknowledged && gone && moved, evidence);
    }

    private long ackedAlone(List<ClusterView.PartitionView> led, long since) {
        long sum = 0;
        for (ClusterView.PartitionView partition : led) {
            sum += recorder.timeline(partition.partition(), timeline -> timeline.countSentAndAckedAfter(since));
        }
        return sum;
    }

    /** Starts what is gone, continues what stands still, and waits until the cluster is whole. */
    public boolean healAll() throws InterruptedException {
        for (int node : target.nodes()) {
            if (!target.isAlive(node)) {
                target.start(node);
            } else if (target.isStopped(node)) {
                target.resume(node);
            }
        }
        return awaitWhole(recorder.elapsedNanos());
    }

    private FaultRecord heal(
            FaultSpec spec, List<Integer> nodes, long start, long end, boolean effective, String evidence)
            throws InterruptedException {
        recorder.nemesis(
                "stop-" + spec.kind().label(),
                nodes.stream().map(Integer::longValue).toList());
        boolean whole = awaitWhole(end);
        String missing = whole ? null : observer.wholeness(end, partitions);
        return add(
                spec.kind().label(),
                spec.target().toString(),
                nodes,
                start,
                end,
                whole,
                effective && whole,
                evidence + (whole ? "" : "; not whole again: " + missing));
    }

    private FaultRecord add(
            String fault,
            String aim,
            List<Integer> nodes,
            long start,
            long end,
            boolean whole,
            boolean effective,
            String evidence) {
        FaultRecord added = new FaultRecord(
                records.size() + 1, fault, aim, nodes, start, end, recorder.elapsedNanos(), whole, effective, evidence);
        records.add(added);
        return added;
    }

    private boolean awaitWhole(long since) throws InterruptedException {
        return await(healLimit, () -> observer.whole(since, partitions));
    }

    /** Seeded: the same state of the cluster and the same seed give the same nodes. */
    private List<Integer> victims(FaultTarget aim) {
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

    private record Before(
            List<ClusterView.PartitionView> led, @Nullable Integer controller, int controllerEpoch) {
        boolean leadersMoved(List<ClusterView.PartitionView> now, List<Integer> from) {
            Map<Integer, ClusterView.PartitionView> byPartition = now.stream()
                    .collect(Collectors.toMap(ClusterView.PartitionView::partition, partition -> partition));
            return led.stream().allMatch(old -> {
                ClusterView.PartitionView next = byPartition.get(old.partition());
                return next != null
                        && next.leaderEpoch() > old.leaderEpoch()
                        && next.leader() >= 0
                        && !from.contains(next.leader());
            });
        }
    }

    private Before before(List<Integer> nodes) {
        List<ClusterView.PartitionView> led = observer.partitions().stream()
                .filter(partition -> nodes.contains(partition.leader()))
                .toList();
        ClusterObserver.Controllership controller = observer.controller().orElse(null);
        return controller == null ? new Before(led, null, -1) : new Before(led, controller.node(), controller.epoch());
    }

    /** What the target asks to see and has not been seen: null if the fault's aim is met. */
    private @Nullable String missing(FaultTarget aim, Before before, List<Integer> nodes) {
        return switch (aim.who()) {
            case LEADER -> before.leadersMoved(observer.partitions(), nodes) ? null : "its leaders did not move";
            case CONTROLLER -> controllerMoved(before, nodes) ? null : "no other controller was seen";
            default -> null;
        };
    }

    private boolean controllerMoved(Before before, List<Integer> nodes) {
        return observer.controller()
                .filter(now -> now.epoch() > before.controllerEpoch() && !nodes.contains(now.node()))
                .isPresent();
    }

    private String changes(Before before, List<Integer> nodes) {
        boolean moved = !before.led().isEmpty() && before.leadersMoved(observer.partitions(), nodes);
        String leaders = moved ? "; " + before.led().size() + " leaders moved" : "";
        Integer old = before.controller();
        return leaders
                + (old != null && nodes.contains(old) && controllerMoved(before, nodes)
                        ? "; controller moved from node " + old + " to node "
                                + observer.controller()
                                        .map(ClusterObserver.Controllership::node)
                                        .orElse(-1)
                        : "");
    }

    private String describe(List<Integer> nodes) {
        return nodes.stream()
                .map(node -> "node " + node + " (" + target.describe(node) + ")")
                .collect(Collectors.joining(", "));
    }

    private boolean awaitExit(List<Integer> nodes) throws InterruptedException {
        boolean gone = true;
        for (int node : nodes) {
            gone &= target.awaitExit(node, END_LIMIT);
        }
        return gone;
    }

    /** Long enough for a session to time out and an election behind it, on a slow machine. */
    private Duration effectLimit() {
        return target.sessionTimeout().multipliedBy(6);
    }

    private static boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }
}
