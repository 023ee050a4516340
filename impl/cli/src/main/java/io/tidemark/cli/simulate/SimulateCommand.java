package io.tidemark.cli.simulate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.simulation.Fault;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.SimTrace;
import io.tidemark.simulation.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whole clusters by seed in a simulated world: the real protocol, runtime and storage; time, network and disks are not. */
@picocli.CommandLine.Command(
        name = "simulate",
        description = {
            "Run whole clusters in a simulated world, a seed each: faults come and go under load, the specification's"
                    + " invariants are checked after every step; then a part of the cluster heals and must elect, catch up"
                    + " and answer, then all of it, and every log is compared.",
            "A seed draws the cluster, its settings, the load and the faults; options hold settings fixed. The same seed and"
                    + " options are the same run, to the last step.",
            "A failure is made small: of what the seed did to the cluster only what the failure needs (for at most two"
                    + " minutes, the first failure only).",
            "The verdict is HOLDS, VIOLATED where a promise was broken, or UNKNOWN; a seed that ends in an exception breaks no"
                    + " promise, it is a defect (exit code 70). Faults count as effective only where they had an effect; a loss that"
                    + " the settings allow is counted and is no failure.",
            "With --explore, instead, the whole state space of a model: every input of every node and of the environment, over"
                    + " the cores and by TLC at once, invariants on; both must reach the same states by the same steps.",
            "--out writes json."
        })
public final class SimulateCommand implements Command {
    /** What a fault without a target is aimed at, each time one of these. */
    private static final List<String> DRAWN = List.of("one", "minority", "majority", "all", "leader", "controller");

    @Mixin
    SimulateOptions options = new SimulateOptions();

    @Option(names = "--list-faults", description = "List faults and targets, and exit.")
    boolean listFaults;

    @Option(
            names = "--explore",
            paramLabel = "MODEL",
            description = "Search all states of a row of the manifest over the code, symmetry off; no seeds.")
    @Nullable
    String explore;

    private final UnaryOperator<Plan> change;
    private final Duration minimiseLimit;

    /** As the command line has it. */
    public SimulateCommand() {
        this(UnaryOperator.identity(), SimulateRun.MINIMISE_LIMIT);
    }

    /** With changed plans: tests take guards away, so that runs fail. */
    SimulateCommand(UnaryOperator<Plan> change, Duration minimiseLimit) {
        this.change = change;
        this.minimiseLimit = minimiseLimit;
    }

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("simulate", Set.of("json"));
        if (listFaults) {
            return listFaults(session);
        }
        if (explore != null) {
            options.refuseBeside("--explore");
            return new Explore(session, explore).run();
        }
        options.check();
        // Plans that cannot be made are told before the work.
        options.plan(options.first());
        Progress progress = session.progress();
        SimulateRun run = new SimulateRun(
                seed -> change.apply(options.plan(seed)),
                options.first(),
                options.asked(),
                options.jobs,
                minimiseLimit,
                progress);
        return Interruption.cooperate(
                () -> {
                    Silence silence = new Silence();
                    try (progress) {
                        run.run();
                        writeTrace();
                    }
                    // Not where it is interrupted: seeds go on until the process ends, and the log would be in the
                    // result.
                    silence.close();
                    return publish(session, run, SimulateVerdict.of(run.summary(), run.failures(), options.named()));
                },
                () -> {
                    ExitCode code = Interruption.cause();
                    publish(
                            session,
                            run,
                            SimulateVerdict.interrupted(
                                    run.summary(), options.asked(), code == null ? ExitCode.INTERRUPTED : code));
                });
    }

    /** The same plan is the same run, to the last step: it is run once more, and told. */
    private void writeTrace() {
        Path file = options.trace;
        if (file == null) {
            return;
        }
        List<String> lines = SimTrace.of(change.apply(options.plan(options.first())));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new CliException(
                    file.toString(), "cannot be written: " + e.getMessage(), "a writable file", ExitCode.ENVIRONMENT);
        }
    }

    private ExitCode publish(Session session, SimulateRun run, SimulateVerdict verdict) throws InterruptedException {
        SimulateReport report = new SimulateReport(run, verdict, session.command());
        return session.publish(
                report.document(options.first(), options.asked()),
                out -> report.print(out, options.first(), options.asked()));
    }

    private static ExitCode listFaults(Session session) throws InterruptedException {
        Report report = new Report("tidemark.faults/1");
        ArrayNode list = report.body().putArray("faults");
        for (Fault fault : Fault.values()) {
            DRAWN.forEach(list.addObject()
                    .put("fault", fault.label())
                    .put("effect", fault.effect())
                    .putArray("defaultTargets")::add);
        }
        Target.NAMES.forEach(report.body().putArray("targets")::add);
        return session.publish(report, out -> {
            for (Fault fault : Fault.values()) {
                out.printf("%-17s %s; effective where %s%n", fault.label(), fault.effect(), fault.evidence());
            }
            out.printf("%-17s @%s (default: drawn)%n", "targets", String.join(", @", Target.NAMES));
        });
    }

    /** Simulated nodes have a lot to say about what is done to them, and the story says it better. */
    private static final class Silence {
        private static final String OURS = "io.tidemark";
        private final boolean logback = LoggerFactory.getLogger(OURS) instanceof Logger;

        Silence() {
            level(Level.OFF);
        }

        private void level(@Nullable Level level) {
            if (logback) {
                ((Logger) LoggerFactory.getLogger(OURS)).setLevel(level);
            }
        }

        void close() {
            level(null);
        }
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN);
    }

    @Override
    public String example() {
        return "./tidemark simulate --seeds 1..300 --faults all";
    }
}
