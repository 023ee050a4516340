package io.tidemark.spec.check;

import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must have happened in a model before one of its properties says something: the column {@code needs} of {@code
 * invariants.tsv}. Parts joined by {@code +} are all needed, of those parted by commas one; a part is an action that was
 * taken, or {@code NAME=VALUE} or {@code NAME#VALUE} of a constant or keyword of the configuration. Where nobody has
 * counted, all counts as having happened: nobody is told of a vacuous property that is none. The other way round it is no proof: a
 * record that was appended, and fetched, need not have been acknowledged.
 */
public final class Needs {
    private static final Pattern SETTING = Pattern.compile("(\\w+)([=#])(.+)");

    private final List<PropertyRow> rows;
    private final Modules modules;

    private Needs(List<PropertyRow> rows, Modules modules) {
        this.rows = rows;
        this.modules = modules;
    }

    /** Of the specification; empty where it has no such table. */
    public static Needs of(Modules modules) {
        return new Needs(
                Vocabulary.properties(modules.place()).stream()
                        .filter(row -> !row.needs().isEmpty())
                        .toList(),
                modules);
    }

    /** The groups of a cell: one of each is needed. */
    public static List<List<String>> parse(String cell) {
        return Stream.of(cell.split(" \\+ ", -1))
                .map(group -> List.of(group.split(", ", -1)))
                .toList();
    }

    /**
     * The properties that a complete search says nothing of, each with the reason.
     *
     * @param actions how often each was taken; none where nobody counted
     */
    Map<String, String> vacuous(Model model, Collection<ActionCount> actions) {
        Map<String, Long> taken = actions.stream()
                .collect(Collectors.toMap(ActionCount::name, ActionCount::taken, Long::sum, TreeMap::new));
        Set<String> names = modules.closure(model.module()).stream()
                .map(file -> String.valueOf(file.getFileName()).replaceFirst("\\.tla$", ""))
                .collect(Collectors.toSet());
        Map<String, String> vacuous = new TreeMap<>();
        Stream.concat(model.config().invariants().stream(), model.config().properties().stream())
                .forEach(property -> {
                    // Two modules may have a property of one name: both must be silent.
                    List<PropertyRow> own = rows.stream()
                            .filter(row -> row.name().equals(property) && names.contains(row.module()))
                            .toList();
                    List<String> reasons = own.stream()
                            .flatMap(row -> Stream.ofNullable(reason(row, model, taken)))
                            .toList();
                    if (!reasons.isEmpty() && reasons.size() == own.size()) {
                        vacuous.put(property, reasons.get(0));
                    }
                });
        return vacuous;
    }

    private static @Nullable String reason(PropertyRow row, Model model, Map<String, Long> taken) {
        for (List<String> group : parse(row.needs())) {
            if (group.stream().noneMatch(part -> happened(part, model, taken))) {
                return group.stream().map(part -> absent(part, model)).collect(Collectors.joining(", "));
            }
        }
        return null;
    }

    private static boolean happened(String part, Model model, Map<String, Long> taken) {
        Matcher setting = SETTING.matcher(part);
        if (!setting.matches()) {
            // TLC tells nothing of an action that its model quantifies over an empty set: it is never taken.
            boolean replaced = model.config().constants().containsKey(part);
            return taken.isEmpty() || replaced || taken.getOrDefault(part, 0L) > 0;
        }
        String value = value(setting.group(1), model);
        return value == null
                || value.equals(setting.group(3)) == setting.group(2).equals("=");
    }

    /** Of a constant or a keyword; null where the configuration has none of this name. */
    private static @Nullable String value(String name, Model model) {
        String value = model.config().constants().get(name);
        return value == null ? model.config().keywords().get(name) : value.replaceFirst("^= ", "");
    }

    private static String absent(String part, Model model) {
        Matcher setting = SETTING.matcher(part);
        return setting.matches()
                ? setting.group(1) + " is " + value(setting.group(1), model)
                : part + " is never taken";
    }
}
