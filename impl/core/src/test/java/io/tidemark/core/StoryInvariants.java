package io.tidemark.core;

import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What must hold in a {@link StoryCluster}: whoever the controller may elect cleanly (ISR and ELR), and whoever leads, has
 * every acknowledged record (AckedDurable) and every record that was below a high watermark (ElectableComplete), which is the
 * same on all (ReadsRepeatable); equal epochs at an offset mean equal logs up to it (LogMatching).
 */
final class StoryInvariants {
    /** One does not hold; the message begins with its name. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final String invariant;

        Violation(String invariant, String what) {
            super(invariant + ": " + what);
            this.invariant = invariant;
        }
    }

    private final TreeMap<Integer, Integer> acked = new TreeMap<>();
    private final TreeMap<Integer, Integer> exposed = new TreeMap<>();

    void acknowledged(int offset, int id) {
        acked.put(offset, id);
    }

    int acknowledged() {
        return acked.size();
    }

    void belowHw(int offset, StoryBroker.Stored record) {
        Integer before = exposed.putIfAbsent(offset, record.id());
        if (before != null && before != record.id()) {
            throw new Violation("ReadsRepeatable", "offset " + offset + " holds " + before + ", then " + record);
        }
    }

    /** What {@code PartitionInvariants} and {@code ControllerInvariants} say. */
    static void broken(String violated) {
        int colon = violated.indexOf(':');
        throw new Violation(violated.substring(0, colon), violated.substring(colon + 1));
    }

    void check(int broker, List<StoryBroker.Stored> log, PartitionRegistration part) {
        if (part.isr().contains(broker) || part.elr().contains(broker) || part.leader() == broker) {
            has(broker, log, acked, "AckedDurable", part);
            has(broker, log, exposed, "ElectableComplete", part);
        }
    }

    private static void has(
            int broker,
            List<StoryBroker.Stored> log,
            Map<Integer, Integer> records,
            String invariant,
            PartitionRegistration part) {
        records.forEach((offset, id) -> {
            if (offset >= log.size() || log.get(offset).id() != id) {
                throw new Violation(
                        invariant, "broker " + broker + " lacks record " + id + " at " + offset + ": " + part);
            }
        });
    }

    static void logMatching(List<StoryBroker.Stored> a, List<StoryBroker.Stored> b) {
        int same = Math.min(a.size(), b.size()) - 1;
        while (same >= 0 && a.get(same).epoch() != b.get(same).epoch()) {
            same--;
        }
        if (!a.subList(0, same + 1).equals(b.subList(0, same + 1))) {
            throw new Violation("LogMatching", a + " and " + b);
        }
    }
}
