package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.spec.SpecException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A log as lines tell it: how far it was cut, then [epoch, count] of what was appended. */
final class LogLines {
    private LogLines() {}

    /** A longer log would not fit; none that TLC can follow is near it. */
    private static final int MOST = 1_000_000;

    /** Changes the epochs of a log; returns how many records stayed. */
    static int change(List<Integer> epochs, JsonNode change) {
        JsonNode cut = change.path("truncatedTo");
        int kept = cut.isNull() ? epochs.size() : Math.min(epochs.size(), Math.max(0, cut.asInt()));
        epochs.subList(kept, epochs.size()).clear();
        epochs.addAll(epochs(change.path("appended")));
        return kept;
    }

    /** The epochs of records told as [epoch, count]. */
    static List<Integer> epochs(JsonNode runs) {
        List<Integer> all = new ArrayList<>();
        runs.forEach(run -> {
            int count = Math.max(0, run.path(1).asInt());
            if (count > MOST - all.size()) {
                throw new SpecException(
                        SpecException.Kind.INPUT, "trace", "a log of more than " + MOST + " records", "a shorter one");
            }
            all.addAll(Collections.nCopies(count, run.path(0).asInt()));
        });
        return all;
    }
}
