package io.tidemark.cli.drill;

import io.tidemark.history.KafkaOps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the final read was: every partition, from its first offset to its end offset, after the load.
 *
 * @param partitions of the topic
 * @param read those of them that were read to their end offset
 * @param offsets from the first to the end offset, over those partitions
 * @param missing what was not read or not checked, and why; null if nothing
 */
record FinalReadEvidence(
        int partitions, int read, long offsets, @Nullable String missing) {
    private static final int NAMED = 5;

    /** Of a drill that did not come to it. */
    static FinalReadEvidence none(int partitions) {
        return new FinalReadEvidence(partitions, 0, 0, "the drill ended before its final read");
    }

    /**
     * Of a final read.
     *
     * @param extents what was read of each partition whose end offset is known
     * @param unchecked why not all of the history was checked, null if it was
     */
    static FinalReadEvidence of(int partitions, Map<Integer, KafkaOps.Extent> extents, @Nullable String unchecked) {
        List<KafkaOps.Extent> read =
                extents.values().stream().filter(KafkaOps.Extent::complete).toList();
        List<String> missing = new ArrayList<>();
        IntStream.range(0, partitions)
                .mapToObj(partition -> missing(partition, extents.get(partition)))
                .filter(each -> !each.isEmpty())
                .forEach(missing::add);
        missing = firstOf(missing);
        if (unchecked != null) {
            missing.add(unchecked);
        }
        return new FinalReadEvidence(
                partitions,
                read.size(),
                read.stream().mapToLong(extent -> extent.end() - extent.start()).sum(),
                missing.isEmpty() ? null : String.join("; ", missing));
    }

    /** The first few sentences, one for each partition, and how many more there are. */
    static List<String> firstOf(List<String> partitions) {
        List<String> first = new ArrayList<>(partitions.stream().limit(NAMED).toList());
        int more = partitions.size() - NAMED;
        if (more > 0) {
            first.add("and " + more + (more == 1 ? " more partition" : " more partitions"));
        }
        return first;
    }

    private static String missing(int partition, KafkaOps.@Nullable Extent extent) {
        String name = DrillConfig.TOPIC + "-" + partition;
        return extent == null
                ? "the end offset of " + name + " is not known"
                : extent.complete()
                        ? ""
                        : name + " was not read to its end offset " + DrillText.count(extent.end())
                                + ", or that still moved";
    }

    /** Whether every partition was read to its end offset, and all of it checked. */
    boolean complete() {
        return missing == null;
    }

    /**
     * What was read, what was looked for in it, and what is missing.
     *
     * @param judged how many acknowledged records were looked for in it
     */
    String inWords(long judged, long acknowledged) {
        return read + " of " + partitions + " partitions read from the first to the end offset, "
                + DrillText.count(offsets) + " offsets; " + DrillText.count(judged) + " of "
                + DrillText.count(acknowledged) + " acknowledged records looked for in them"
                + (missing == null ? "" : "; MISSING: " + missing);
    }
}
