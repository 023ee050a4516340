package io.tidemark.spec.tlc;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a run of TLC has shown, by its own messages.
 *
 * @param verdict the result
 * @param violated the property that broke; null where none did, or where TLC does not say which of several
 * @param detail the first error in TLC's words, or why the run is not complete; empty where everything holds
 * @param queue states not yet looked at when the run ended
 * @param depth of the search; 0 where TLC does not say; of a run that is not complete its figures are the last that were known
 * @param actions how often each action was taken; empty without coverage
 * @param trace the states of the counterexample as TLC prints them, none where there is none
 * @param exitCode of the process
 */
public record TlcResult(
        Verdict verdict,
        @Nullable String violated,
        String detail,
        long generated,
        long distinct,
        long queue,
        int depth,
        List<ActionCount> actions,
        List<PrintedState> trace,
        int exitCode,
        long durationMs) {

    private static final Pattern MEMORY = Pattern.compile("out ?of ?memory", Pattern.CASE_INSENSITIVE);

    /** Whether it is not complete because its heap was too small. */
    public boolean outOfMemory() {
        return verdict == Verdict.INCOMPLETE && MEMORY.matcher(detail).find();
    }

    /** The word of a run. */
    public enum Verdict {
        /** TLC's own completion message, its figures, and an empty queue. */
        PASSED,
        VIOLATED,
        DEADLOCK,
        ASSUMPTION_FAILED,
        EVALUATION_ERROR,
        /** Of a module or of the configuration. */
        PARSE_ERROR,
        /** Killed, out of memory, out of time, or ended without saying how: nothing is known. */
        INCOMPLETE
    }

    /** How often an action was taken, and how many new states it gave; of a counterexample, in its steps. */
    public record ActionCount(String name, String module, long taken, long distinct) {}

    /**
     * One state of a counterexample.
     *
     * @param number from 1
     * @param action the action that led here; "Initial predicate", "Stuttering" or "Back to state N" too
     * @param text its variables; empty for the last two
     */
    public record PrintedState(int number, String action, String text) {}
}
