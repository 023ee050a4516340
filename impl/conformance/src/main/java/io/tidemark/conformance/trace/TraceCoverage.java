package io.tidemark.conformance.trace;

import io.tidemark.spec.model.Vocabulary.ActionRow;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which actions of the protocol were taken where traces were followed. */
public final class TraceCoverage {
    /** Whose actions layers of a trace take. */
    private static final Set<String> MODULES = Set.of("Quorum", "Controller", "Partition");
    /** An action that takes up a request which its sender has given up. */
    private static final String LATE = "Late";

    private TraceCoverage() {}

    /**
     * The actions of the protocol that the core has and no trace has shown.
     *
     * @param actions the rows of {@code spec/actions.tsv}
     * @param taken names of steps, as {@link TraceValidator.Result#actions} has them
     */
    public static SortedSet<String> untaken(Collection<ActionRow> actions, Collection<String> taken) {
        TreeSet<String> untaken = new TreeSet<>();
        for (ActionRow row : actions) {
            boolean wanted = MODULES.contains(row.module())
                    && row.kind().equals("protocol")
                    && row.code().equals("yes");
            if (wanted && !taken.contains(row.action()) && !taken.contains(late(row.action()))) {
                untaken.add(row.action());
            }
        }
        return untaken;
    }

    private static String late(String action) {
        return LATE + (action.startsWith("Handle") ? action.substring("Handle".length()) : action);
    }
}
