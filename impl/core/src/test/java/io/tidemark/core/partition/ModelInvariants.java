package io.tidemark.core.partition;

import io.tidemark.core.partition.ModelReplica.Stored;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold in a {@link ModelCluster} after every step, and what has to be remembered to tell. */
final class ModelInvariants {
    /** An invariant does not hold; the message begins with its name. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    /** By offset, the record that a producer was told of, and the one that a consumer may have read. */
    private final TreeMap<Long, Integer> acked = new TreeMap<>();

    private final TreeMap<Long, Integer> exposed = new TreeMap<>();

    int acknowledged() {
        return acked.size();
    }

    void acknowledge(long offset, int id) {
        same("AckedOnce", offset, acked.put(offset, id), id);
    }

    void expose(long offset, int id) {
        same("ReadsRepeat", offset, exposed.putIfAbsent(offset, id), id);
    }

    private static void same(String name, long offset, @Nullable Integer before, int id) {
        if (before != null && before != id) {
            throw new Violation(name + ": offset " + offset + " holds " + before + ", then " + id);
        }
    }

    void check(SortedMap<Integer, ModelReplica> replicas, List<Integer> isr) {
        for (ModelReplica replica : replicas.values()) {
            if (replica.up) {
                require(
                        replica.view().logEnd() == replica.log.size(),
                        "LogAsTold",
                        replica.view().copy());
                for (int offset = 0; offset < replica.view().hw(); offset++) {
                    expose(offset, replica.log.get(offset).id());
                }
            }
        }
        for (int id : isr) {
            holds("AckedDurable", replicas.get(id), acked);
            holds("ElectableComplete", replicas.get(id), exposed);
        }
        for (ModelReplica one : replicas.values()) {
            for (ModelReplica other : replicas.tailMap(one.id + 1).values()) {
                logMatching(one.log, other.log);
            }
        }
    }

    private static void holds(String name, ModelReplica replica, TreeMap<Long, Integer> records) {
        for (Map.Entry<Long, Integer> record : records.entrySet()) {
            int offset = (int) (long) record.getKey();
            if (offset >= replica.log.size() || replica.log.get(offset).id() != record.getValue()) {
                throw new Violation(name + ": replica " + replica.id + " of the ISR lacks " + record);
            }
        }
    }

    /** Equal epochs at an offset: equal records up to there. */
    private static void logMatching(List<Stored> a, List<Stored> b) {
        int common = Math.min(a.size(), b.size());
        while (common > 0
                && a.get(common - 1).header().leaderEpoch()
                        != b.get(common - 1).header().leaderEpoch()) {
            common--;
        }
        for (int i = 0; i < common; i++) {
            if (a.get(i).id() != b.get(i).id()) {
                throw new Violation("LogMatching: " + a.get(i) + " and " + b.get(i));
            }
        }
    }

    static void require(boolean holds, String name, Object what) {
        if (!holds) {
            throw new Violation(name + ": " + what);
        }
    }
}
