package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The models that come with the specification: the rows of every {@code manifest*.tsv} in its directory. Their format is
 * told in {@code spec/README.md}.
 */
public final class Manifest {
    public static final List<String> COLUMNS = List.of(
            "name",
            "kind",
            "set",
            "base",
            "overrides",
            "properties",
            "expected",
            "distinct",
            "depth",
            "ran",
            "purpose");

    private final Map<String, Model> models = new LinkedHashMap<>();

    private Manifest() {}

    /** Reads and resolves all rows. */
    public static Manifest read(Path spec) {
        Map<String, Tsv.Row> rows = new LinkedHashMap<>();
        for (Path file : files(spec)) {
            for (Tsv.Row row : Tsv.read(file, COLUMNS)) {
                if (rows.put(row.get("name"), row) != null) {
                    throw row.wrong("the name " + row.get("name") + " is there twice", "a name of its own");
                }
            }
        }
        Manifest manifest = new Manifest();
        Modules modules = new Modules(spec);
        rows.values().forEach(row -> manifest.resolve(row, rows, modules, 0));
        return manifest;
    }

    /** The manifest's files, by name. */
    public static List<Path> files(Path spec) {
        TreeSet<Path> files = new TreeSet<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(spec, "manifest*.tsv")) {
            found.forEach(files::add);
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT,
                    spec.toString(),
                    "cannot be read",
                    "the directory of the specification");
        }
        return List.copyOf(files);
    }

    public Collection<Model> models() {
        return models.values();
    }

    /** The model of this name, null if there is none. */
    public @Nullable Model model(String name) {
        return models.get(name);
    }

    private Model resolve(Tsv.Row row, Map<String, Tsv.Row> rows, Modules modules, int depth) {
        String name = row.get("name");
        Model known = models.get(name);
        if (known != null) {
            return known;
        }
        if (depth > rows.size()) {
            throw row.wrong("its bases go round in a circle", "a base that ends at a module");
        }
        String baseName = row.get("base");
        Tsv.Row baseRow = baseName.equals(name) ? null : rows.get(baseName);
        Model base = baseRow == null ? null : resolve(baseRow, rows, modules, depth + 1);
        Path module = base != null ? base.module() : modules.find(baseName);
        if (module == null) {
            throw row.wrong(
                    "base " + baseName + " is neither a row nor a module", "a name, or models/NAME.tla with its .cfg");
        }
        ModelConfig from = base != null ? base.config() : ModelConfig.read(Modules.config(module));
        List<ConfigChange> overrides = ConfigChange.list(row, row.get("overrides"));
        Expectation expected = expectation(row);
        Model model = new Model(
                name,
                word(row, "kind", ModelKind.class),
                word(row, "set", ModelSet.class),
                module,
                modules.checking(
                        from.with(overrides), module, properties(row, expected), row.file() + ":" + row.line()),
                base == null ? null : baseName,
                overrides,
                expected,
                ran(row),
                row.get("purpose"),
                row.file() + ":" + row.line());
        validate(row, model, base);
        models.put(name, model);
        return model;
    }

    /** What is checked: what the row names; else of a violation the violated property alone; else all of the base. */
    private static List<String> properties(Tsv.Row row, Expectation expected) {
        List<String> named = new ArrayList<>(List.of(row.get("properties").split("[ ,]+", -1)));
        named.removeIf(String::isEmpty);
        String violated = expected.violated();
        return named.isEmpty() && violated != null && !violated.equals(DEADLOCK) ? List.of(violated) : named;
    }

    /** What is violated where a model must deadlock. */
    public static final String DEADLOCK = "deadlock";

    private static void validate(Tsv.Row row, Model model, @Nullable Model base) {
        boolean breaks = model.kind() == ModelKind.MUTANT || model.kind() == ModelKind.REACH;
        if (!model.name().matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw row.wrong("the name " + model.name(), "letters, digits, dots and dashes");
        }
        if (breaks == model.expected().holds()) {
            throw row.wrong(
                    "a " + model.kind().word() + " that expects "
                            + model.expected().word(),
                    breaks ? "VIOLATED and the property" : "PASSED");
        }
        if (model.kind() == ModelKind.MUTANT
                && (base == null || !base.expected().holds())) {
            throw row.wrong("a mutant without a control", "as base a row that expects PASSED at the same bounds");
        }
        if (model.set() == ModelSet.USER) {
            throw row.wrong("the set user is for models outside of the manifest", "build or nightly");
        }
    }

    private static Expectation expectation(Tsv.Row row) {
        String[] words = row.get("expected").split(" ", -1);
        boolean passed = words.length == 1 && words[0].equals("PASSED");
        if (!passed && !(words.length == 2 && words[0].equals("VIOLATED"))) {
            throw row.wrong("expected is " + row.get("expected"), "PASSED, or VIOLATED and a property");
        }
        try {
            return new Expectation(
                    passed ? null : words[1],
                    row.get("distinct").isEmpty() ? null : Long.valueOf(row.get("distinct")),
                    row.get("depth").isEmpty() ? null : Integer.valueOf(row.get("depth")));
        } catch (NumberFormatException e) {
            throw row.wrong("distinct and depth are numbers: " + e.getMessage(), "a number, or -");
        }
    }

    private static Model.@Nullable Ran ran(Tsv.Row row) {
        String cell = row.get("ran");
        if (cell.isEmpty()) {
            return null;
        }
        try {
            List<String> parts = List.of(cell.split("/", -1));
            return new Model.Ran(LocalDate.parse(parts.get(0)), parts.get(1));
        } catch (DateTimeParseException | IndexOutOfBoundsException e) {
            throw row.wrong("ran is " + cell, "DATE/HASH as spec check --record writes it, or -");
        }
    }

    private static <E extends Enum<E>> E word(Tsv.Row row, String column, Class<E> type) {
        try {
            return Enum.valueOf(type, row.get(column).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            String words = String.join(
                    ", ",
                    java.util.Arrays.stream(type.getEnumConstants())
                            .map(value -> value.name().toLowerCase(Locale.ROOT))
                            .toList());
            throw row.wrong(column + " is " + row.get(column), "one of " + words);
        }
    }
}
