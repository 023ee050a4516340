package io.tidemark.cli.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.core.broker.BrokerActions;
import io.tidemark.core.controller.ControllerActions;
import io.tidemark.core.partition.PartitionActions;
import io.tidemark.core.quorum.QuorumActions;
import io.tidemark.spec.check.Explanation;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Parameters;

/** What a name of the specification means, and where it is in the code. */
@picocli.CommandLine.Command(
        name = "explain",
        description = "Explain an action, a property, a guard or a model: its own words in the specification, its Java"
                + " method, its mutants, the KIP or incident that it comes from.")
final class SpecExplainCommand implements Command {
    private static final List<Class<?>> ACTIONS =
            List.of(QuorumActions.class, ControllerActions.class, BrokerActions.class, PartitionActions.class);

    @Parameters(paramLabel = "NAME", description = "An action, property, guard or model.")
    String name = "";

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec explain", Set.of("json"));
        return SpecPlace.guarded(() -> publish(session));
    }

    private ExitCode publish(Session session) throws InterruptedException {
        SpecPlace place = SpecPlace.of(session);
        Explanation.Source source = new Explanation.Source(place.modules(), place.vocabulary(), place.manifest());
        Explanation found = source.explain(name);
        if (found == null) {
            throw SpecPlace.unknown("spec explain", "name", name, source.names());
        }
        Report report = new Report("tidemark.spec.explain/1");
        json(found, report.body());
        return session.publish(report, out -> print(found, out));
    }

    private static void json(Explanation found, ObjectNode body) {
        body.put("name", found.name())
                .put("kind", found.kind())
                .put("module", found.module().isEmpty() ? null : found.module())
                .put("line", found.line() == 0 ? null : found.line())
                .put("banner", found.banner());
        var methods = body.putArray("methods");
        methods(found).forEach(methods::add);
        var sources = body.putArray("sources");
        found.rows().forEach(row -> sources.add(row.reason()));
        var guards = body.putArray("guards");
        found.guards()
                .forEach(guard -> guards.addObject()
                        .put("name", guard.guard())
                        .put("action", guard.action())
                        .put("rule", guard.rule())
                        .put("violated", guard.violated())
                        .put("source", guard.source()));
        var models = body.putArray("models");
        found.models()
                .forEach(model -> models.addObject()
                        .put("name", model.name())
                        .put("kind", model.kind().word())
                        .put("expectedProperty", model.expected().violated())
                        .put("purpose", model.purpose()));
    }

    private static void print(Explanation found, PrintStream out) {
        out.println(found.name() + ", " + found.kind()
                + (found.module().isEmpty() ? "" : " of " + found.module() + ".tla, line " + found.line()));
        if (!found.banner().isEmpty()) {
            out.println("  " + found.banner());
        }
        found.rows()
                .forEach(row -> out.println("  " + row.kind() + " in " + row.module()
                        + (row.reason().isEmpty() ? "" : "; " + row.reason())));
        methods(found).forEach(method -> out.println("  Java: " + method));
        boolean guard = found.kind().equals("guard");
        found.guards().forEach(row -> {
            out.println("  " + (guard ? "" : "guard " + row.guard() + ": ") + row.rule());
            if (guard) {
                out.println("  without it: " + row.violated());
                out.println("  source: " + row.source());
            }
        });
        found.models()
                .forEach(model -> out.println("  " + model.kind().word() + " " + model.name()
                        + (model.expected().holds()
                                ? ""
                                : ", breaks " + model.expected().violated()) + ": " + model.purpose()));
    }

    /** The methods of the code: of the action itself, or of the action that the guard stands in. */
    private static List<String> methods(Explanation found) {
        String action = found.rows().isEmpty() && found.kind().equals("guard")
                ? found.guards().get(0).action()
                : found.name();
        String method = action.substring(0, 1).toLowerCase(Locale.ROOT) + action.substring(1);
        Stream<String> own = ACTIONS.stream()
                .flatMap(type -> Arrays.stream(type.getMethods())
                        .filter(candidate -> candidate.getName().equals(method))
                        .map(candidate -> type.getName() + "." + method));
        Stream<String> constant = found.kind().equals("guard")
                ? Stream.of("io.tidemark.core.Guard."
                        + found.name().toUpperCase(Locale.ROOT).replace('-', '_'))
                : Stream.empty();
        return Stream.concat(own, constant).toList();
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
