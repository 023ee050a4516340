package io.tidemark.cli.drill;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultSpec;
import io.tidemark.workload.fault.FaultTarget;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The main job: real nodes under load and faults, and what became of every record that they acknowledged. */
@picocli.CommandLine.Command(
        name = "drill",
        description = {
            "Start a cluster of separate processes on free loopback ports, put load on it, kill, freeze and restart its"
                    + " nodes, then tell whether every acknowledged record is still there and was read consistently.",
            "The verdict is HOLDS, VIOLATED or UNKNOWN; HOLDS needs evidence that the faults took effect. The nodes use"
                    + " broker.session.timeout.ms=3000 and broker.heartbeat.interval.ms=500.",
            "The run's directory (history, report, data, logs) is kept when anything is wrong and where --dir names it."
        })
public final class DrillCommand implements Command {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(s|m|h)");

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes, broker and controller in one (3).")
    int nodes = 3;

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic under load (12).")
    int partitions = 12;

    @Option(
            names = {"--replication-factor", "--rf"},
            paramLabel = "N",
            description = "Replicas of each partition (3).")
    int replicationFactor = 3;

    @Option(
            names = {"--min-insync-replicas", "--min-isr"},
            paramLabel = "N",
            description = "Kafka's min.insync.replicas (2).")
    int minInsyncReplicas = 2;

    @Option(
            names = "--acks",
            paramLabel = "all|1|0",
            description = "The producers' acks (all, idempotent). With 1 or 0 the first fault makes loss certain.")
    String acks = "all";

    @Option(names = "--rate", paramLabel = "N", description = "Records per second (1000).")
    int rate = 1_000;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "How long, as 60s, 10m or 1h (60s). A slow machine takes at most as long again, until each kind of"
                            + " fault was tried.")
    String load = "60s";

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "LIST",
            description = "Faults, as kill@leader,freeze@controller; all; none (all). See --list-faults.")
    List<String> faults = List.of("all");

    @Option(names = "--list-faults", description = "List faults and targets, and exit.")
    boolean listFaults;

    @Option(names = "--seed", paramLabel = "N", description = "Order and targets of the faults (random, reported).")
    @Nullable
    Long seed;

    @Option(
            names = {"--unclean-leader-election", "--unclean"},
            paramLabel = "true|false",
            arity = "1",
            description = "Kafka's unclean.leader.election.enable (false).")
    boolean unclean;

    @Option(
            names = "--flush",
            paramLabel = "none|every-message",
            description = "When partitions are fsynced: as Kafka by default, or at every append (none).")
    String flush = "none";

    @Option(
            names = "--expect",
            paramLabel = "holds|loss",
            description = "With loss, exit 0 means that records were lost.")
    String expect = "holds";

    @Option(names = "--dir", paramLabel = "DIR", description = "Keep everything here; new or empty.")
    @Nullable
    Path dir;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("drill", Set.of("json", "edn"));
        if (listFaults) {
            return listFaults(session);
        }
        DrillConfig config = config();
        RunDirectory place = RunDirectory.create(dir, session.installation().state());
        ClientLogs.redirect(place.dir().resolve("clients.log"));
        NodeJvm jvm = NodeJvm.of(session.installation(), System.getenv());
        try (DrillCluster cluster = new ProcessCluster(place.cluster(), config, jvm, session.err())) {
            return run(session, config, place, cluster, DrillRun.FINAL_READ_LIMIT);
        }
    }

    /** The drill against any cluster; ends it. */
    static ExitCode run(
            Session session, DrillConfig config, RunDirectory place, DrillCluster cluster, Duration finalReadLimit)
            throws InterruptedException {
        return Interruption.cooperate(
                () -> {
                    DrillOutcome outcome = drill(session, config, place, cluster, finalReadLimit);
                    cluster.stop();
                    return publish(session, config, place, outcome);
                },
                () -> {
                    cluster.close();
                    ExitCode code = Interruption.cause();
                    Report report = DrillDocument.of(config)
                            .verdict(Report.Verdict.UNKNOWN)
                            .exit(code == null ? ExitCode.INTERRUPTED : code)
                            .reason("INTERRUPTED", "the drill was interrupted before its final read");
                    artifacts(report, place);
                    session.publish(report, out -> {
                        out.println("UNKNOWN: the drill was interrupted before its final read; seed " + config.seed());
                        out.println(place.dir());
                    });
                });
    }

    private static DrillOutcome drill(
            Session session, DrillConfig config, RunDirectory place, DrillCluster cluster, Duration finalReadLimit)
            throws InterruptedException {
        session.note("tidemark: drill of " + config.load().toSeconds() + " s, seed " + config.seed() + ", in "
                + place.dir());
        try (Progress progress = session.progress()) {
            cluster.start(progress);
            return new DrillRun(config, cluster, place.history(), progress, finalReadLimit).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ExitCode publish(Session session, DrillConfig config, RunDirectory place, DrillOutcome outcome)
            throws InterruptedException {
        DrillVerdict verdict = DrillVerdict.of(config, outcome);
        Report report = DrillDocument.of(config, outcome, verdict);
        String text = DrillText.of(config, outcome, verdict);
        boolean keep = place.given() || verdict.verdict() != Report.Verdict.HOLDS || verdict.exitCode() != ExitCode.OK;
        try {
            if (keep) {
                Files.writeString(place.report(), text);
                artifacts(report, place);
            }
            ExitCode code = session.publish(
                    report,
                    out -> {
                        out.print(text);
                        if (keep) {
                            out.println(place.dir());
                        }
                    },
                    Map.of("edn", out -> copy(place.history(), out)));
            if (!keep) {
                place.delete();
            }
            return code;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void artifacts(Report report, RunDirectory place) {
        report.artifact("dir", place.dir().toString());
        if (Files.exists(place.report())) {
            report.artifact("report", place.dir().relativize(place.report()).toString());
        }
        if (Files.exists(place.history())) {
            report.artifact("history", place.dir().relativize(place.history()).toString());
        }
    }

    private static void copy(Path file, PrintStream out) {
        try {
            Files.copy(file, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The options as a configuration that makes sense. */
    DrillConfig config() {
        check(nodes >= 1 && nodes <= 9, "--nodes " + nodes, "1 to 9");
        check(partitions >= 1 && partitions <= 1_000, "--partitions " + partitions, "1 to 1000");
        check(
                replicationFactor >= 1 && replicationFactor <= nodes,
                "--replication-factor " + replicationFactor + " with " + nodes + " nodes",
                "1 to " + nodes);
        check(
                minInsyncReplicas >= 1 && minInsyncReplicas <= replicationFactor,
                "--min-insync-replicas " + minInsyncReplicas + " with replication factor " + replicationFactor,
                "1 to " + replicationFactor);
        check(Set.of("all", "-1", "1", "0").contains(acks), "--acks " + acks, "all, 1 or 0");
        check(rate >= 3 && rate <= 100_000, "--rate " + rate, "3 to 100000 records per second");
        check(Set.of("none", "every-message").contains(flush), "--flush " + flush, "none or every-message");
        check(Set.of("holds", "loss").contains(expect), "--expect " + expect, "holds or loss");
        return new DrillConfig(
                nodes,
                partitions,
                replicationFactor,
                minInsyncReplicas,
                acks.equals("-1") ? "all" : acks,
                rate,
                duration(),
                specs(),
                seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed,
                unclean,
                flush,
                expect.equals("loss"));
    }

    private Duration duration() {
        Matcher matcher = DURATION.matcher(load);
        check(matcher.matches(), "--for " + load, "a time as 60s, 10m or 1h");
        long amount = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "h" -> Duration.ofHours(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofSeconds(amount);
        };
        check(duration.toSeconds() >= 1 && duration.toHours() <= 24, "--for " + load, "1s to 24h");
        return duration;
    }

    private List<FaultSpec> specs() {
        List<FaultSpec> specs;
        try {
            specs = FaultSpec.parse(faults);
        } catch (IllegalArgumentException e) {
            String[] parts = String.valueOf(e.getMessage()).split("; ", 2);
            throw usage("--faults: " + parts[0], parts.length > 1 ? parts[1] : "see --list-faults");
        }
        for (FaultSpec spec : specs) {
            check(
                    spec.target().who() != FaultTarget.Who.NODE
                            || (spec.target().node() >= 1 && spec.target().node() <= nodes),
                    "--faults " + spec,
                    "@node=1 to @node=" + nodes);
        }
        return specs;
    }

    private static void check(boolean valid, String what, String expected) {
        if (!valid) {
            throw usage(what, expected);
        }
    }

    private static CliException usage(String what, String expected) {
        return new CliException("drill", what, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }

    private static ExitCode listFaults(Session session) throws InterruptedException {
        Report report = new Report("tidemark.faults/1");
        ArrayNode list = report.body().putArray("faults");
        for (FaultKind kind : FaultKind.values()) {
            ObjectNode node = list.addObject().put("fault", kind.label()).put("effect", kind.effect());
            kind.defaultTargets().forEach(node.putArray("defaultTargets")::add);
        }
        ArrayNode targets = report.body().putArray("targets");
        FaultTarget.NAMES.forEach(targets::add);
        return session.publish(report, out -> {
            for (FaultKind kind : FaultKind.values()) {
                out.printf(
                        "%-16s %s (default: @%s)%n",
                        kind.label(), kind.effect(), String.join(", @", kind.defaultTargets()));
            }
            out.println("targets          @" + String.join(", @", FaultTarget.NAMES));
        });
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
