package io.tidemark.core.quorum;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The voter sets in the log by the offset of their record; the last one is in force, committed or not (KIP-853). */
final class VoterHistory {
    private final VoterSet initial;
    private final TreeMap<Long, VoterSet> byOffset;

    VoterHistory(VoterSet initial, SortedMap<Long, VoterSet> found) {
        this.initial = initial;
        this.byOffset = new TreeMap<>(found);
    }

    VoterSet current() {
        return byOffset.isEmpty() ? initial : byOffset.lastEntry().getValue();
    }

    /** Takes note of the records of a control batch. */
    void append(long baseOffset, List<ControlRecord> records) {
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i) instanceof ControlRecord.Voters voters) {
                byOffset.put(baseOffset + i, voters.voters());
            }
        }
    }

    /** Forgets the records from {@code offset} on. */
    void truncateTo(long offset) {
        byOffset.tailMap(offset, true).clear();
    }
}
