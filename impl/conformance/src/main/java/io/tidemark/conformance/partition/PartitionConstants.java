package io.tidemark.conformance.partition;

import java.util.Map;

/**
 * The constants of a model of the partition that a world of it needs.
 *
 * @param elr ElrEnabled
 * @param unclean whether UncleanElection is TRUE
 * @param uncleanTimer whether the timer may elect uncleanly: it is not FALSE
 * @param flushes FlushEveryMessage
 * @param persists whether fsyncs happen at all: FlushEveryMessage or BackgroundFlush
 * @param trackLag TrackLag
 * @param commitAtOnce CommitAtOnce
 * @param lateAnswers LateAnswers
 * @param lateReads LateReads
 * @param crashable Crashable, as it is written
 * @param records InitialRecords and Records: the greatest id
 * @param maxMetadata MaxMetadata
 * @param maxLeaderEpoch MaxLeaderEpoch
 * @param maxPartitionEpoch MaxPartitionEpoch
 */
record PartitionConstants(
        boolean elr,
        boolean unclean,
        boolean uncleanTimer,
        boolean flushes,
        boolean persists,
        boolean trackLag,
        boolean commitAtOnce,
        boolean lateAnswers,
        boolean lateReads,
        String crashable,
        int records,
        int maxMetadata,
        int maxLeaderEpoch,
        int maxPartitionEpoch) {

    /**
     * As a configuration has them.
     *
     * @param constants each with what is written behind its name: {@code = value} or {@code <- operator}
     * @throws IllegalArgumentException if one is missing, or a number is none
     */
    static PartitionConstants of(Map<String, String> constants) {
        String unclean = value(constants, "UncleanElection");
        boolean flushes = is(constants, "FlushEveryMessage");
        return new PartitionConstants(
                is(constants, "ElrEnabled"),
                unclean.equals("TRUE"),
                !unclean.equals("FALSE"),
                flushes,
                flushes || is(constants, "BackgroundFlush"),
                is(constants, "TrackLag"),
                is(constants, "CommitAtOnce"),
                is(constants, "LateAnswers"),
                is(constants, "LateReads"),
                value(constants, "Crashable"),
                number(constants, "InitialRecords") + number(constants, "Records"),
                number(constants, "MaxMetadata"),
                number(constants, "MaxLeaderEpoch"),
                number(constants, "MaxPartitionEpoch"));
    }

    private static boolean is(Map<String, String> constants, String name) {
        return value(constants, name).equals("TRUE");
    }

    private static int number(Map<String, String> constants, String name) {
        return Integer.parseInt(value(constants, name));
    }

    private static String value(Map<String, String> constants, String name) {
        String written = constants.get(name);
        if (written == null) {
            throw new IllegalArgumentException("the model has no constant " + name);
        }
        return written.replaceFirst("^= *", "").strip();
    }

    boolean mayCrash(String broker) {
        return crashable.matches(".*\\b" + broker + "\\b.*");
    }

    Replicas.Settings replicas() {
        return new Replicas.Settings(flushes, persists, lateReads, records);
    }
}
