package io.tidemark.cli.trace;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.spec.SpecPlace;
import io.tidemark.conformance.trace.TraceFile;
import io.tidemark.conformance.trace.TraceValidator;
import io.tidemark.conformance.trace.TraceValidator.Followed;
import io.tidemark.conformance.trace.TraceValidator.Rejection;
import io.tidemark.conformance.trace.TraceValidator.Result;
import io.tidemark.spec.tlc.TlcOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets TLC follow a trace. */
@picocli.CommandLine.Command(
        name = "validate",
        description = {
            "Let TLC say whether what a trace tells is a behaviour of the specification.",
            "Of a node that ran without a trace nothing is known: what comes after it is UNKNOWN, exit status 3. Stop the"
                    + " nodes first: traces of running ones end at different moments.",
            "The metadata quorum is followed, the controller, and each partition with its brokers. Where the"
                    + " specification cannot take a step, the event is named, with what was observed, what the"
                    + " specification expects, and what it would have allowed instead.",
            "--from and --events leave events out: the verdict is of those that were followed, and says how many."
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
            description =
                    "Follow at least so many events of the quorum, of the controller and of each partition, and on"
                            + " until all of its nodes are at work. Default: all.")
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
        int last = Math.max(1, trace.events().size());
        if (from > last) {
            throw new CliException(
                    "--from " + from,
                    "the trace has " + number(last) + " events" + (trace.ends() == null ? "" : " before its first gap"),
                    "1 to " + number(last),
                    ExitCode.USAGE);
        }
        SpecPlace place = SpecPlace.of(session);
        TraceValidator validator =
                new TraceValidator(place.spec(), place.state().resolve("run"), TlcOptions.standard());
        Result result = validator.validate(trace, from, events, session::note);
        return session.publish(report(result, trace.ends()), out -> tell(result, trace.ends(), out));
    }

    private Report report(Result result, @Nullable String ends) {
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
        notTested(result, ends).forEach(report::notTested);
        var body = report.body();
        body.put("events", result.events()).put("accepted", result.accepted()).put("segments", result.segments());
        var layers = body.putArray("layers");
        result.layers()
                .forEach(layer -> layers.addObject()
                        .put("name", layer.layer())
                        .put("events", layer.events())
                        .put("of", layer.of())
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

    /** @param ends why nothing can be said of what came after the last event; null where that is the end */
    private List<String> notTested(Result result, @Nullable String ends) {
        List<String> all = new ArrayList<>();
        all.add("what happens before all nodes of the quorum, or all replicas of a partition, have begun");
        all.addAll(leftOut(result));
        if (ends != null) {
            all.add(rest(ends));
        }
        // One cause may keep several layers from being followed.
        Map<String, List<String>> causes = new LinkedHashMap<>();
        for (Followed layer : result.layers()) {
            String cause = layer.unknown();
            if (cause != null && !cause.equals(ends)) {
                causes.computeIfAbsent(cause, none -> new ArrayList<>()).add(called(layer.layer()));
            }
        }
        causes.forEach((cause, layers) -> all.add(String.join(", ", layers) + ": " + cause));
        return all;
    }

    private static String rest(String ends) {
        return "the rest of the trace: " + ends;
    }

    /** What the user asked to leave out; of a layer that is rejected, the rest goes without saying. */
    private List<String> leftOut(Result result) {
        Rejection rejected = result.rejected();
        List<String> options = new ArrayList<>();
        if (from > 1) {
            options.add("--from " + from);
        }
        if (events < Integer.MAX_VALUE) {
            options.add("--events " + events);
        }
        List<String> all = new ArrayList<>();
        for (Followed layer : result.layers()) {
            if (layer.cut() && (rejected == null || !layer.layer().equals(rejected.layer()))) {
                all.add(called(layer.layer()) + ": " + followed(layer.events(), layer.of()) + " followed ("
                        + String.join(", ", options) + ")");
            }
        }
        if (from > 1) {
            all.add("events before " + number(from) + " (--from " + from + "): taken for the state that they left");
        }
        return all;
    }

    private static String followed(int events, int of) {
        return number(events) + " of " + number(of) + " events";
    }

    private static String runs(int segments) {
        return number(segments) + (segments == 1 ? " run of TLC" : " runs of TLC");
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String called(String layer) {
        return WHOLE.contains(layer) ? "the " + layer : "partition " + layer;
    }

    private void tell(Result result, @Nullable String ends, PrintStream out) {
        result.layers()
                .forEach(layer -> out.println(called(layer.layer()) + ": " + followed(layer.events(), layer.of()) + ", "
                        + runs(layer.segments())));
        Rejection rejected = result.rejected();
        String unknown = result.unknown();
        if (rejected != null) {
            tell(rejected, out);
        } else if (unknown != null) {
            out.println("unknown: " + unknown);
        } else {
            out.println("accepted: " + followed(result.events(), result.of()) + ", " + runs(result.segments()));
        }
        String told = unknown == null ? "" : rest(unknown);
        notTested(result, ends).stream()
                .filter(what -> !what.equals(told))
                .forEach(what -> out.println("not tested: " + what));
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
