package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What module {@code Partition} has as constants and nodes may change while they run: whether the cluster has eligible leader
 * replicas, and how often each replica of the partition fsyncs. A run of TLC has one value of each; where a line tells
 * another one, it can follow no further.
 */
final class PartitionSettings {
    private static final List<String> BUDGETS = List.of(
            "records",
            "duplicates",
            "fences",
            "shrinks",
            "shutdowns",
            "elections",
            "minIsrChanges",
            "failovers",
            "losses",
            "kills",
            "powerLosses",
            "wipes",
            "reads",
            "deletes",
            "ghosts");
    private static final String ELR = "eligible.leader.replicas.version";
    private static final String FLUSH = "flush.messages";
    /** Of a replica that is not told anything: it leaves fsyncs to the system. */
    private static final long NEVER = Long.MAX_VALUE;

    private final TreeMap<Integer, Long> flushMessages = new TreeMap<>();
    private @Nullable Boolean elr;
    private @Nullable Boolean fixedElr;
    private long fixedFlush = NEVER;

    /** The active controller has ELR on or off. */
    void elr(boolean on) {
        elr = on;
    }

    /** Of how often the replica of the node fsyncs, its first line tells. */
    void restart(int node) {
        flushMessages.remove(node);
    }

    /**
     * A line tells of the replica of a node.
     *
     * @param messages the {@code flush.messages} that it is told; null where it is told none
     */
    void replica(int node, @Nullable Long messages) {
        if (messages != null) {
            flushMessages.put(node, messages);
        } else {
            flushMessages.putIfAbsent(node, NEVER);
        }
    }

    /** The steps begin: from here on the values are constants. Returns why the module has no word for them, null where it has. */
    @Nullable
    String begin() {
        SortedSet<Long> flush = new TreeSet<>(flushMessages.values());
        if (elr == null) {
            return "whether " + ELR + " is above 0 is not told";
        } else if (flush.size() > 1) {
            return "replicas that differ in " + FLUSH + " are not modelled: " + flush + "; give them the same";
        }
        fixedElr = elr;
        fixedFlush = flush.isEmpty() ? NEVER : flush.first();
        return fixedFlush == 1 || fixedFlush == NEVER
                ? null
                : FLUSH + "=" + fixedFlush + " is not modelled; 1 is, and none";
    }

    /** What is not as it was when the steps began, which is not modelled; null where all is. */
    @Nullable
    String changed() {
        Boolean now = elr;
        if (now != null && !now.equals(fixedElr)) {
            return ELR + " is switched " + (now ? "on" : "off");
        }
        for (Map.Entry<Integer, Long> replica : flushMessages.entrySet()) {
            if (replica.getValue() != fixedFlush) {
                return FLUSH + " of node " + replica.getKey() + " is " + replica.getValue() + ", was " + fixedFlush;
            }
        }
        return null;
    }

    /** Whether there are eligible leader replicas. */
    boolean elr() {
        return Boolean.TRUE.equals(fixedElr);
    }

    /** Whether the replicas fsync each append before they tell of it. */
    boolean flushes() {
        return fixedElr == null ? flushMessages.containsValue(1L) : fixedFlush == 1;
    }

    /**
     * The constants of the module for the segment that has begun.
     *
     * @param assigned the brokers of the partition's replicas, in the order of the assignment
     */
    Map<String, Object> constants(List<String> assigned, int minIsr) {
        TreeSet<String> brokers = new TreeSet<>(assigned);
        Map<String, Object> budget = new LinkedHashMap<>();
        BUDGETS.forEach(name -> budget.put(name, name.equals("ghosts") ? 0 : 1_000_000));
        return record(
                "Assignment",
                assigned,
                "InitialLeaders",
                brokers,
                "InitialIsr",
                brokers,
                "InitialRecords",
                0,
                "MinIsr",
                minIsr,
                "ElrEnabled",
                elr(),
                "UncleanElection",
                Tla.NIL,
                "FlushEveryMessage",
                flushes(),
                "BackgroundFlush",
                true,
                "Acks",
                new TreeSet<>(Set.of("all", "1", "0")),
                "TrackLag",
                true,
                "CommitAtOnce",
                false,
                "LateAnswers",
                false,
                "LateReads",
                false,
                "Crashable",
                brokers,
                "Budget",
                budget);
    }
}
