package io.tidemark.cli.drill;

import org.jspecify.annotations.Nullable;

/**
 * What the comparison of the replicas' logs on disk was.
 *
 * @param replicas of all partitions
 * @param compared those of them whose log was read and compared
 * @param records below the high watermark, in all logs that were compared
 * @param acknowledged look-ups of acknowledged records by their offset, one in each replica
 * @param missing what was not compared, and why; null if nothing
 */
record ReplicaEvidence(
        int replicas,
        int compared,
        long records,
        long acknowledged,
        @Nullable String missing) {
    /** Of a drill that did not come to it. */
    static ReplicaEvidence none(int replicas) {
        return new ReplicaEvidence(replicas, 0, 0, 0, "the drill ended before they were compared");
    }

    /** What was compared with what, and what is missing. */
    String inWords(int replicationFactor) {
        return compared + " of " + replicas + " logs read from disk, "
                + DrillText.count(records) + " records below the high watermark: "
                + (replicationFactor == 1
                        ? "each log is the only one of its partition, there is none to compare it with"
                        : "each log byte for byte with that of its partition's first replica")
                + "; " + DrillText.count(acknowledged) + " look-ups of an acknowledged record at its offset in a log"
                + (missing == null ? "" : "; MISSING: " + missing);
    }
}
