package io.tidemark.spec.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What differs between two states: one line for each place, as short as it can be said. */
final class Changes {
    /** Values beyond this length are cut. */
    private static final int LONG = 160;

    private final List<String> lines = new ArrayList<>();
    private final boolean raw;

    private Changes(boolean raw) {
        this.raw = raw;
    }

    /** In Kafka's words. */
    static List<String> between(Map<String, TlaValue> before, Map<String, TlaValue> after) {
        return between(before, after, false);
    }

    /**
     * As lines.
     *
     * @param raw in the specification's own names and values
     */
    static List<String> between(Map<String, TlaValue> before, Map<String, TlaValue> after, boolean raw) {
        Changes changes = new Changes(raw);
        after.forEach((name, value) -> changes.compare(name, before.get(name), value));
        return raw ? changes.lines : QuorumWords.withDisk(changes.lines, after);
    }

    private void compare(String place, @Nullable TlaValue before, TlaValue after) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before instanceof TlaValue.Fun a && after instanceof TlaValue.Fun b && sameKeys(a.values(), b.values())) {
            b.values()
                    .forEach((key, value) ->
                            compare(place + "[" + key + "]", a.values().get(key), value));
        } else if (before instanceof TlaValue.Rec a
                && after instanceof TlaValue.Rec b
                && sameKeys(a.fields(), b.fields())) {
            b.fields()
                    .forEach((key, value) ->
                            compare(place + "." + key, a.fields().get(key), value));
        } else if (before instanceof TlaValue.Seq a
                && after instanceof TlaValue.Seq b
                && (raw || !Words.isKey(a) || !Words.isKey(b))) {
            sequence(place, a.items(), b.items());
        } else if (before instanceof TlaValue.SetOf a && after instanceof TlaValue.SetOf b) {
            set(place, a, b);
        } else {
            say(place, (before == null ? "" : cut(before) + " -> ") + cut(after));
        }
    }

    private static <K> boolean sameKeys(Map<K, TlaValue> a, Map<K, TlaValue> b) {
        return a.keySet().equals(b.keySet());
    }

    private void sequence(String place, List<TlaValue> before, List<TlaValue> after) {
        int same = 0;
        while (same < before.size() && same < after.size() && before.get(same).equals(after.get(same))) {
            same++;
        }
        if (same == before.size()) {
            for (int i = same; i < after.size(); i++) {
                appended(place, i, i == 0 ? null : after.get(i - 1), after.get(i));
            }
        } else if (same == after.size()) {
            say(place, "cut to its first " + same + " of " + before.size());
        } else if (before.size() == after.size()) {
            for (int i = same; i < after.size(); i++) {
                compare(place + "[" + (i + 1) + "]", before.get(i), after.get(i));
            }
        } else {
            say(place, cut(new TlaValue.Seq(before)) + " -> " + cut(new TlaValue.Seq(after)));
        }
    }

    /** A long record is told by what it has new against the one before it. */
    private void appended(String place, int index, @Nullable TlaValue previous, TlaValue item) {
        if (cut(item).length() > LONG / 2
                && previous instanceof TlaValue.Rec a
                && item instanceof TlaValue.Rec b
                && sameKeys(a.fields(), b.fields())) {
            List<String> told = new ArrayList<>(between(a.fields(), b.fields(), raw));
            // What kind of record it is shows in what it changes.
            told.removeIf(change -> !raw && change.startsWith("type: "));
            say(place, "+ #" + (index + 1) + " with " + cut(told.isEmpty() ? "the same" : String.join(", ", told)));
        } else {
            say(place, "+ " + cut(item));
        }
    }

    private void set(String place, TlaValue.SetOf before, TlaValue.SetOf after) {
        // Votes are thrown away when the election is over: its end is told already.
        if (!raw && after.items().isEmpty() && (place.startsWith("grants[") || place.startsWith("rejects["))) {
            return;
        }
        List<String> told = new ArrayList<>();
        after.items().stream().filter(x -> !before.items().contains(x)).forEach(x -> told.add("+ " + cut(x)));
        before.items().stream().filter(x -> !after.items().contains(x)).forEach(x -> told.add("- " + cut(x)));
        if (told.isEmpty()) {
            return;
        }
        if (cut(before).length() + cut(after).length() < LONG / 2) {
            say(place, cut(before) + " -> " + cut(after));
        } else {
            say(place, String.join(", ", told));
        }
    }

    private void say(String place, String what) {
        lines.add((raw ? place : Words.place(place)) + ": " + what);
    }

    private String cut(TlaValue value) {
        return cut(raw ? value.toString() : Words.value(value));
    }

    private static String cut(String text) {
        return text.length() <= LONG ? text : text.substring(0, LONG) + "...";
    }
}
