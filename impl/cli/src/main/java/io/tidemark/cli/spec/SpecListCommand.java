package io.tidemark.cli.spec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The models of the manifest. */
@picocli.CommandLine.Command(
        name = "list",
        description = "List the models: what each is for, what it should show, its size, its last full run on record.")
final class SpecListCommand implements Command {
    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec list", Set.of("json"));
        return SpecPlace.guarded(() -> publish(session));
    }

    private static ExitCode publish(Session session) throws InterruptedException {
        SpecPlace place = SpecPlace.of(session);
        List<Model> models = List.copyOf(place.manifest().models());
        Modules modules = place.modules();
        Report report = new Report("tidemark.spec.list/1");
        ArrayNode list = report.body().putArray("models");
        for (Model model : models) {
            Model.Ran ran = model.ran();
            list.addObject()
                    .put("name", model.name())
                    .put("module", model.moduleName())
                    .put("kind", model.kind().word())
                    .put("set", model.set().word())
                    .put("expected", model.expected().holds() ? "PASSED" : "VIOLATED")
                    .put("expectedProperty", model.expected().violated())
                    .put("control", model.control())
                    .put("distinctStates", model.expected().distinct())
                    .put("depth", model.expected().depth())
                    .put("steps", model.expected().steps())
                    .put("ran", ran == null ? null : ran.day().toString())
                    .put("onRecord", modules.onRecord(model))
                    .put("purpose", model.purpose());
        }
        return session.publish(report, out -> {
            Table table = new Table("name", "kind", "set", "expected", ">distinct", ">depth", "last run", "purpose");
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
                        Objects.requireNonNullElse(model.expected().distinct(), "?"),
                        Objects.requireNonNullElse(depth, "?"),
                        ran == null ? "never" : ran.day() + (modules.onRecord(model) ? "" : " (older modules)"),
                        model.purpose());
            }
            out.print(table);
        });
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec list";
    }
}
