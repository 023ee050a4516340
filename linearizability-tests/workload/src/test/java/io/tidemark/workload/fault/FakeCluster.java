package io.tidemark.workload.fault;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Three nodes and three partitions that behave as a cluster does, at once: whoever is dead or stands still is fenced,
 * and what it led is led by the next. Tells an observer what its nodes would answer.
 */
final class FakeCluster implements Target {
    private static final List<Integer> NODES = List.of(1, 2, 3);

    final List<String> calls = new ArrayList<>();
    private final Set<Integer> dead = new HashSet<>();
    private final Set<Integer> stopped = new HashSet<>();
    private final Map<Integer, Integer> leaders = new TreeMap<>(Map.of(0, 1, 1, 2, 2, 3));
    private final Map<Integer, Integer> epochs = new TreeMap<>(Map.of(0, 0, 1, 0, 2, 0));
    private int controller = 1;
    private int controllerEpoch = 1;
    /** Whether failures are noticed at all. */
    boolean failsOver = true;

    /** Whether anybody answers who the controller is. */
    volatile boolean tellsController = true;

    boolean endsInOrder = true;
    Runnable onStart = () -> {};

    synchronized void tell(ClusterObserver observer, long now) {
        if (failsOver) {
            failOver();
        }
        Set<Integer> serving = serving();
        List<ClusterView.PartitionView> partitions = new ArrayList<>();
        leaders.forEach((partition, leader) -> {
            List<Integer> replicas = new ArrayList<>(NODES);
            Collections.rotate(replicas, -partition);
            partitions.add(new ClusterView.PartitionView(
                    partition,
                    leader,
                    epochs.get(partition),
                    replicas,
                    replicas.stream().filter(serving::contains).toList()));
        });
        for (int node : serving) {
            observer.seen(node, new ClusterView(failsOver ? serving : Set.copyOf(NODES), partitions), now);
            if (tellsController) {
                observer.quorum(new ClusterView.QuorumView(controller, controllerEpoch), now);
            }
        }
    }

    /** The next one is elected, for a reason that is no fault of ours. */
    synchronized void moveController(int node) {
        controller = node;
        controllerEpoch++;
    }

    private void failOver() {
        Set<Integer> serving = serving();
        if (serving.isEmpty()) {
            return;
        }
        int next = serving.iterator().next();
        leaders.replaceAll((partition, leader) -> {
            if (serving.contains(leader)) {
                return leader;
            }
            epochs.merge(partition, 1, Integer::sum);
            return next;
        });
        if (!serving.contains(controller)) {
            controller = next;
            controllerEpoch++;
        }
    }

    private Set<Integer> serving() {
        Set<Integer> serving = new TreeSet<>(NODES);
        serving.removeAll(dead);
        serving.removeAll(stopped);
        return serving;
    }

    synchronized int leader(int partition) {
        return leaders.get(partition);
    }

    @Override
    public List<Integer> nodes() {
        return NODES;
    }

    @Override
    public InetSocketAddress address(int node) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public Optional<Path> logDirectory(int node) {
        return Optional.empty();
    }

    @Override
    public Duration sessionTimeout() {
        return Duration.ofMillis(500);
    }

    @Override
    public synchronized boolean isAlive(int node) {
        return !dead.contains(node);
    }

    @Override
    public synchronized boolean isStopped(int node) {
        return stopped.contains(node);
    }

    @Override
    public String describe(int node) {
        return "process " + node + "00";
    }

    @Override
    public synchronized void kill(int node) {
        calls.add("kill " + node);
        dead.add(node);
        stopped.remove(node);
    }

    @Override
    public synchronized void freeze(int node) {
        calls.add("freeze " + node);
        stopped.add(node);
    }

    @Override
    public synchronized void resume(int node) {
        calls.add("resume " + node);
        stopped.remove(node);
    }

    @Override
    public synchronized void terminate(int node) {
        calls.add("terminate " + node);
        if (endsInOrder) {
            dead.add(node);
            // A node that ends in order hands over before it does.
            failOver();
        }
    }

    @Override
    public synchronized boolean awaitExit(int node, Duration limit) {
        return dead.contains(node);
    }

    @Override
    public synchronized void start(int node) {
        calls.add("start " + node);
        onStart.run();
        dead.remove(node);
    }
}
