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

    /** Takes note of the records of a control batch. @return whether it changed the voters */
    boolean append(long baseOffset, List<ControlRecord> records) {
        boolean changed = false;
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i) instanceof ControlRecord.Voters voters) {
                byOffset.put(baseOffset + i, voters.voters());
                changed = true;
            }
        }
        return changed;
    }

    /** @return whether it changed the voters */
    boolean truncateTo(long offset) {
        SortedMap<Long, VoterSet> cut = byOffset.tailMap(offset, true);
        boolean changed = !cut.isEmpty();
        cut.clear();
        return changed;
    }
}
