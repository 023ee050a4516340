package io.tidemark.conformance.names;

import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Vocabulary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Names on two sides that must be the same: what is on one alone, and where each is or should be. */
public final class Binding {
    private Binding() {}

    /**
     * Every name of one side with its place, against the other.
     *
     * @param left name to place
     * @param right name to place
     * @param leftSide what the left side is, for names that are not there
     */
    public static List<String> same(
            String what, Map<String, String> left, String leftSide, Map<String, String> right, String rightSide) {
        List<String> wrong = new ArrayList<>();
        Set<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            String here = left.get(name);
            String there = right.get(name);
            if (here == null) {
                wrong.add(what + " " + name + ": at " + there + ", not in " + leftSide);
            } else if (there == null) {
                wrong.add(what + " " + name + ": at " + here + ", not in " + rightSide);
            }
        }
        return wrong;
    }

    /** The actions that {@code Next} takes, as {@code Module.Action}, are the table's protocol and environment rows. */
    public static List<String> actions(SpecNames spec, Collection<String> modules, Vocabulary vocabulary) {
        SortedMap<String, String> next = new TreeMap<>();
        spec.actions().forEach((name, definition) -> next.put(definition.module() + "." + name, definition.place()));
        SortedMap<String, String> rows = new TreeMap<>();
        for (Vocabulary.ActionRow row : vocabulary.actions()) {
            if (modules.contains(row.module()) && !row.kind().equals("code-only")) {
                rows.put(row.module() + "." + row.action(), "spec/actions.tsv (" + row.kind() + ")");
            }
        }
        return same("action", next, "Next of " + String.join(", ", modules), rows, "spec/actions.tsv");
    }

    /**
     * A module that puts others together takes what they take.
     *
     * @param part whose actions it takes as they are, through the instance {@code P}
     * @param without those that it does itself, in other ways
     * @param beside where it takes those from
     * @param own their names
     */
    public static List<String> composed(
            SpecNames whole, SpecNames part, Set<String> without, SpecNames beside, Set<String> own) {
        SortedMap<String, String> expected = new TreeMap<>();
        part.actions().forEach((name, definition) -> expected.put(name, definition.place()));
        expected.keySet().removeAll(without);
        SortedMap<String, String> taken = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        whole.actions().forEach((name, definition) -> {
            taken.put(name, definition.place());
            Set<String> steps = whole.parts().getOrDefault(name, new TreeSet<>());
            if (expected.containsKey(name) && !steps.equals(Set.of("P!" + name))) {
                wrong.add("action " + name + ": at " + definition.place() + " it takes " + steps + ", not that at "
                        + expected.get(name));
            }
        });
        beside.actions().forEach((name, definition) -> {
            if (own.contains(name)) {
                expected.put(name, definition.place());
            }
        });
        wrong.addAll(same("action", taken, "what the whole takes", expected, "its parts"));
        return wrong;
    }

    /** The protocol rows with code=yes are the methods of the Actions interfaces and the values of SpecAction. */
    public static List<String> code(
            Vocabulary vocabulary, Map<String, String> methods, Map<String, String> specActions) {
        SortedMap<String, String> protocol = new TreeMap<>();
        SortedMap<String, String> handled = new TreeMap<>();
        for (Vocabulary.ActionRow row : vocabulary.actions()) {
            if (row.code().equals("yes")) {
                handled.put(row.action(), "spec/actions.tsv (" + row.module() + ")");
                if (row.kind().equals("protocol")) {
                    protocol.put(row.action(), "spec/actions.tsv (" + row.module() + ")");
                }
            }
        }
        List<String> wrong = same("action", handled, "spec/actions.tsv", methods, "the Actions interfaces");
        wrong.addAll(same("action", protocol, "spec/actions.tsv", specActions, "SpecAction"));
        return wrong;
    }

    /**
     * A guard that acts in the specification is a row of the table and a mutant, and a value of Guard unless the code does not
     * have the row's action yet.
     *
     * @param later actions that the code does not have yet
     * @param codeAlone guards that the specification has no switch for
     * @param mutants guard to the row of the manifest that switches it off
     */
    public static List<String> guards(
            Map<String, SpecNames.Use> acting,
            Map<String, String> listed,
            Vocabulary vocabulary,
            Map<String, String> code,
            Map<String, String> mutants,
            Set<String> later,
            Set<String> codeAlone) {
        SortedMap<String, String> all = new TreeMap<>();
        acting.forEach((name, use) -> all.put(name, use.places().first()));
        SortedMap<String, String> known = new TreeMap<>(listed);
        SortedMap<String, String> specified = new TreeMap<>();
        SortedMap<String, String> coded = new TreeMap<>();
        for (Vocabulary.GuardRow row : vocabulary.guards()) {
            specified.put(row.guard(), "spec/guards.tsv");
            if (!later.contains(row.action())) {
                coded.put(row.guard(), "spec/guards.tsv");
            }
        }
        known.keySet().removeAll(codeAlone);
        specified.keySet().removeAll(codeAlone);
        List<String> wrong = same("guard", all, "On(\"...\") of an action in Next", known, "Guards of Types.tla");
        wrong.addAll(same("guard", all, "On(\"...\") of an action in Next", specified, "spec/guards.tsv"));
        wrong.addAll(same("guard", coded, "spec/guards.tsv", code, "the enum Guard"));
        wrong.addAll(same("guard", all, "On(\"...\") of an action in Next", mutants, "a mutant of the manifest"));
        return wrong;
    }

    /** Each guard stands where its row of {@code guards.tsv} says: it is consulted by that action, at so many places. */
    public static List<String> places(Map<String, SpecNames.Use> acting, Vocabulary vocabulary) {
        List<String> wrong = new ArrayList<>();
        for (Vocabulary.GuardRow row : vocabulary.guards()) {
            SpecNames.Use use = acting.get(row.guard());
            if (use != null && !use.actions().contains(row.action())) {
                wrong.add("guard " + row.guard() + ": of " + row.action() + " in spec/guards.tsv, consulted by "
                        + use.actions() + " at " + use.places());
            }
            if (use != null
                    && !row.places().equals(Integer.toString(use.places().size()))) {
                wrong.add("guard " + row.guard() + ": " + row.places() + " places in spec/guards.tsv, written at "
                        + use.places());
            }
            if (use == null && !row.places().isEmpty()) {
                wrong.add("guard " + row.guard() + ": " + row.places() + " places in spec/guards.tsv, written nowhere");
            }
        }
        return wrong;
    }

    /** What each guard's row says that its mutant breaks is what the manifest expects of that mutant, which TLC confirms. */
    public static List<String> violated(Collection<Model> models, Vocabulary vocabulary) {
        List<String> wrong = new ArrayList<>();
        for (Vocabulary.GuardRow row : vocabulary.guards()) {
            Model mutant = models.stream()
                    .filter(model -> model.name().equals(row.mutant()))
                    .findFirst()
                    .orElse(null);
            String found = mutant == null
                    ? ""
                    : mutant.expected().violated() == null
                            ? "none"
                            : mutant.expected().violated();
            if (!found.equals(row.violated())) {
                wrong.add("guard " + row.guard() + ": " + word(row.violated()) + " in spec/guards.tsv, " + word(found)
                        + " of " + row.mutant() + " in the manifest");
            }
            if (mutant != null && !mutant.config().off().equals(List.of(row.guard()))) {
                wrong.add("guard " + row.guard() + ": " + row.mutant() + " switches off "
                        + mutant.config().off());
            }
        }
        return wrong;
    }

    private static String word(String cell) {
        return cell.isEmpty() ? "nothing" : cell;
    }
}
