package io.tidemark.conformance.names;

import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a root module names, its own and what it extends; each with the place where it stands ({@code Partition.tla:12}).
 *
 * @param variables declared
 * @param definitions operators, with the module that defines each
 * @param actions that {@code Next} takes
 * @param parts of each action, the operators of instances that its definition names ({@code P!HandleFetch})
 * @param guards written {@code On("name")}, and where they act
 * @param listed the guards that {@code Guards} lists, and where
 */
public record SpecNames(
        SortedMap<String, String> variables,
        SortedMap<String, Definition> definitions,
        SortedMap<String, Definition> actions,
        SortedMap<String, SortedSet<String>> parts,
        SortedMap<String, Use> guards,
        SortedMap<String, String> listed) {
    public record Definition(String module, String place) {}

    /**
     * A guard at work.
     *
     * @param places where it is written
     * @param actions of {@code Next} that lead there
     */
    public record Use(SortedSet<String> places, SortedSet<String> actions) {
        Use() {
            this(new TreeSet<>(), new TreeSet<>());
        }
    }

    /** The guards of several modules, each with all its places and actions. */
    public static SortedMap<String, Use> guards(Collection<SpecNames> modules) {
        SortedMap<String, Use> all = new TreeMap<>();
        for (SpecNames module : modules) {
            module.guards.forEach((guard, use) -> {
                Use of = all.computeIfAbsent(guard, name -> new Use());
                of.places.addAll(use.places);
                of.actions.addAll(use.actions);
            });
        }
        return all;
    }
}
