package io.tidemark.cli.trace;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.conformance.TraceReplay;
import io.tidemark.core.Guard;
import io.tidemark.node.config.Nearest;
import io.tidemark.spec.SpecException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a saved behaviour of the specification on the code. */
@picocli.CommandLine.Command(
        name = "replay",
        description = {
            "Take a behaviour of the specification, such as a counterexample that spec check has saved, on real cores: action"
                    + " by action, each state compared over all variables.",
            "A counterexample of a mutant is taken twice: by cores without the guard, which must break the same property, and"
                    + " by cores with all guards, which must refuse a step."
        })
final class TraceReplayCommand implements Command {
    @Parameters(paramLabel = "FILE", description = "The behaviour, in ITF.")
    Path file = Path.of("");

    @Option(
            names = "--without",
            paramLabel = "GUARD",
            split = ",",
            description = "Guards that the behaviour lacks, beside those that the file names.")
    List<String> without = List.of();

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("trace replay", Set.of("json"));
        Path spec = session.installation().home().resolve("spec");
        TraceReplay.Report found;
        try {
            found = TraceReplay.of(spec, file, guards());
        } catch (SpecException e) {
            throw new CliException(e.where(), e.what(), e.expected(), ExitCode.INPUT);
        }
        Report report = new Report("tidemark.trace.replay/1");
        verdict(found, report);
        json(found, report);
        return session.publish(report, out -> text(found).forEach(out::println));
    }

    private Set<Guard> guards() {
        Set<Guard> guards = EnumSet.noneOf(Guard.class);
        Map<String, Guard> known = new TreeMap<>();
        for (Guard guard : Guard.values()) {
            known.put(guard.specName(), guard);
        }
        for (String name : without) {
            Guard guard = known.get(name);
            if (guard == null) {
                String nearest = Nearest.to(name, known.keySet());
                throw new CliException(
                        "--without",
                        "unknown guard '" + name + "'",
                        nearest == null
                                ? "see " + Installation.called() + " spec list --guards"
                                : "did you mean " + nearest + "?",
                        ExitCode.USAGE,
                        "UNKNOWN_NAME",
                        nearest);
            }
            guards.add(guard);
        }
        return guards;
    }

    private static void verdict(TraceReplay.Report found, Report report) {
        switch (found.result()) {
            case SAME, GUARDED -> report.verdict(Report.Verdict.HOLDS);
            case DIFFERS ->
                report.verdict(Report.Verdict.VIOLATED)
                        .exit(ExitCode.VIOLATED)
                        .reason("REPLAY_DIFFERS", found.reason());
            case UNKNOWN ->
                report.verdict(Report.Verdict.UNKNOWN).exit(ExitCode.UNKNOWN).reason("NOT_REPLAYABLE", found.reason());
        }
        report.notTested("Storage and wire: cores alone take the steps, their records are kept in memory");
    }

    private void json(TraceReplay.Report found, Report report) {
        var body = report.body();
        body.put("file", file.toString()).put("result", found.result().name());
        found.off().forEach(body.putArray("off")::add);
        body.put("violated", found.violated()).put("shown", found.shown());
        if (found.refusedAt() < 0) {
            body.putNull("refusedAt");
        } else {
            body.put("refusedAt", found.refusedAt());
        }
        found.refusedBy().forEach(body.putArray("refusedBy")::add);
        found.differences().forEach(body.putArray("differences")::add);
        var steps = body.putArray("steps");
        found.steps()
                .forEach(step -> steps.addObject()
                        .put("call", step.call())
                        .put("without", step.without())
                        .put("whole", step.whole()));
    }

    private static List<String> text(TraceReplay.Report found) {
        List<String> lines = new ArrayList<>();
        boolean mutant = !found.off().isEmpty();
        String guards = String.join(", ", found.off());
        if (!found.steps().isEmpty()) {
            lines.add(mutant ? "step  without  all guards  action" : "step  code     action");
        }
        for (int i = 0; i < found.steps().size(); i++) {
            TraceReplay.Step step = found.steps().get(i);
            lines.add(
                    mutant
                            ? String.format(
                                    Locale.ROOT, "%4d  %-7s  %-10s  %s", i, step.without(), step.whole(), step.call())
                            : String.format(Locale.ROOT, "%4d  %-7s  %s", i, step.whole(), step.call()));
        }
        found.differences().forEach(line -> lines.add("  " + line));
        lines.add(
                switch (found.result()) {
                    case SAME -> "HOLDS: the code shows the same states to the end";
                    case GUARDED ->
                        "HOLDS: without " + guards + " the code "
                                + (found.shown() == null
                                        ? "takes every step"
                                        : "breaks " + found.violated() + " as well")
                                + "; with all guards it refuses step " + found.refusedAt()
                                + (found.refusedBy().isEmpty()
                                        ? ", by several together"
                                        : ": " + String.join(", ", found.refusedBy()));
                    case DIFFERS -> "VIOLATED: " + found.reason();
                    case UNKNOWN -> "UNKNOWN: " + found.reason();
                });
        return lines;
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark trace replay .tidemark/spec/counterexamples/without-vote-once-0123abcd.itf.json";
    }
}
