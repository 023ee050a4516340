package io.tidemark.workload.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks every node that runs what it knows, again and again in a thread of its own, and keeps what changed: who led
 * when, who was the controller when, how often the ISR shrank and grew. Safe for use by several threads.
 */
public final class ClusterObserver implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMillis(700);
    private static final long PAUSE_MILLIS = 100;

    /**
     * A leader of a partition.
     *
     * @param leader -1 while there is none
     */
    public record Leadership(int partition, int leaderEpoch, int leader, long fromNanos) {}

    /** An active controller. */
    public record Controllership(int epoch, int node, long fromNanos) {}

    private record Seen(ClusterView view, long atNanos) {}

    private final Target target;
    private final String topic;
    private final LongSupplier clock;
    private final Map<Integer, ClusterProbe> probes = new TreeMap<>();
    private final Map<Integer, Seen> views = new TreeMap<>();
    private final Map<Integer, ClusterView.PartitionView> newest = new TreeMap<>();
    private final Map<Integer, Integer> isrSizes = new TreeMap<>();
    private final List<Leadership> leaderships = new ArrayList<>();
    private final List<Controllership> controllerships = new ArrayList<>();
    private long controllerAskedNanos = Long.MIN_VALUE;
    private final Thread thread = new Thread(this::run, "cluster-observer");
    private volatile boolean stopped;
    private int isrShrinks;
    private int isrExpansions;

    /**
     * An observer that asks nobody yet.
     *
     * @param clock nanoseconds since the run began
     */
    public ClusterObserver(Target target, String topic, LongSupplier clock) {
        this.target = target;
        this.topic = topic;
        this.clock = clock;
        for (int node : target.nodes()) {
            probes.put(node, new ClusterProbe(target.address(node), TIMEOUT));
        }
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                probes.forEach(this::ask);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            probes.values().forEach(ClusterProbe::close);
        }
    }

    private void ask(int node, ClusterProbe probe) {
        if (!target.isAlive(node) || target.isStopped(node)) {
            probe.close();
            return;
        }
        try {
            long asked = clock.getAsLong();
            seen(node, probe.cluster(topic), asked);
            long askedQuorum = clock.getAsLong();
            quorum(probe.quorum(), askedQuorum);
        } catch (IOException e) {
            // A node that does not answer has no view; whoever needs one waits for it.
            return;
        }
    }

    /** A view counts as of the time when it was asked for: it is not older. */
    synchronized void seen(int node, ClusterView view, long askedNanos) {
        views.put(node, new Seen(view, askedNanos));
        for (ClusterView.PartitionView partition : view.partitions()) {
            ClusterView.PartitionView known = newest.get(partition.partition());
            if (known == null || partition.leaderEpoch() > known.leaderEpoch()) {
                leaderships.add(new Leadership(
                        partition.partition(), partition.leaderEpoch(), partition.leader(), clock.getAsLong()));
            }
            if (known == null || partition.leaderEpoch() >= known.leaderEpoch()) {
                newest.put(partition.partition(), partition);
            }
            if (node == partition.leader()) {
                isr(partition);
            }
        }
    }

    /** Only the leader's own word counts: other brokers learn of a change at other times. */
    private void isr(ClusterView.PartitionView partition) {
        Integer before = isrSizes.put(partition.partition(), partition.isr().size());
        if (before != null && before > partition.isr().size()) {
            isrShrinks++;
        } else if (before != null && before < partition.isr().size()) {
            isrExpansions++;
        }
    }

    /** As with {@link #seen}: the view is not older than the question. */
    synchronized void quorum(ClusterView.QuorumView view, long askedNanos) {
        controllerAskedNanos = Math.max(controllerAskedNanos, askedNanos);
        Controllership last = controllerships.isEmpty() ? null : controllerships.get(controllerships.size() - 1);
        if (view.leader() >= 0 && (last == null || view.epoch() > last.epoch())) {
            controllerships.add(new Controllership(view.epoch(), view.leader(), clock.getAsLong()));
        }
    }

    /** The partitions, each as the node with the highest leader epoch knows it. */
    public synchronized List<ClusterView.PartitionView> partitions() {
        return List.copyOf(newest.values());
    }

    /** The active controller with the highest epoch seen. */
    public synchronized Optional<Controllership> controller() {
        return controllerships.isEmpty()
                ? Optional.empty()
                : Optional.of(controllerships.get(controllerships.size() - 1));
    }

    /** Whether somebody, asked after that time, has told who the active controller is. */
    public synchronized boolean controllerAskedSince(long since) {
        return controllerAskedNanos >= since;
    }

    /** Whether another node, asked after that time, counts the node as fenced. */
    public synchronized boolean fenced(int node, long since) {
        return views.entrySet().stream()
                .anyMatch(entry -> entry.getKey() != node
                        && entry.getValue().atNanos() >= since
                        && !entry.getValue().view().brokers().contains(node));
    }

    /**
     * Whether the cluster is whole: every node, asked after that time, by itself knows every node as unfenced and every
     * partition with a leader and all its replicas in sync.
     */
    public boolean whole(long since, int partitions) {
        return wholeness(since, partitions) == null;
    }

    /** What is missing to be whole, in words; null if nothing is. */
    public @Nullable String wholeness(long since, int partitions) {
        // The target is asked outside of this object's monitor: it has locks of its own.
        for (int node : target.nodes()) {
            if (!target.isAlive(node)) {
                return "node " + node + " is not running";
            }
        }
        return disagreement(target.nodes(), since, partitions);
    }

    private synchronized @Nullable String disagreement(List<Integer> nodes, long since, int partitions) {
        for (int node : nodes) {
            Seen seen = views.get(node);
            if (seen == null || seen.atNanos() < since) {
                return "node " + node + " does not answer";
            }
            if (!seen.view().brokers().containsAll(nodes)) {
                return "node " + node + " knows only the brokers "
                        + seen.view().brokers().stream().sorted().toList() + " as unfenced";
            }
            long whole = seen.view().partitions().stream()
                    .filter(ClusterView.PartitionView::whole)
                    .count();
            if (whole < partitions) {
                return "node " + node + " knows " + whole + " of " + partitions
                        + " partitions with all replicas in sync";
            }
        }
        return null;
    }

    public synchronized List<Leadership> leaderships() {
        return List.copyOf(leaderships);
    }

    public synchronized List<Controllership> controllerships() {
        return List.copyOf(controllerships);
    }

    /** How often a leader's ISR became smaller. */
    public synchronized int isrShrinks() {
        return isrShrinks;
    }

    /** How often a leader's ISR became larger. */
    public synchronized int isrExpansions() {
        return isrExpansions;
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
