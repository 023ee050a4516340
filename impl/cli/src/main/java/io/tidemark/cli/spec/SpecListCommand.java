package io.tidemark.cli.spec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The models of the manifest, and the names that specification and code share. */
@picocli.CommandLine.Command(
        name = "list",
        description = {
            "List the models: what each should show (expected), what its last full run on record has shown (recorded), its"
                    + " size in distinct states, what it is for. Or list guards, actions or invariants.",
            "recorded is what the manifest keeps, not a run of yours: PASSED or VIOLATED as expected; 'never' where no run has"
                    + " come to its end; 'older modules' where a module or a bound has changed since. --wide has the day, --format"
                    + " json all of it; spec check runs a model here.",
            "On a terminal models are cut to its width and other lists folded; a file or a pipe gets lines as long as they are."
        })
final class SpecListCommand implements Command {
    @Option(names = "--guards", description = "The guards: rules that --without can switch off.")
    boolean guards;

    @Option(names = "--actions", description = "The actions: what can happen.")
    boolean actions;

    @Option(names = "--invariants", description = "The properties: what is checked.")
    boolean invariants;

    @Option(
            names = "--wide",
            description = "On a terminal, too, lines as long as they are; of models with depth, day and whole purpose.")
    boolean wide;

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec list", Set.of("json"));
        if (Stream.of(guards, actions, invariants).filter(asked -> asked).count() > 1) {
            throw new CliException(
                    "spec list",
                    "two lists",
                    "one of --guards, --actions and --invariants",
                    ExitCode.USAGE,
                    "BAD_VALUE",
                    null);
        }
        return SpecPlace.guarded(() -> publish(session));
    }

    private ExitCode publish(Session session) throws InterruptedException {
        SpecPlace place = SpecPlace.of(session);
        List<Model> models = List.copyOf(place.manifest().models());
        Modules modules = place.modules();
        Vocabulary vocabulary = place.vocabulary();
        List<PropertyRow> properties = Vocabulary.properties(place.spec());
        Report report = new Report("tidemark.spec.list/1");
        json(report.body(), models, modules);
        json(report.body(), vocabulary, properties);
        int width = wide ? Wrap.NOWHERE : Wrap.cutting(session.terminal());
        return session.publish(report, out -> {
            if (guards) {
                out.print(guards(vocabulary).folded(width));
            } else if (actions) {
                out.print(actions(vocabulary).folded(width));
            } else if (invariants) {
                out.print(invariants(properties).folded(width));
            } else {
                out.print(wide ? wide(models, modules) : models(models, modules).within(width));
                Wrap.lines(totals(models, modules), width, "  ").forEach(out::println);
            }
        });
    }

    private static void json(ObjectNode body, List<Model> models, Modules modules) {
        ArrayNode list = body.putArray("models");
        for (Model model : models) {
            Model.Ran ran = model.ran();
            list.addObject()
                    .put("name", model.name())
                    .put("module", model.moduleName())
                    .put("kind", model.kind().word())
                    .put("set", model.set().word())
                    .put("expected", model.expected().result())
                    .put("expectedProperty", model.expected().violated())
                    .put("control", model.control())
                    .put("distinctStates", model.expected().distinct())
                    .put("depth", model.expected().depth())
                    .put("steps", model.expected().steps())
                    .put("ran", ran == null ? null : ran.day().toString())
                    .put("onRecord", modules.onRecord(model))
                    .put("found", modules.found(model))
                    .put("purpose", model.purpose());
        }
    }

    private static void json(ObjectNode body, Vocabulary vocabulary, List<PropertyRow> properties) {
        ArrayNode guards = body.putArray("guards");
        vocabulary
                .guards()
                .forEach(row -> guards.addObject()
                        .put("name", row.guard())
                        .put("action", row.action())
                        .put("rule", row.rule())
                        .put("violated", row.violated().isEmpty() ? null : row.violated())
                        .put("inCode", row.inCode().isEmpty() ? null : row.inCode())
                        .put("source", row.source()));
        ArrayNode actions = body.putArray("actions");
        vocabulary
                .actions()
                .forEach(row -> actions.addObject()
                        .put("module", row.module())
                        .put("name", row.action())
                        .put("kind", row.kind())
                        .put("source", row.reason()));
        ArrayNode invariants = body.putArray("invariants");
        properties.forEach(row -> invariants
                .addObject()
                .put("module", row.module())
                .put("name", row.name())
                .put("code", row.code().isEmpty() ? null : row.code())
                .put("needs", row.needs().isEmpty() ? null : row.needs()));
    }

    private static Table models(List<Model> models, Modules modules) {
        Table table = new Table("name", "expected", "recorded", "set", ">distinct", "purpose");
        for (ModelKind kind : ModelKind.values()) {
            List<Model> rows =
                    models.stream().filter(model -> model.kind() == kind).toList();
            if (!rows.isEmpty()) {
                table.line("-- " + kind.word() + ": " + kind.meaning());
            }
            rows.forEach(model -> table.row(
                    model.name(),
                    model.expected().result(),
                    modules.found(model),
                    model.set().word(),
                    Objects.requireNonNullElse(model.expected().distinct(), "?"),
                    model.purpose()));
        }
        return table;
    }

    private static Table wide(List<Model> models, Modules modules) {
        Table table = new Table("name", "kind", "set", "expected", "recorded", "on", ">distinct", ">depth", "purpose");
        for (Model model : models) {
            Model.Ran ran = model.ran();
            Integer depth = model.expected().holds()
                    ? model.expected().depth()
                    : model.expected().steps();
            table.row(
                    model.name(),
                    model.kind().word(),
                    model.set().word(),
                    model.expected().holds() ? "PASSED" : model.expected().word(),
                    modules.found(model),
                    ran == null ? "-" : ran.day(),
                    Objects.requireNonNullElse(model.expected().distinct(), "?"),
                    Objects.requireNonNullElse(depth, "?"),
                    model.purpose());
        }
        return table;
    }

    /** How much of it has been seen. */
    static String totals(List<Model> models, Modules modules) {
        long never = count(models, model -> modules.found(model).equals("never"));
        long older = count(models, model -> modules.found(model).equals("older modules"));
        return models.size() + " rows: " + (models.size() - never - older) + " recorded, " + never
                + " never run to the end, " + older + " of older modules";
    }

    private static long count(List<Model> models, Predicate<Model> which) {
        return models.stream().filter(which).count();
    }

    private static Table guards(Vocabulary vocabulary) {
        Table table = new Table("guard", "action", "rule");
        vocabulary.guards().forEach(row -> table.row(row.guard(), row.action(), row.rule()));
        return table;
    }

    private static Table actions(Vocabulary vocabulary) {
        Table table = new Table("action", "module", "kind", "source");
        vocabulary.actions().forEach(row -> table.row(row.action(), row.module(), row.kind(), row.reason()));
        return table;
    }

    private static Table invariants(List<PropertyRow> properties) {
        Table table = new Table("property", "module", "says something where");
        properties.forEach(
                row -> table.row(row.name(), row.module(), row.needs().isEmpty() ? "always" : row.needs()));
        return table;
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec list --guards";
    }
}
