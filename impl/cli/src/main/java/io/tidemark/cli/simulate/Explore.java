package io.tidemark.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.conformance.Exploration;
import io.tidemark.node.config.Nearest;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** {@code simulate --explore MODEL}: the whole state space of a model, over the code's cores and by TLC at once. */
final class Explore {
    private static final long MINUTE_MS = 60_000;
    private static final String NOT_TESTED =
            "bounds beyond the model's; storage, wire and time: the cores alone take the steps";

    private final Session session;
    private final Path spec;
    private final Model model;

    Explore(Session session, String name) {
        this.session = session;
        this.spec = session.installation().home().resolve("spec");
        try {
            Manifest manifest = Manifest.read(spec);
            Model found = manifest.model(name);
            if (found == null) {
                List<String> known = manifest.models().stream().map(Model::name).toList();
                String nearest = Nearest.to(name, known);
                throw new CliException(
                        "--explore",
                        "unknown model '" + name + "'",
                        nearest == null
                                ? "see " + Installation.called() + " spec list"
                                : "did you mean " + nearest + "?",
                        ExitCode.USAGE,
                        "UNKNOWN_NAME",
                        nearest);
            }
            this.model = found;
        } catch (SpecException e) {
            throw new CliException(e.where(), e.what(), e.expected(), ExitCode.INPUT);
        }
    }

    ExitCode run() throws InterruptedException {
        long began = System.nanoTime();
        Progress progress = session.progress();
        return Interruption.cooperate(
                () -> {
                    Exploration.Report found;
                    try (progress) {
                        found = Exploration.of(spec, model, Set.of(), states -> {
                            progress.update("explore " + model.name() + ": " + states + " states");
                            return !Thread.currentThread().isInterrupted();
                        });
                    }
                    boolean interrupted = Interruption.cause() != null;
                    ExitCode code = publish(found, began);
                    if (interrupted && Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    return code;
                },
                () -> {});
    }

    private ExitCode publish(Exploration.Report found, long began) throws InterruptedException {
        long tookMs = Math.max(1, (System.nanoTime() - began) / 1_000_000);
        long perMinute = found.states() * MINUTE_MS / tookMs;
        Report report = new Report("tidemark.simulate.explore/1");
        ExitCode interrupted = Interruption.cause();
        switch (found.result()) {
            case EQUAL -> report.verdict(Report.Verdict.HOLDS);
            case DIFFERS ->
                report.verdict(Report.Verdict.VIOLATED)
                        .exit(ExitCode.VIOLATED)
                        .reason(
                                found.broken() == null ? "GRAPHS_DIFFER" : "INVARIANT_BROKEN",
                                found.broken() == null ? "code and specification part" : found.broken());
            case UNKNOWN ->
                report.verdict(Report.Verdict.UNKNOWN)
                        .exit(interrupted == null ? ExitCode.UNKNOWN : interrupted)
                        .reason("NOT_EXPLORED", found.reason());
        }
        String within = Bounds.of(model, new Modules(spec)).inWords();
        report.notTested(NOT_TESTED);
        var body = report.body();
        body.put("model", model.name()).put("within", within).put("states", found.states());
        body.put("statesPerMinute", perMinute);
        ArrayNode actions = body.putArray("actions");
        found.edges()
                .forEach((name, taken) -> actions.addObject().put("name", name).put("taken", taken));
        body.put("broken", found.broken()).put("difference", found.difference());
        return session.publish(report, out -> print(out, found, within, perMinute));
    }

    private void print(PrintStream out, Exploration.Report found, String within, long perMinute) {
        found.edges().forEach((name, taken) -> out.printf("  %-32s %,12d%n", name, taken));
        String reached = String.format("%,d states, %,d a minute", found.states(), perMinute);
        if (found.result() != Exploration.Result.UNKNOWN) {
            out.println("within      " + within);
            out.println("not tested  " + NOT_TESTED);
        }
        switch (found.result()) {
            case EQUAL ->
                out.println("HOLDS: the code reaches the states of " + model.name()
                        + " and no others, by the same steps: " + reached);
            case DIFFERS -> {
                if (found.difference() != null) {
                    out.print(found.difference());
                }
                out.println("VIOLATED: "
                        + (found.broken() == null ? "code and specification part" : "a state breaks " + found.broken())
                        + "; " + reached);
            }
            case UNKNOWN -> out.println("UNKNOWN: " + found.reason() + "; " + reached);
        }
    }
}
