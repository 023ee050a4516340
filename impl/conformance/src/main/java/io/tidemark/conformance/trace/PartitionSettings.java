package io.tidemark.conformance.trace;

import java.util.Map;
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
            return "replicas that differ in " + FLUSH + " are not modelled: " + flush;
        }
        fixedElr = elr;
        fixedFlush = flush.isEmpty() ? NEVER : flush.first();
        return fixedFlush == 1 || fixedFlush == NEVER ? null : FLUSH + "=" + fixedFlush + " is not modelled";
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
}
