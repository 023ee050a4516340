package io.tidemark.spec.check;

import io.tidemark.spec.model.Definitions;
import io.tidemark.spec.model.Definitions.Definition;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.ActionRow;
import io.tidemark.spec.model.Vocabulary.GuardRow;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a name.
 *
 * @param kind action, guard, property, definition or model
 * @param module where it stands, empty where it stands in none
 * @param line there, 0 where it stands in none
 * @param banner what its module says of it
 * @param elsewhere other modules that have a definition of this name, as {@code Module.tla, line N}
 * @param rows of the vocabulary that have it: actions
 * @param guards of the vocabulary: itself, or those of the action
 * @param models that have to do with it: mutants of a guard, models that check a property
 */
public record Explanation(
        String name,
        String kind,
        String module,
        int line,
        String banner,
        List<String> elsewhere,
        List<ActionRow> rows,
        List<GuardRow> guards,
        List<Model> models) {

    /** The specification as {@code explain} reads it. */
    public static final class Source {
        private final Modules modules;
        private final Vocabulary vocabulary;
        private final Manifest manifest;

        public Source(Modules modules, Vocabulary vocabulary, Manifest manifest) {
            this.modules = modules;
            this.vocabulary = vocabulary;
            this.manifest = manifest;
        }

        /** What is known of the name; null if there is no such name. */
        public @Nullable Explanation explain(String name) {
            List<ActionRow> rows = vocabulary.actions().stream()
                    .filter(row -> row.action().equals(name))
                    .toList();
            List<GuardRow> guards = vocabulary.guards().stream()
                    .filter(guard ->
                            guard.guard().equals(name) || guard.action().equals(name))
                    .toList();
            boolean guard =
                    vocabulary.guards().stream().anyMatch(row -> row.guard().equals(name));
            Model model = manifest.model(name);
            List<Definition> all = guard ? List.of() : definitions(name, rows);
            Definition found = all.isEmpty() ? null : all.get(0);
            if (rows.isEmpty() && !guard && model == null && found == null) {
                return null;
            }
            List<Model> models = guard
                    ? manifest.models().stream()
                            .filter(row -> isMutantOf(row, name))
                            .toList()
                    : model != null && found == null ? List.of(model) : checking(name);
            return new Explanation(
                    name,
                    guard ? "guard" : !rows.isEmpty() ? "action" : found == null ? "model" : kind(found, models),
                    found == null ? "" : found.module(),
                    found == null ? 0 : found.line(),
                    found == null ? "" : found.comment(),
                    all.stream()
                            .skip(1)
                            .map(other -> other.module() + ".tla, line " + other.line())
                            .toList(),
                    rows,
                    guards,
                    models);
        }

        private static String kind(Definition found, List<Model> models) {
            return models.isEmpty() && found.level() <= Definitions.STATE_LEVEL ? "definition" : "property";
        }

        /** Names that can be explained, for whoever mistypes one. */
        public List<String> names() {
            TreeSet<String> names = new TreeSet<>();
            vocabulary.actions().forEach(row -> names.add(row.action()));
            vocabulary.guards().forEach(row -> names.add(row.guard()));
            manifest.models().forEach(model -> {
                names.add(model.name());
                names.addAll(model.config().invariants());
                names.addAll(model.config().properties());
            });
            return List.copyOf(names);
        }

        private static boolean isMutantOf(Model model, String guard) {
            return model.kind() == ModelKind.MUTANT && model.config().off().contains(guard);
        }

        /** Those that expect it to break first. */
        private List<Model> checking(String property) {
            return manifest.models().stream()
                    .filter(model -> model.config().invariants().contains(property)
                            || model.config().properties().contains(property))
                    .sorted(Comparator.comparing(
                            model -> !property.equals(model.expected().violated())))
                    .toList();
        }

        /** In the action's own module, else wherever it is defined: the one of the table of invariants first, then by words. */
        private List<Definition> definitions(String name, List<ActionRow> rows) {
            List<Path> places = new ArrayList<>();
            for (ActionRow row : rows) {
                Path module = modules.find(row.module());
                if (module != null) {
                    places.add(module);
                }
            }
            if (rows.isEmpty()) {
                Set<Path> used = manifest.models().stream()
                        .flatMap(model -> modules.closure(model.module()).stream())
                        .collect(Collectors.toSet());
                modules.defining(name).stream().filter(used::contains).forEach(places::add);
            }
            Set<String> own = Vocabulary.properties(modules.place()).stream()
                    .filter(row -> row.name().equals(name))
                    .map(PropertyRow::module)
                    .collect(Collectors.toSet());
            return places.stream()
                    .flatMap(place -> Stream.ofNullable(
                                    modules.definitions(place).definition(name))
                            .filter(found -> place.endsWith(found.module() + ".tla"))
                            .map(found -> modules.withComment(place, found)))
                    .sorted(Comparator.comparing((Definition found) -> !own.contains(found.module()))
                            .thenComparing(found -> found.comment().isEmpty()))
                    .toList();
        }
    }
}
