package io.tidemark.cli.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.check.Explanation;
import io.tidemark.spec.check.Explanation.Meaning;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** What a name of the specification means, and where it is in the code. */
@picocli.CommandLine.Command(
        name = "explain",
        description = "Explain an action, a property, a guard or a model: what the specification says of it, its Java"
                + " method, its mutants, the models that check it and whether they have run, a model's bounds, the KIP or"
                + " incident that it comes from.")
final class SpecExplainCommand implements Command {
    @Parameters(
            paramLabel = "NAME",
            description = "An action, property, guard or model. Where several modules define it, all are shown;"
                    + " MODULE!NAME is one of them.")
    String name = "";

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec explain", Set.of("json"));
        return SpecPlace.guarded(() -> publish(session));
    }

    private ExitCode publish(Session session) throws InterruptedException {
        SpecPlace place = SpecPlace.of(session);
        Modules modules = place.modules();
        Explanation.Source source = new Explanation.Source(modules, place.vocabulary(), place.manifest());
        Explanation found = source.explain(name);
        if (found == null) {
            throw SpecPlace.unknown(
                    "spec explain",
                    "name",
                    name,
                    source.names(),
                    "spec list, with --guards, --actions or --invariants");
        }
        Report report = new Report("tidemark.spec.explain/1");
        json(found, modules, report.body());
        int width = Wrap.width(session.terminal());
        return session.publish(
                report,
                out -> ExplanationText.lines(found, modules, Wrap.cutting(session.terminal()))
                        .forEach(line -> Wrap.lines(line, width, "    ").forEach(out::println)));
    }

    private static void json(Explanation found, Modules modules, ObjectNode body) {
        Meaning first = found.first();
        body.put("name", found.name())
                .put("kind", found.kind())
                .put("module", first.module().isEmpty() ? null : first.module())
                .put("line", first.line() == 0 ? null : first.line())
                .put("banner", first.banner());
        var elsewhere = body.putArray("elsewhere");
        found.meanings().stream()
                .skip(1)
                .filter(meaning -> meaning.line() > 0)
                .forEach(meaning -> elsewhere.add(ExplanationText.place(meaning)));
        var definitions = body.putArray("definitions");
        found.meanings().stream().filter(meaning -> !meaning.module().isEmpty()).forEach(meaning -> {
            ObjectNode definition = definitions
                    .addObject()
                    .put("module", meaning.module())
                    .put("line", meaning.line())
                    .put("banner", meaning.banner());
            PropertyRow property = meaning.property();
            var classes = definition.putArray("checkedBy");
            if (property != null) {
                property.classes().forEach(classes::add);
            }
            definition.put(
                    "checkedByReason", property == null || property.reason().isEmpty() ? null : property.reason());
        });
        var methods = body.putArray("methods");
        ExplanationText.methods(found).forEach(methods::add);
        var sources = body.putArray("sources");
        found.rows().forEach(row -> sources.add(row.reason()));
        var guards = body.putArray("guards");
        found.guards()
                .forEach(guard -> guards.addObject()
                        .put("name", guard.guard())
                        .put("action", guard.action())
                        .put("rule", guard.rule())
                        .put("violated", guard.violated().isEmpty() ? null : guard.violated())
                        .put("inCode", guard.inCode().isEmpty() ? null : guard.inCode())
                        .put("source", guard.source()));
        var models = body.putArray("models");
        found.models()
                .forEach(model -> models.addObject()
                        .put("name", model.name())
                        .put("kind", model.kind().word())
                        .put("expectedProperty", model.expected().violated())
                        .put("found", modules.found(model))
                        .put("bounds", Bounds.of(model, modules).inWords())
                        .put("purpose", model.purpose()));
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec explain hw-maximal-isr";
    }
}
