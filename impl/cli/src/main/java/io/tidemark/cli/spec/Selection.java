package io.tidemark.cli.spec;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.spec.model.Definitions;
import io.tidemark.spec.model.Expectation;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelConfig;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary.GuardRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The models that a command line means. */
final class Selection {
    private final SpecPlace place;
    private final Manifest manifest;
    private final Modules modules;
    private final CheckOptions options;

    Selection(SpecPlace place, Manifest manifest, Modules modules, CheckOptions options) {
        this.place = place;
        this.manifest = manifest;
        this.modules = modules;
        this.options = options;
    }

    /**
     * Whether each action must be taken: in all models of the build as they are, alone or with the large ones. These alone need
     * not take what the build's do.
     */
    boolean wholeSet(List<String> names) {
        return names.isEmpty() && !options.mutants && !options.nightly && options.asWritten();
    }

    List<Model> models(List<String> names) {
        long sets = Stream.of(options.all, options.nightly, options.mutants, !names.isEmpty())
                .filter(given -> given)
                .count();
        if (sets > 1) {
            throw usage("two selections", "MODEL..., --all, --nightly or --mutants");
        }
        checkGuards();
        List<Model> chosen =
                names.isEmpty() ? set() : names.stream().map(this::named).toList();
        if (chosen.isEmpty()) {
            throw usage("no such model in the manifest", "see " + Installation.called() + " spec list");
        }
        return options.without.isEmpty() && options.set.isEmpty() && options.properties.isEmpty()
                ? chosen
                : chosen.stream().map(this::changed).toList();
    }

    /** Without a name {@code --without GUARD} means the models in which its mutants live. */
    private List<Model> set() {
        if (!options.without.isEmpty() && !options.all && !options.nightly && !options.mutants) {
            return manifest.models().stream()
                    .filter(model -> model.kind() == ModelKind.MUTANT
                            && model.config().off().containsAll(options.without))
                    .limit(1)
                    .toList();
        }
        return manifest.models().stream()
                .filter(model -> options.all
                        || (options.mutants
                                ? model.kind() == ModelKind.MUTANT
                                : model.set() == (options.nightly ? ModelSet.NIGHTLY : ModelSet.BUILD)))
                .toList();
    }

    private void checkGuards() {
        List<String> known =
                place.vocabulary().guards().stream().map(GuardRow::guard).toList();
        for (String guard : options.without) {
            if (!known.contains(guard)) {
                throw SpecPlace.unknown("spec check --without", "guard", guard, known, "spec list --guards");
            }
        }
    }

    private Model named(String name) {
        Model model = manifest.model(name);
        if (model != null) {
            return model;
        }
        Path file = Path.of(name.endsWith(".tla") ? name : name + ".tla").toAbsolutePath();
        if (!name.endsWith(".tla") && Files.exists(Path.of(name)) && !Files.isRegularFile(file)) {
            throw new CliException(
                    name,
                    "is no TLA+ module (.tla)",
                    "a row of " + Installation.called() + " spec list, or a module",
                    ExitCode.INPUT);
        }
        if (!Files.isRegularFile(file) && (name.endsWith(".tla") || name.contains("/"))) {
            throw new CliException(
                    name,
                    "no such file",
                    "a row of " + Installation.called() + " spec list, or a module",
                    ExitCode.INPUT);
        }
        if (!Files.isRegularFile(file)) {
            throw SpecPlace.unknown(
                    "spec check",
                    "model",
                    name,
                    manifest.models().stream().map(Model::name).toList(),
                    "spec list");
        }
        Path config = options.config == null ? Modules.config(file) : options.config;
        return new Model(
                String.valueOf(file.getFileName()).replaceFirst("\\.tla$", ""),
                ModelKind.MODEL,
                ModelSet.USER,
                file,
                ModelConfig.read(config),
                null,
                List.of(),
                Expectation.HOLDS,
                null,
                "",
                file.toString());
    }

    /** As the command line changes it. It should hold then, whatever the manifest says of the model as it was. */
    private Model changed(Model model) {
        ModelConfig config = model.config().with(options.changes());
        for (String guard : options.without) {
            if (!modules.definitions(model.module()).guards().contains(guard)) {
                throw new CliException(
                        "spec check --without",
                        model.name() + " never consults the guard " + guard,
                        "a model whose modules have On(\"" + guard + "\"); see " + Installation.called()
                                + " spec explain " + guard,
                        ExitCode.USAGE,
                        "BAD_VALUE",
                        null);
            }
            config = config.off().contains(guard) ? config : config.without(guard);
        }
        checkConstants(model);
        config = modules.checking(config, model.module(), options.properties, "spec check --property");
        return model.with(config, Expectation.HOLDS);
    }

    private void checkConstants(Model model) {
        if (options.set.isEmpty()) {
            return;
        }
        Definitions found = modules.definitions(model.module());
        List<String> known = new ArrayList<>(found.constants());
        known.addAll(found.definitions().keySet());
        options.changes().stream()
                .filter(change -> !change.isKeyword() && !known.contains(change.name()))
                .findFirst()
                .ifPresent(change -> {
                    throw SpecPlace.unknown("spec check --set", "constant", change.name(), known, "spec explain MODEL");
                });
    }

    private static CliException usage(String what, String expected) {
        return new CliException("spec check", what, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }
}
