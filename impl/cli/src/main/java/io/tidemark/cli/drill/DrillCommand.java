package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.node.config.Launcher;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The main job: real nodes under load and faults, and what became of every record that they acknowledged. */
@picocli.CommandLine.Command(
        name = "drill",
        description = {
            "Start a cluster of separate processes on free loopback ports, put load on it, kill, freeze and restart its"
                    + " nodes, then tell whether every acknowledged record is still there and was read consistently.",
            "The verdict is HOLDS, VIOLATED or UNKNOWN; HOLDS needs evidence that the faults took effect. The nodes use"
                    + " broker.session.timeout.ms=3000, broker.heartbeat.interval.ms=500 and"
                    + " initial.broker.registration.timeout.ms=180000.",
            "A cluster that is not ready within 2 minutes puts nothing to the test: UNKNOWN, NOT_STARTED.",
            "The run's directory (history, report, every lost record in lost.tsv, data, logs) is .tidemark/drill/run-*, or"
                    + " what --dir names. After HOLDS it is removed unless --dir names it; else only you remove it.",
            "Behind the load come, at most: 2 minutes for the fault under way, 3 until all is healed, acknowledged and"
                    + " the load ended, 2 for the final read, 3 for its check, 1 to compare the replicas. What is not done"
                    + " by then is UNKNOWN.",
            "RPO is what was lost; RTO the time from a fault's start to the first acknowledgement of a record sent after"
                    + " it, less the usual latency. Reports end with what their terms mean.",
            "--out writes json, md, junit and edn, the history for Jepsen's checkers."
        })
public final class DrillCommand implements Command {
    @Mixin
    DrillOptions options = new DrillOptions();

    @Option(names = "--list-faults", description = "List faults and targets, and exit.")
    boolean listFaults;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        if (listFaults) {
            session.checkOut("drill --list-faults", Set.of("json"));
            return FaultList.publish(session);
        }
        session.checkOut("drill", Set.of("json", "edn", "md", "junit"));
        DrillConfig config = options.config();
        if (config.faults().isEmpty()) {
            session.note("tidemark: with --faults none the verdict cannot be HOLDS: "
                    + (config.acknowledgesAlone()
                            ? "a leader is killed once, to show what --acks " + config.acks() + " may lose"
                            : "without a fault it is UNKNOWN whether anything would be lost in one"));
        }
        RunDirectory place =
                RunDirectory.create(options.dir, session.installation().state(), config.fillsDisk());
        ClientLogs.redirect(place.dir().resolve("clients.log"));
        NodeJvm jvm = NodeJvm.of(session.installation(), System.getenv()).endingWith(ProcessHandle.current());
        try (DrillCluster cluster =
                new ProcessCluster(place.cluster(), config, jvm, session.err(), DrillConfig.START_LIMIT)) {
            return run(session, config, place, cluster, DrillRun.FINAL_READ_LIMIT);
        }
    }

    /** The drill against any cluster; ends it. */
    static ExitCode run(
            Session session, DrillConfig config, RunDirectory place, DrillCluster cluster, Duration finalReadLimit)
            throws InterruptedException {
        session.note("tidemark: drill of " + config.load().toSeconds() + " s, seed " + config.seed() + ", in "
                + place.dir() + (place.given() ? "" : ", kept unless nothing is wrong"));
        Progress progress = session.progress();
        DrillRun run = new DrillRun(config, cluster, place.history(), progress, finalReadLimit);
        return Interruption.cooperate(
                () -> {
                    DrillOutcome outcome;
                    try (progress) {
                        outcome = run.run();
                        if (outcome.started()) {
                            progress.update("drill: stopping the nodes");
                            cluster.stop();
                        } else {
                            cluster.close();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return publish(session, config, place, outcome, DrillVerdict.of(config, outcome));
                },
                () -> {
                    cluster.close();
                    ExitCode code = Interruption.cause();
                    DrillVerdict verdict =
                            DrillVerdict.interrupted(run.partial(), code == null ? ExitCode.INTERRUPTED : code);
                    publish(session, config, place, run.partial(), verdict);
                });
    }

    /** Tells how the drill ended; its directory, where it is kept, is the last line. */
    static ExitCode publish(
            Session session, DrillConfig config, RunDirectory place, DrillOutcome outcome, DrillVerdict verdict)
            throws InterruptedException {
        Report report = DrillDocument.of(config, outcome, verdict);
        boolean keep = place.given() || verdict.verdict() != Report.Verdict.HOLDS || verdict.exitCode() != ExitCode.OK;
        if (keep) {
            try {
                Files.writeString(place.report(), DrillText.of(config, outcome, verdict, 0));
                if (!outcome.lost().isEmpty()) {
                    Files.writeString(place.lost(), LostList.of(outcome));
                }
                artifacts(report, place);
            } catch (IOException e) {
                // A disk may be full of what the drill wrote: its result is worth more than its files.
                session.warn(place.dir() + ": the report cannot be written there: " + e);
            }
        }
        if (keep) {
            // Before the result, whose last line is the directory alone.
            session.note("tidemark: " + place.dir() + " stays until you remove it" + place.earlier());
        }
        ExitCode code = session.publish(
                report,
                out -> print(session, config, place, outcome, verdict, keep, out),
                others(session, config, place, outcome, verdict));
        if (keep) {
            return code;
        }
        try {
            place.delete();
            session.note("tidemark: nothing wrong: " + place.dir() + " removed");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return code;
    }

    private static void print(
            Session session,
            DrillConfig config,
            RunDirectory place,
            DrillOutcome outcome,
            DrillVerdict verdict,
            boolean keep,
            PrintStream out) {
        String text = DrillText.of(config, outcome, verdict, TextLines.width(session));
        String word = verdict.verdict().name();
        int colour = switch (verdict.verdict()) {
            case HOLDS -> 32;
            case VIOLATED -> 31;
            case UNKNOWN -> 33;
        };
        out.print(
                session.colour()
                        ? "\u001B[1;" + colour + "m" + word + "\u001B[0m" + text.substring(word.length())
                        : text);
        if (keep) {
            if (!place.cluster().startsWith(place.dir())) {
                out.println(Launcher.word(place.cluster()));
            }
            out.println(Launcher.word(place.dir()));
        }
    }

    /** What {@code --out} writes beside JSON. */
    private static Map<String, Consumer<PrintStream>> others(
            Session session, DrillConfig config, RunDirectory place, DrillOutcome outcome, DrillVerdict verdict) {
        Map<String, Consumer<PrintStream>> others = new LinkedHashMap<>();
        others.put("md", out -> out.print(DrillMarkdown.of(config, outcome, verdict)));
        others.put("junit", out -> out.print(DrillJunit.of(config, outcome, verdict, session.durationMs())));
        others.put("edn", out -> {
            try {
                if (Files.exists(place.history())) {
                    Files.copy(place.history(), out);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return others;
    }

    private static void artifacts(Report report, RunDirectory place) {
        report.artifact("dir", place.dir().toString());
        report.artifact("report", place.dir().relativize(place.report()).toString());
        if (Files.exists(place.history())) {
            report.artifact("history", place.dir().relativize(place.history()).toString());
        }
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN);
    }

    @Override
    public String example() {
        return "./tidemark drill --for 60s --faults kill@leader,freeze@controller --seed 7";
    }
}
