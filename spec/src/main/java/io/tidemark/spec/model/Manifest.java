package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
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
            "base",
            "kind",
            "set",
            "constants",
            "check",
            "expected",
            "control",
            "distinct",
            "depth",
            "steps",
            "seconds",
            "date",
            "purpose");

    /** What is violated where nothing can happen any more. */
    public static final String DEADLOCK = "deadlock";

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
        Map<Path, ModelConfig> configs = new HashMap<>();
        rows.forEach((name, row) -> manifest.models.put(name, model(row, modules, configs)));
        rows.forEach((name, row) -> Control.check(row, manifest.models));
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

    private static Model model(Tsv.Row row, Modules modules, Map<Path, ModelConfig> configs) {
        Path module = modules.find(row.get("base"));
        if (module == null) {
            throw row.wrong("no module " + row.get("base"), "models/BASE.tla with its .cfg");
        }
        List<ConfigChange> changes = ConfigChange.list(row, row.get("constants"));
        ModelConfig config = configs.computeIfAbsent(Modules.config(module), ModelConfig::read)
                .with(changes);
        if (!row.get("check").isEmpty()) {
            ModelConfig check = ModelConfig.parse(row.get("check"), row.where());
            config = config.checking(check.invariants(), check.properties());
        }
        Model model = new Model(
                row.get("name"),
                word(row, "kind", ModelKind.class),
                word(row, "set", ModelSet.class),
                module,
                config,
                Control.control(row),
                changes,
                expectation(row),
                ran(row),
                row.get("purpose"),
                row.where());
        validate(row, model);
        return model;
    }

    private static void validate(Tsv.Row row, Model model) {
        String violated = model.expected().violated();
        if (!model.name().matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw row.wrong("the name " + model.name(), "letters, digits, dots and dashes");
        }
        if (model.kind() == ModelKind.REACH && violated == null) {
            throw row.wrong("a reach that expects PASSED", "the property that TLC must refute");
        }
        if (model.kind() != ModelKind.MUTANT && model.kind() != ModelKind.REACH && violated != null) {
            throw row.wrong("a " + model.kind().word() + " that expects " + violated + " to break", "PASSED");
        }
        if (violated != null
                && !violated.equals(DEADLOCK)
                && !model.config().invariants().contains(violated)
                && !model.config().properties().contains(violated)) {
            throw row.wrong(
                    "it expects " + violated + " to break and does not check it", "the property in the column check");
        }
        if (model.set() == ModelSet.USER) {
            throw row.wrong("the set user is for models outside of the manifest", "build or nightly");
        }
    }

    private static Expectation expectation(Tsv.Row row) {
        String expected = row.get("expected");
        if (!expected.matches("\\w+")) {
            throw row.wrong("expected is " + expected, "PASSED, or the name of what is violated");
        }
        Long depth = number(row, "depth");
        Long steps = number(row, "steps");
        return new Expectation(
                expected.equals("PASSED") ? null : expected,
                number(row, "distinct"),
                depth == null ? null : depth.intValue(),
                steps == null ? null : steps.intValue());
    }

    private static @Nullable Long number(Tsv.Row row, String column) {
        String cell = row.get(column);
        if (!cell.matches("\\d{0,15}")) {
            throw row.wrong(column + " is " + cell, "a number, ? where no run is on record, - where there is none");
        }
        return cell.isEmpty() ? null : Long.valueOf(cell);
    }

    private static Model.@Nullable Ran ran(Tsv.Row row) {
        List<String> parts = List.of(row.get("date").split("/", -1));
        try {
            return parts.get(0).isEmpty()
                    ? null
                    : new Model.Ran(LocalDate.parse(parts.get(0)), parts.size() > 1 ? parts.get(1) : "");
        } catch (DateTimeParseException e) {
            throw row.wrong("date is " + row.get("date"), "DAY/HASH as spec check --record writes it, or ?");
        }
    }

    private static <E extends Enum<E>> E word(Tsv.Row row, String column, Class<E> type) {
        try {
            return Enum.valueOf(type, row.get(column).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            String words = String.join(
                    ", ",
                    Arrays.stream(type.getEnumConstants())
                            .map(value -> value.name().toLowerCase(Locale.ROOT))
                            .toList());
            throw row.wrong(column + " is " + row.get(column), "one of " + words);
        }
    }
}
