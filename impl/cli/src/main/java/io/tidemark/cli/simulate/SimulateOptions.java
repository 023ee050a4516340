package io.tidemark.cli.simulate;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Times;
import io.tidemark.node.config.Nearest;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Fault;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.Turn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code simulate}, and the plans that they make. What is not given is drawn by each seed. */
final class SimulateOptions {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,15})\\.\\.(\\d{1,15})");
    private static final int DEFAULT_SEEDS = 100;
    private static final long MAX_SEEDS = 10_000_000;

    @Option(names = "--seed", paramLabel = "N", description = "One seed.")
    @Nullable
    Long seed;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Seeds (100 from a random one on, reported).")
    @Nullable
    String seeds;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "Virtual time with faults of each seed, as 30s or 5m (30s).")
    String length = "30s";

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "LIST",
            description = "Faults to draw from, as kill@leader,power-loss@all; all; none (all). See --list-faults.")
    List<String> faults = List.of("all");

    @Option(names = "--jobs", paramLabel = "N", description = "Seeds side by side (one for each processor).")
    int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--controllers", paramLabel = "N", description = "Combined nodes: 1, 3 or 5.")
    @Nullable
    Integer controllers;

    @Option(names = "--brokers", paramLabel = "N", description = "All brokers, combined nodes included: 1 to 9.")
    @Nullable
    Integer brokers;

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic under load: 1 to 64.")
    @Nullable
    Integer partitions;

    @Option(
            names = {"--replication-factor", "--rf"},
            paramLabel = "N",
            description = "Replicas of each partition.")
    @Nullable
    Integer replicationFactor;

    @Option(
            names = {"--min-insync-replicas", "--min-isr"},
            paramLabel = "N",
            description = "Kafka's min.insync.replicas.")
    @Nullable
    Integer minInsyncReplicas;

    @Option(names = "--acks", paramLabel = "all|1|0", description = "The producers' acks.")
    @Nullable
    String acks;

    @Option(
            names = {"--unclean-leader-election", "--unclean"},
            paramLabel = "true|false",
            arity = "1",
            description = "Kafka's unclean.leader.election.enable.")
    @Nullable
    Boolean unclean;

    @Option(names = "--elr", paramLabel = "on|off", description = "Eligible leader replicas.")
    @Nullable
    String elr;

    @Option(names = "--flush", paramLabel = "none|every-message", description = "When partitions are fsynced.")
    @Nullable
    String flush;

    @Option(
            names = "--voters",
            paramLabel = "static|dynamic",
            description = "Where the voters of the quorum are written.")
    @Nullable
    String voters;

    @Option(names = "--rate", paramLabel = "N", description = "Records per virtual second, each a request: 1 to 1000.")
    @Nullable
    Integer rate;

    @Option(
            names = "--times",
            paramLabel = "short|kafka",
            description = "Time-outs: short ones, so that more happens, or Kafka's defaults (short).")
    String times = "short";

    @Option(names = "--racks", paramLabel = "N", description = "Racks that nodes are dealt to: 1 to 9.")
    @Nullable
    Integer racks;

    @Option(
            names = "--only-turns",
            split = ",",
            paramLabel = "LIST",
            description = "Of what the seed does to the cluster only these, by number from 1; 0 for nothing: what a"
                    + " minimised failure needs. With --seed.")
    @Nullable
    List<Integer> onlyTurns;

    @Option(
            names = "--only-partitions",
            split = ",",
            paramLabel = "LIST",
            description = "Load on these partitions only, from 0. With --seed.")
    @Nullable
    List<Integer> onlyPartitions;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write every step of the nodes to FILE, for 'trace validate'. With --seed.")
    @Nullable
    Path trace;

    private long first;
    private long last;

    /** The first seed, once checked. */
    long first() {
        return first;
    }

    /** How many seeds, once checked. */
    long asked() {
        return last - first + 1;
    }

    /** What has no seeds has no use for them. */
    void refuseBeside(String option) {
        if (seed != null || seeds != null) {
            throw new CliException(
                    option, "given with " + (seed != null ? "--seed" : "--seeds"), "one of them", ExitCode.USAGE);
        }
    }

    /** Checks everything; the plans can be made then. */
    void check() {
        range();
        time();
        aims();
        check(jobs >= 1 && jobs <= 64, "--jobs " + jobs, "1 to 64");
        check(
                controllers == null || Set.of(1, 3, 5).contains(controllers),
                "--controllers " + controllers,
                "1, 3 or 5");
        check(within(brokers, 1, 9), "--brokers " + brokers, "1 to 9");
        check(
                brokers == null || controllers == null || brokers >= controllers,
                "--brokers " + brokers + " with --controllers " + controllers,
                "at least as many brokers as combined nodes");
        check(within(partitions, 1, 64), "--partitions " + partitions, "1 to 64");
        check(within(replicationFactor, 1, 9), "--replication-factor " + replicationFactor, "1 to 9");
        check(within(minInsyncReplicas, 1, 9), "--min-insync-replicas " + minInsyncReplicas, "1 to 9");
        check(acks == null || Set.of("all", "-1", "1", "0").contains(acks), "--acks " + acks, "all, 1 or 0");
        check(elr == null || Set.of("on", "off").contains(elr), "--elr " + elr, "on or off");
        check(
                flush == null || Set.of("none", "every-message").contains(flush),
                "--flush " + flush,
                "none or every-message");
        check(
                voters == null || Set.of("static", "dynamic").contains(voters),
                "--voters " + voters,
                "static or dynamic");
        check(within(rate, 1, 1_000), "--rate " + rate, "1 to 1000");
        check(Set.of("short", "kafka").contains(times), "--times " + times, "short or kafka");
        check(trace == null || seed != null, "--trace without --seed", "--seed");
        check(within(racks, 1, 9), "--racks " + racks, "1 to 9");
        check(
                (onlyTurns == null && onlyPartitions == null) || seed != null,
                "--only-turns or --only-partitions",
                "--seed");
        for (long each = first; each <= Math.min(last, first + DEFAULT_SEEDS); each++) {
            checkShape(shape(each), each);
        }
    }

    private static boolean within(@Nullable Integer value, int min, int max) {
        return value == null || (value >= min && value <= max);
    }

    private void checkShape(Shape shape, long of) {
        check(
                shape.replicationFactor <= shape.nodes(),
                "--replication-factor " + shape.replicationFactor + " with " + shape.nodes() + " brokers of seed " + of,
                "1 to " + shape.nodes() + ", or --brokers");
        check(
                shape.minIsr <= shape.replicationFactor,
                "--min-insync-replicas " + shape.minIsr + " with replication factor " + shape.replicationFactor
                        + " of seed " + of,
                "1 to " + shape.replicationFactor + ", or --replication-factor");
    }

    private void range() {
        if (seed != null) {
            check(seeds == null, "--seed and --seeds", "one of the two");
            check(seed >= 0, "--seed " + seed, "0 or more");
            first = seed;
            last = seed;
        } else if (seeds == null) {
            first = ThreadLocalRandom.current().nextLong(1_000_000);
            last = first + DEFAULT_SEEDS - 1;
        } else {
            Matcher matcher = RANGE.matcher(seeds);
            check(matcher.matches(), "--seeds " + seeds, "a range as 1..300");
            first = Long.parseLong(matcher.group(1));
            last = Long.parseLong(matcher.group(2));
            check(first <= last, "--seeds " + seeds + ", a reversed range", "--seeds " + last + ".." + first);
            check(last - first < MAX_SEEDS, "--seeds " + seeds, "a range of at most 10000000 seeds");
        }
    }

    private Duration time() {
        return Times.parse("simulate", "--for", length);
    }

    private List<Aim> aims() {
        try {
            return Aim.parse(faults);
        } catch (IllegalArgumentException e) {
            String[] parts = String.valueOf(e.getMessage()).split("; ", 2);
            throw new CliException(
                    "simulate",
                    "--faults: " + parts[0],
                    parts.length > 1 ? parts[1] : "see " + Installation.called() + " simulate --list-faults",
                    ExitCode.USAGE,
                    "BAD_FAULT",
                    Nearest.to(
                            parts[0].replaceFirst(".* ", ""),
                            Arrays.stream(Fault.values()).map(Fault::label).toList()));
        }
    }

    /** The faults that were named one by one: each must have an effect. Empty for {@code all} and {@code none}. */
    List<Fault> named() {
        return faults.contains("all")
                ? List.of()
                : aims().stream().map(Aim::fault).distinct().toList();
    }

    private Shape shape(long of) {
        return Shape.of(of).with(shape -> {
            shape.controllers =
                    or(controllers, brokers == null ? shape.controllers : Math.min(shape.controllers, brokers));
            int all = or(brokers, Math.max(shape.controllers, shape.nodes()));
            shape.controllers = all < 3 ? 1 : all < 5 ? Math.min(3, shape.controllers) : shape.controllers;
            shape.brokers = all - shape.controllers;
            shape.partitions = or(partitions, shape.partitions);
            int drawn = Math.max(shape.replicationFactor, or(minInsyncReplicas, 1));
            shape.replicationFactor = or(replicationFactor, Math.min(drawn, shape.nodes()));
            shape.minIsr = or(minInsyncReplicas, Math.min(shape.minIsr, shape.replicationFactor));
            shape.acks = acks == null ? shape.acks : acks.equals("all") ? -1 : Short.parseShort(acks);
            shape.unclean = unclean == null ? shape.unclean : unclean;
            shape.elr = elr == null ? shape.elr : elr.equals("on");
            shape.flushMessages = flush == null ? shape.flushMessages : flush.equals("none") ? 0 : 1;
            shape.dynamicVoters = voters == null ? shape.dynamicVoters : voters.equals("dynamic");
            shape.racks = or(racks, shape.racks);
            shape.kafkaTimes = times.equals("kafka");
            if (rate != null) {
                // Without a producer that waits for one answer after the other; the pauses' mean is half of the
                // longest.
                shape.inFlight = 5;
                shape.produceEveryMs = Math.max(2, 2_000 * shape.partitions / rate);
            }
        });
    }

    private static int or(@Nullable Integer given, int drawn) {
        return given == null ? drawn : given;
    }

    /** The plan of a seed. */
    Plan plan(long of) {
        Plan plan = Plan.of(of, shape(of), aims(), time().toMillis());
        List<Integer> turns = onlyTurns;
        if (turns != null) {
            int count = plan.turns().size();
            turns.forEach(turn -> check(
                    turn >= 0 && turn <= count, "--only-turns " + turn, "1 to " + count + " for this seed, or 0"));
            List<Turn> some = plan.turns();
            plan = plan.withTurns(turns.stream()
                    .filter(turn -> turn > 0)
                    .sorted()
                    .map(turn -> some.get(turn - 1))
                    .toList());
        }
        List<Integer> written = onlyPartitions;
        if (written != null) {
            int count = plan.shape().partitions;
            written.forEach(partition -> check(
                    partition >= 0 && partition < count, "--only-partitions " + partition, "0 to " + (count - 1)));
            plan = plan.withWritten(written);
        }
        return plan;
    }

    private static void check(boolean valid, String what, String expected) {
        if (!valid) {
            throw new CliException("simulate", what, expected, ExitCode.USAGE, "BAD_VALUE", null);
        }
    }
}
