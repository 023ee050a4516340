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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must have happened in a model before one of its properties says something: the column {@code needs} of {@code
 * invariants.tsv}. Parts joined by {@code +} are all needed, of those parted by commas one; a part is an action that was
 * taken, or {@code CONSTANT=VALUE}. What is not known counts as having happened: nobody is told of a vacuous property
 * that is none.
 */
public final class Needs {
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
                return group.stream().map(part -> absent(part, model)).collect(Collectors.joining(", and "));
            }
        }
        return null;
    }

    private static boolean happened(String part, Model model, Map<String, Long> taken) {
        int equals = part.indexOf('=');
        if (equals < 0) {
            return taken.getOrDefault(part, 1L) > 0;
        }
        String value = model.config().constants().get(part.substring(0, equals));
        return value == null || value.equals("= " + part.substring(equals + 1));
    }

    private static String absent(String part, Model model) {
        int equals = part.indexOf('=');
        if (equals < 0) {
            return part + " is never taken";
        }
        String name = part.substring(0, equals);
        return name + " is " + model.config().constants().getOrDefault(name, "").replaceFirst("^(=|<-) ", "");
    }
}
