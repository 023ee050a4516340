package io.tidemark.cli.drill;

/**
 * What the machine had to give while a drill ran, as a thread that wants to run every few milliseconds found it. A
 * machine that keeps threads waiting makes nodes miss their sessions and clients their time-outs: that is no evidence
 * against the nodes, and none for them.
 *
 * @param longestPauseMs the longest time that the thread had to wait beyond the one that it asked for
 * @param pausedMs the sum of its waits of a tenth of a second and more
 * @param watchedMs how long it watched
 * @param load the highest load average of a minute, negative where the system tells none
 */
record Machine(long longestPauseMs, long pausedMs, long watchedMs, double load, int processors) {
    /** A third of the nodes' session time-out: three such pauses in a row fence a node that is well. */
    private static final long LONG_PAUSE_MS = DrillConfig.SESSION_TIMEOUT_MS / 3;

    private static final int PART_PAUSED = 10;

    /** Whether nodes may have been slow because nothing ran when it should. */
    boolean starved() {
        return longestPauseMs >= LONG_PAUSE_MS || pausedMs * PART_PAUSED > watchedMs;
    }

    /** The figures in a line. */
    String inWords() {
        long percent = watchedMs == 0 ? 0 : Math.min(100, 100 * pausedMs / watchedMs);
        return "the drill's own thread waited up to " + DrillText.count(longestPauseMs) + " ms for a processor, "
                + percent
                + " % of the time in waits of 100 ms and more"
                + (load < 0 ? "" : String.format(java.util.Locale.ROOT, ", load average up to %.1f", load)) + ", "
                + processors + (processors == 1 ? " processor" : " processors");
    }
}
