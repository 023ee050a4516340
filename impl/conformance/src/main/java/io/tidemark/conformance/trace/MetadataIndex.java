package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The specification's {@code metaLog} has the records alone that concern the partition; this says which offset of the metadata
 * log is which of them, from 1. A number that stands for no such record is mapped to one that no behaviour has.
 */
final class MetadataIndex {
    private static final int NOWHERE = 1_000_000;

    private final List<Long> offsets = new ArrayList<>();
    private final List<Integer> epochs = new ArrayList<>();
    private final Map<String, Long> firstEpochs = new HashMap<>();

    /** The partition is created at the offset; who is registered then has these broker epochs, which all are 1. */
    void begin(long offset, int epoch, Map<String, Long> brokerEpochs) {
        append(offset, epoch);
        firstEpochs.putAll(brokerEpochs);
    }

    boolean begun() {
        return !offsets.isEmpty();
    }

    /** A controller of the epoch appends a record. */
    void append(long offset, int epoch) {
        offsets.add(offset);
        epochs.add(epoch);
    }

    int end() {
        return offsets.size();
    }

    /** What is not among the first {@code end} records is gone. */
    void cutTo(int end) {
        offsets.subList(end, offsets.size()).clear();
        epochs.subList(end, epochs.size()).clear();
    }

    /** How many of the records a node's log holds below the offset. */
    int heldBy(int node, long below, MetadataLogs logs) {
        int count = 0;
        while (count < offsets.size()
                && offsets.get(count) < below
                && logs.holds(node, offsets.get(count), epochs.get(count))) {
            count++;
        }
        return count;
    }

    /** Of the record at the offset. */
    int of(long offset) {
        int index = offsets.indexOf(offset);
        return index >= 0 ? index + 1 : (int) (NOWHERE + offset);
    }

    /** A broker epoch is the offset of a registration. */
    int epoch(String broker, JsonNode epoch) {
        return epoch(broker, epoch.asLong(-NOWHERE));
    }

    int epoch(String broker, long epoch) {
        Long first = firstEpochs.get(broker);
        return epoch == -1 ? -1 : first != null && first == epoch ? 1 : of(epoch);
    }
}
