package io.tidemark.cli.trace;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.spec.SpecPlace;
import io.tidemark.conformance.trace.TraceFile;
import io.tidemark.conformance.trace.TraceValidator;
import io.tidemark.conformance.trace.TraceValidator.Rejection;
import io.tidemark.conformance.trace.TraceValidator.Result;
import io.tidemark.spec.tlc.TlcOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets TLC follow a trace. */
@picocli.CommandLine.Command(
        name = "validate",
        description = {
            "Let TLC say whether what a trace tells is a behaviour of the specification.",
            "Of a node that ran without a trace nothing is known: what comes after it is UNKNOWN, exit status 3.",
            "The metadata quorum is followed, the controller, and each partition with its brokers. Where the"
                    + " specification cannot take a step, the event is named, with what was observed, what the"
                    + " specification expects, and what it would have allowed instead."
        })
final class TraceValidateCommand implements Command {
    private static final Set<String> WHOLE = Set.of("quorum", "controller");

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "The trace, or those of all nodes of a cluster, which are merged by cause.")
    List<Path> files = List.of();

    @Option(
            names = "--from",
            paramLabel = "EVENT",
            description = "Begin with this event; those before it say what the state is. Default: ${DEFAULT-VALUE}.")
    int from = 1;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Follow so many events of the quorum, of the controller and of each partition. Default: all.")
    int events = Integer.MAX_VALUE;

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("trace validate", Set.of("json"));
        atLeastOne("--from", from);
        atLeastOne("--events", events);
        return SpecPlace.guarded(() -> validate(session));
    }

    private static void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new CliException("trace validate", option + " " + value, "1 or more", ExitCode.USAGE);
        }
    }

    private ExitCode validate(Session session) throws InterruptedException {
        TraceFile trace = TraceFile.read(files);
        SpecPlace place = SpecPlace.of(session);
        TraceValidator validator =
                new TraceValidator(place.spec(), place.state().resolve("run"), TlcOptions.standard());
        Result result = validator.validate(trace, from, events, session::note);
        return session.publish(report(result), out -> tell(result, out));
    }

    private static Report report(Result result) {
        Report report = new Report("tidemark.trace.validate/1");
        Rejection rejected = result.rejected();
        String unknown = result.unknown();
        if (rejected != null) {
            report.exit(ExitCode.VIOLATED)
                    .verdict(Report.Verdict.VIOLATED)
                    .reason("TRACE_REJECTED", "event " + rejected.index() + " is no step of the specification");
        } else if (unknown != null) {
            report.exit(ExitCode.UNKNOWN).verdict(Report.Verdict.UNKNOWN).reason("NOT_FOLLOWED_TO_THE_END", unknown);
        } else {
            report.verdict(Report.Verdict.HOLDS);
        }
        notTested(result).forEach(report::notTested);
        var body = report.body();
        body.put("events", result.events()).put("accepted", result.accepted()).put("segments", result.segments());
        var layers = body.putArray("layers");
        result.layers()
                .forEach(layer -> layers.addObject()
                        .put("name", layer.layer())
                        .put("events", layer.events())
                        .put("segments", layer.segments())
                        .put("unknown", layer.unknown()));
        if (rejected == null) {
            body.putNull("rejectedAt");
        } else {
            var at = body.putObject("rejectedAt");
            at.put("index", rejected.index()).put("node", rejected.node()).put("action", rejected.action());
            at.put("layer", rejected.layer());
            at.put("partition", WHOLE.contains(rejected.layer()) ? null : rejected.layer());
            at.put("step", rejected.step());
            var observed = at.putObject("observed");
            rejected.observed().forEach(observed::put);
            Map<String, String> expects = rejected.expected();
            if (expects == null) {
                at.putNull("expected");
            } else {
                var expected = at.putObject("expected");
                expects.forEach(expected::put);
            }
            rejected.enabled().forEach(at.putArray("enabled")::add);
        }
        var actions = body.putArray("actions");
        result.actions()
                .forEach((name, taken) -> actions.addObject().put("name", name).put("taken", taken));
        return report;
    }

    private static List<String> notTested(Result result) {
        List<String> all = new ArrayList<>();
        all.add("what happens before all nodes of the quorum, or all replicas of a partition, have begun");
        result.layers().stream()
                .filter(layer -> layer.unknown() != null)
                .forEach(layer -> all.add(called(layer.layer()) + ": " + layer.unknown()));
        return all;
    }

    private static String called(String layer) {
        return WHOLE.contains(layer) ? "the " + layer : "partition " + layer;
    }

    private static void tell(Result result, PrintStream out) {
        result.layers()
                .forEach(layer -> out.println(called(layer.layer()) + ": " + layer.events() + " events, "
                        + layer.segments() + " runs of TLC"));
        Rejection rejected = result.rejected();
        if (rejected != null) {
            tell(rejected, out);
        } else if (result.unknown() != null) {
            out.println("unknown: " + result.unknown());
        } else {
            out.println("accepted: " + result.events() + " events, " + result.segments() + " runs of TLC");
        }
        notTested(result).forEach(what -> out.println("not tested: " + what));
    }

    private static void tell(Rejection rejected, PrintStream out) {
        out.println("rejected at event " + rejected.index() + ": node " + rejected.node() + ", " + rejected.action()
                + ", " + called(rejected.layer()));
        Map<String, String> expected = rejected.expected();
        if (expected == null) {
            out.println("  the specification cannot take " + rejected.step() + " here");
        }
        rejected.observed()
                .forEach((name, value) -> out.println("  " + name + ": observed " + value
                        + (expected == null ? "" : ", expected " + expected.get(name))));
        out.println("  possible here: " + String.join(", ", rejected.enabled()));
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark trace validate run.ndjson --events 500";
    }
}
