package io.tidemark.history.log;

import io.tidemark.history.columns.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges one partition once its history has ended: against its final read, where that is complete. */
final class PartitionJudge {
    private final PartitionCheck partition;
    private final ValueTable values;
    private final boolean gapsExplained;
    private final Map<Integer, Integer> lastOfClient = new HashMap<>();
    private long unjudged;
    private long unseen;
    private Anomaly.@Nullable First firstUnseen;

    /**
     * A judge of one partition.
     *
     * @param gapsExplained whether offsets without records have a known reason throughout
     */
    PartitionJudge(PartitionCheck partition, boolean gapsExplained) {
        this.partition = partition;
        this.values = partition.values;
        this.gapsExplained = gapsExplained;
    }

    void judge(List<LostRecord> lost) {
        for (int id = 0; id < values.size(); id++) {
            ValueTable.State state = values.state(id);
            switch (state) {
                case UNSENT -> phantom(id);
                case FAIL -> failed(id);
                case OK -> acknowledged(id, lost);
                default -> inDoubt(id);
            }
            if (values.seen(id) && !values.inFinal(id) && covered(values.seenOffset[id])) {
                dirty(id);
            }
            if (state != ValueTable.State.UNSENT && values.inFinal(id)) {
                clientOrder(id);
            }
        }
        skips();
        if (partition.complete() && !gapsExplained) {
            holes();
        }
    }

    private void phantom(int id) {
        partition.add(
                AnomalyType.PHANTOM,
                id,
                values.seenOffset[id],
                () -> "offset " + values.seenOffset[id] + " was read as " + partition.text(id)
                        + ", which nobody sent to this partition");
    }

    private void failed(int id) {
        if (values.seen(id)) {
            partition.add(
                    AnomalyType.FAILED_READ,
                    id,
                    values.seenOffset[id],
                    () -> "record " + partition.text(id) + ", whose send failed for certain, was read at offset "
                            + values.seenOffset[id]);
        }
    }

    private void inDoubt(int id) {
        if (values.seen(id)) {
            partition.realTime(id, values.seenOffset[id], "was read at");
        }
    }

    private void dirty(int id) {
        partition.add(
                AnomalyType.DIRTY_READ,
                id,
                values.seenOffset[id],
                () -> "record " + partition.text(id) + " was read at offset " + values.seenOffset[id] + " and is gone: "
                        + holds(values.seenOffset[id]));
    }

    private void acknowledged(int id, List<LostRecord> lost) {
        long offset = values.ackOffset[id];
        int read = offset == ValueTable.NONE ? LongIntMap.ABSENT : partition.readAt.get(offset);
        if (read != LongIntMap.ABSENT && read != id) {
            partition.inconsistent(
                    AnomalyType.ACK_CONTRADICTED,
                    offset,
                    id,
                    () -> "record " + partition.text(id) + ", acknowledged at offset " + offset + ", was read as "
                            + partition.text(read) + " at offset " + offset,
                    read);
            partition.reused(offset, id, read, "read as");
        }
        if (values.inFinal(id)) {
            if (offset != ValueTable.NONE && partition.finalAt.get(offset) != id) {
                partition.add(
                        AnomalyType.MISPLACED,
                        id,
                        offset,
                        () -> "record " + partition.text(id) + ", acknowledged at offset " + offset + ", is at offset "
                                + values.finalOffset[id]);
            }
        } else if (partition.complete()) {
            lost.add(new LostRecord(partition.key, offset, values.value(id), values.ackTime[id]));
            partition.add(AnomalyType.LOST, id, offset, () -> gone(id, offset));
        } else {
            unjudged++;
            if (!values.seen(id)) {
                unseen(id, offset);
            }
        }
    }

    private String gone(int id, long offset) {
        return "record " + partition.text(id) + ", acknowledged "
                + (offset == ValueTable.NONE ? "without an offset" : "at offset " + offset) + ", is gone: "
                + holds(offset);
    }

    private void unseen(int id, long offset) {
        unseen++;
        if (firstUnseen == null) {
            firstUnseen = AnomalyLog.first(
                    partition.key,
                    offset == ValueTable.NONE ? null : offset,
                    values.value(id),
                    "record " + partition.text(id) + ", acknowledged"
                            + (offset == ValueTable.NONE ? "" : " at offset " + offset)
                            + ", was seen by no reader, and no complete final read says whether it is there",
                    partition.operations(id, LongIntMap.ABSENT));
        }
    }

    /** Values are numbered as they were sent, so that a client's offsets must ascend along the numbers. */
    private void clientOrder(int id) {
        Integer last = lastOfClient.get(values.client(id));
        if (last != null && values.finalOffset[last] > values.finalOffset[id]) {
            partition.add(
                    AnomalyType.CLIENT_ORDER,
                    id,
                    values.finalOffset[id],
                    () -> "record " + partition.text(id) + ", sent after record " + partition.text(last)
                            + " by the same client, is at offset " + values.finalOffset[id] + ", before it at offset "
                            + values.finalOffset[last],
                    last);
        } else {
            lastOfClient.put(values.client(id), id);
        }
    }

    /** What is there for certain: all of a complete final read, otherwise whatever anybody read. */
    private void skips() {
        if (partition.gaps.isEmpty()) {
            return;
        }
        LongIntMap there = partition.complete() ? partition.finalAt : partition.readAt;
        long[] present = there.sortedKeys();
        for (long[] gap : partition.gaps) {
            int at = Arrays.binarySearch(present, gap[0] + 1);
            int next = at >= 0 ? at : -at - 1;
            if (next < present.length && present[next] < gap[1]) {
                long passed = present[next];
                int id = there.get(passed);
                partition.add(
                        AnomalyType.POLL_SKIP,
                        id,
                        passed,
                        () -> "process " + gap[3] + " read offset " + gap[1] + " after offset " + gap[0]
                                + " and passed over record " + partition.text(id) + " at offset " + passed);
            }
        }
    }

    private void holes() {
        var extent = partition.extent;
        if (extent == null || partition.finalAt.size() >= extent.end() - extent.start()) {
            return;
        }
        long[] present = partition.finalAt.sortedKeys();
        long expected = extent.start();
        for (int i = 0; i <= present.length; i++) {
            long next = i < present.length ? Math.min(present[i], extent.end()) : extent.end();
            hole(expected, next);
            expected = Math.max(expected, next + 1);
        }
    }

    /** Offsets from the one up to the other, exclusive, hold no record. */
    private void hole(long from, long to) {
        long at = from;
        while (at < to) {
            long offset = at;
            var reason = partition.noRecords.stream()
                    .filter(range -> range.from() <= offset && offset < range.to())
                    .findFirst();
            if (reason.isEmpty()) {
                long end = partition.noRecords.stream()
                        .mapToLong(range -> range.from())
                        .filter(start -> start > offset)
                        .reduce(to, Math::min);
                partition
                        .log()
                        .add(
                                AnomalyType.GAP,
                                () -> AnomalyLog.first(partition.key, offset, null, gap(offset, end), List.of()));
                at = end;
            } else {
                at = reason.get().to();
            }
        }
    }

    private static String gap(long from, long to) {
        return "at the end "
                + (to - from == 1
                        ? "offset " + from + " holds no record"
                        : "the offsets from " + from + " to " + (to - 1) + " hold no record")
                + ", and nothing says why";
    }

    private boolean covered(long offset) {
        var extent = partition.extent;
        return extent != null && extent.complete() && offset >= extent.start();
    }

    private String holds(long offset) {
        int id = offset == ValueTable.NONE ? LongIntMap.ABSENT : partition.finalAt.get(offset);
        if (id != LongIntMap.ABSENT) {
            return "at the end offset " + offset + " holds record " + partition.text(id);
        }
        var extent = partition.extent;
        if (extent == null) {
            return "it was never read";
        }
        return offset >= 0 && offset < extent.end()
                ? "at the end offset " + offset + " holds no record"
                : "at the end the log ends at offset " + extent.end();
    }

    /** Acknowledged, and no complete final read could hold it. */
    long unjudged() {
        return unjudged;
    }

    long unseen() {
        return unseen;
    }

    Anomaly.@Nullable First firstUnseen() {
        return firstUnseen;
    }
}
