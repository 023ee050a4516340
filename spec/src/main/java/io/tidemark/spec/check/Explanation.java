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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a name.
 *
 * @param kind action, guard, property, definition or model
 * @param meanings one for each module that defines it, the one that is meant first; one without a module for a guard or a model
 * @param guards of the vocabulary: itself, or those of the action
 * @param mutants by guard: the models that switch it off, the one that switches off it alone first; none for most
 */
public record Explanation(
        String name, String kind, List<Meaning> meanings, List<GuardRow> guards, Map<String, List<Model>> mutants) {
    /** Parts a module from a name in it, as TLA+ parts an instance from a name in it. */
    private static final String OF = "!";

    /**
     * What the name says in one module.
     *
     * @param module where it stands, empty where it stands in none
     * @param line there, 0 where it stands in none
     * @param banner what its module says of it
     * @param rows of the vocabulary that have it: actions
     * @param property its row in the table of what the code checks, too; null where it has none
     * @param models that have to do with it: mutants of a guard, models that check a property
     */
    public record Meaning(
            String module,
            int line,
            String banner,
            List<ActionRow> rows,
            @Nullable PropertyRow property,
            List<Model> models) {
        private static Meaning nowhere(List<ActionRow> rows, List<Model> models) {
            return new Meaning("", 0, "", rows, null, models);
        }

        /** Whether there is more to say of it than where it stands. */
        public boolean says() {
            return !banner.isEmpty() || !rows.isEmpty() || property != null || !models.isEmpty();
        }
    }

    /** The one that is meant where nobody says which. */
    public Meaning first() {
        return meanings.get(0);
    }

    /** All models that have to do with it. */
    public List<Model> models() {
        return meanings.stream().flatMap(meaning -> meaning.models().stream()).toList();
    }

    /** All rows of the vocabulary that have it. */
    public List<ActionRow> rows() {
        return meanings.stream().flatMap(meaning -> meaning.rows().stream()).toList();
    }

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

        /**
         * What is known of the name; null if there is no such name.
         *
         * @param asked a name, or {@code MODULE!NAME} for what it is in that module alone
         */
        public @Nullable Explanation explain(String asked) {
            int of = asked.indexOf(OF);
            if (of >= 0) {
                return defined(asked.substring(of + 1), asked.substring(0, of));
            }
            List<GuardRow> guards = vocabulary.guards().stream()
                    .filter(row -> row.guard().equals(asked))
                    .toList();
            if (!guards.isEmpty()) {
                Map<String, List<Model>> mutants = mutants(guards);
                List<Model> own = mutants.getOrDefault(asked, List.of());
                return new Explanation(asked, "guard", List.of(Meaning.nowhere(List.of(), own)), guards, mutants);
            }
            Explanation found = defined(asked, null);
            Model model = manifest.model(asked);
            return found != null || model == null
                    ? found
                    : new Explanation(
                            asked, "model", List.of(Meaning.nowhere(List.of(), List.of(model))), List.of(), Map.of());
        }

        /**
         * An action or an operator.
         *
         * @param module in which alone; null for all
         */
        private @Nullable Explanation defined(String name, @Nullable String module) {
            List<ActionRow> rows = vocabulary.actions().stream()
                    .filter(row -> row.action().equals(name)
                            && (module == null || row.module().equals(module)))
                    .toList();
            List<Place> places = definitions(name, rows, module);
            List<Meaning> meanings = new ArrayList<>();
            for (Place place : places) {
                Definition found = place.found();
                meanings.add(new Meaning(
                        found.module(),
                        found.line(),
                        found.comment(),
                        rows(rows, found.module()),
                        property(name, found.module()),
                        checking(name, place, defining(name))));
            }
            // An action of the code alone stands in no module.
            rows.stream()
                    .filter(row -> places.stream()
                            .noneMatch(place -> place.found().module().equals(row.module())))
                    .forEach(row -> meanings.add(Meaning.nowhere(List.of(row), List.of())));
            if (meanings.isEmpty()) {
                return null;
            }
            List<GuardRow> guards = vocabulary.guards().stream()
                    .filter(row -> !rows.isEmpty() && row.action().equals(name))
                    .toList();
            boolean property =
                    meanings.stream().anyMatch(meaning -> !meaning.models().isEmpty())
                            || places.stream().anyMatch(place -> place.found().level() > Definitions.STATE_LEVEL);
            return new Explanation(
                    name,
                    !rows.isEmpty() ? "action" : property ? "property" : "definition",
                    meanings,
                    guards,
                    mutants(guards));
        }

        private static List<ActionRow> rows(List<ActionRow> rows, String module) {
            return rows.stream().filter(row -> row.module().equals(module)).toList();
        }

        private @Nullable PropertyRow property(String name, String module) {
            return Vocabulary.properties(modules.place()).stream()
                    .filter(row -> row.name().equals(name) && row.module().equals(module))
                    .findFirst()
                    .orElse(null);
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

        private Map<String, List<Model>> mutants(List<GuardRow> guards) {
            Map<String, List<Model>> mutants = new TreeMap<>();
            for (GuardRow row : guards) {
                mutants.put(
                        row.guard(),
                        manifest.models().stream()
                                .filter(model -> isMutantOf(model, row.guard()))
                                .sorted(Comparator.comparing(
                                        model -> !model.name().equals(row.mutant())))
                                .toList());
            }
            return mutants;
        }

        private static boolean isMutantOf(Model model, String guard) {
            return model.kind() == ModelKind.MUTANT && model.config().off().contains(guard);
        }

        /**
         * The models that check a property as it is defined there, those that expect it to break first: they draw on its
         * module, and on no other of those that define the name and draw on this one.
         */
        private List<Model> checking(String property, Place place, List<Path> defining) {
            return manifest.models().stream()
                    .filter(model -> model.config().invariants().contains(property)
                            || model.config().properties().contains(property))
                    .filter(model -> {
                        List<Path> drawn = modules.closure(model.module());
                        return drawn.contains(place.file())
                                && defining.stream()
                                        .noneMatch(other -> !other.equals(place.file())
                                                && drawn.contains(other)
                                                && modules.closure(other).contains(place.file()));
                    })
                    .sorted(Comparator.comparing(
                            model -> !property.equals(model.expected().violated())))
                    .toList();
        }

        /** The modules that models draw on and that define the name. */
        private List<Path> defining(String name) {
            Set<Path> used = manifest.models().stream()
                    .flatMap(model -> modules.closure(model.module()).stream())
                    .collect(Collectors.toSet());
            return modules.defining(name).stream().filter(used::contains).toList();
        }

        /** A definition, and the file that it stands in. */
        private record Place(Path file, Definition found) {}

        /**
         * An action's in its own modules, else wherever the name is defined: those of the table of invariants first, then by
         * words.
         */
        private List<Place> definitions(String name, List<ActionRow> rows, @Nullable String module) {
            List<Path> files = rows.isEmpty()
                    ? module == null
                            ? defining(name)
                            : Stream.ofNullable(modules.find(module)).toList()
                    : rows.stream()
                            .flatMap(row -> Stream.ofNullable(modules.find(row.module())))
                            .toList();
            Set<String> own = Vocabulary.properties(modules.place()).stream()
                    .filter(row -> row.name().equals(name))
                    .map(PropertyRow::module)
                    .collect(Collectors.toSet());
            return files.stream()
                    .flatMap(file -> Stream.ofNullable(modules.definitions(file).definition(name))
                            .filter(found -> file.endsWith(found.module() + ".tla"))
                            .map(found -> new Place(file, modules.withComment(file, found))))
                    .sorted(Comparator.comparing(
                                    (Place place) -> !own.contains(place.found().module()))
                            .thenComparing(place -> place.found().comment().isEmpty()))
                    .toList();
        }
    }
}
