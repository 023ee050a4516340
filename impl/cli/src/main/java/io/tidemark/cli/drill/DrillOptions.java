package io.tidemark.cli.drill;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Times;
import io.tidemark.node.config.Nearest;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultSpec;
import io.tidemark.workload.fault.FaultTarget;
import io.tidemark.workload.fault.SmallFileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code drill}, and the configuration that they make. */
final class DrillOptions {
    /** On disk, the data of a record on one replica with its share of batch and index; measured, rounded up. */
    private static final long BYTES_PER_RECORD = 220;

    private static final String DEFAULT_LOAD = "60s";

    /** What a slow machine gets beyond it to try each kind of fault. */
    private static final Duration MORE = Duration.ofMinutes(2);

    private static final List<String> LABELS =
            Arrays.stream(FaultKind.values()).map(FaultKind::label).toList();

    private static final long ROOM_BESIDE_DATA = 16L << 20;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes, broker and controller in one (3).")
    int nodes = 3;

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic under load (12).")
    int partitions = 12;

    @Option(
            names = {"--replication-factor", "--rf"},
            paramLabel = "N",
            description = "Replicas of each partition (3, or all nodes where there are fewer).")
    @Nullable
    Integer replicationFactor;

    @Option(
            names = {"--min-insync-replicas", "--min-isr"},
            paramLabel = "N",
            description = "Kafka's min.insync.replicas (2, or 1 for a single replica).")
    @Nullable
    Integer minInsyncReplicas;

    @Option(
            names = "--acks",
            paramLabel = "all|1|0",
            description = {
                "When a producer takes a record for acknowledged (all).",
                "all: when every in-sync replica has it; nothing may be lost: expect HOLDS.",
                "1: when its leader has it, 0: as soon as it is sent. A leader that acknowledged alone is killed first, and"
                        + " its records are lost: expect VIOLATED, exit code 1; with --expect loss, 0."
            })
    String acks = "all";

    @Option(names = "--rate", paramLabel = "N", description = "Records per second (1000).")
    int rate = 1_000;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "How long load and faults go on, as 60s, 10m or 1h; a fault under way is finished. At least 8s for each"
                            + " kind of fault but the first, so 32s for the 5 kinds of --faults all; 40s where disk-full"
                            + " is possible. Default: 60s, and on a slow machine up to 2m more until each kind was"
                            + " tried.")
    @Nullable
    String load;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "LIST",
            description = "Faults, as kill@leader,freeze@controller; all that are possible; none (all)."
                    + " See --list-faults.")
    List<String> faults = List.of("all");

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
            names = "--elr",
            paramLabel = "on|off",
            description = "Eligible leader replicas, eligible.leader.replicas.version 1 or 0 (on).")
    String elr = "on";

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

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Keep everything here; new or empty. A small file system that is mounted here takes the nodes"
                    + " alone, and disk-full is possible.")
    @Nullable
    Path dir;

    /** A configuration that makes sense. */
    DrillConfig config() {
        check(nodes >= 1 && nodes <= 9, "--nodes " + nodes, "1 to 9");
        check(partitions >= 1 && partitions <= 1_000, "--partitions " + partitions, "1 to 1000");
        int replicas = replicationFactor == null ? Math.min(3, nodes) : replicationFactor;
        check(
                replicas >= 1 && replicas <= nodes,
                "--replication-factor " + replicas + " with " + nodes + (nodes == 1 ? " node" : " nodes"),
                nodes == 1 ? "1" : "1 to " + nodes);
        int minInsync = minInsyncReplicas == null ? Math.min(2, replicas) : minInsyncReplicas;
        check(
                minInsync >= 1 && minInsync <= replicas,
                "--min-insync-replicas " + minInsync + " with replication factor " + replicas,
                replicas == 1 ? "1" : "1 to " + replicas);
        check(Set.of("all", "-1", "1", "0").contains(acks), "--acks " + acks, "all, 1 or 0");
        check(rate >= 3 && rate <= 100_000, "--rate " + rate, "3 to 100000 records per second");
        check(Set.of("on", "off").contains(elr), "--elr " + elr, "on or off");
        check(Set.of("none", "every-message").contains(flush), "--flush " + flush, "none or every-message");
        check(Set.of("holds", "loss").contains(expect), "--expect " + expect, "holds or loss");
        Duration duration = Times.parse("drill", "--for", load == null ? DEFAULT_LOAD : load);
        List<FaultSpec> specs = specs();
        long kinds = specs.stream().map(FaultSpec::kind).distinct().count();
        long needed = (kinds - 1) * DrillConfig.SECONDS_PER_FAULT;
        check(
                duration.toSeconds() >= needed,
                "--for " + load + " is too short to try " + kinds + " kinds of faults (" + specs.size()
                        + " kind@target) one after the other",
                "at least " + needed + "s for one of each kind, or fewer kinds in --faults");
        DrillConfig config = new DrillConfig(
                nodes,
                partitions,
                replicas,
                minInsync,
                acks.equals("-1") ? "all" : acks,
                rate,
                duration,
                load == null ? duration.plus(MORE) : duration,
                specs,
                seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed,
                unclean,
                elr.equals("on"),
                flush,
                expect.equals("loss"));
        checkRoom(config);
        return config;
    }

    private List<FaultSpec> specs() {
        List<FaultSpec> specs;
        Set<FaultKind> possible = EnumSet.allOf(FaultKind.class);
        String noSmallDisk = noSmallDisk();
        if (noSmallDisk != null) {
            possible.remove(FaultKind.DISK_FULL);
        }
        try {
            specs = FaultSpec.parse(faults, possible);
        } catch (IllegalArgumentException e) {
            String[] parts = String.valueOf(e.getMessage()).split("; ", 2);
            throw new CliException(
                    "drill",
                    "--faults: " + parts[0],
                    parts.length > 1 ? parts[1] : "see " + Installation.called() + " drill --list-faults",
                    ExitCode.USAGE,
                    "BAD_FAULT",
                    Nearest.to(parts[0].replaceFirst(".* ", ""), LABELS));
        }
        specs.forEach(spec -> check(spec, noSmallDisk));
        return specs;
    }

    private void check(FaultSpec spec, @Nullable String noSmallDisk) {
        FaultTarget target = spec.target();
        check(
                target.who() != FaultTarget.Who.NODE || (target.node() >= 1 && target.node() <= nodes),
                "--faults " + spec,
                "@node=1 to @node=" + nodes);
        if (spec.kind() == FaultKind.DISK_FULL) {
            check(
                    target.who() == FaultTarget.Who.ALL,
                    "--faults " + spec,
                    "disk-full@all: one file system holds all nodes");
            check(
                    noSmallDisk == null,
                    "--faults disk-full: " + noSmallDisk,
                    "--dir with a file system of its own of at most 4 GiB, a tmpfs or a loop device, mounted there");
        }
    }

    /** Why no disk can run full, null if one can. */
    private @Nullable String noSmallDisk() {
        if (dir == null) {
            return "no --dir is given";
        }
        String unfit = SmallFileSystem.unfit(dir);
        return unfit == null ? null : dir + " " + unfit;
    }

    /** Room for the data of the whole run: a disk that the load alone fills stays full. */
    private void checkRoom(DrillConfig config) {
        if (dir == null || !config.fillsDisk()) {
            return;
        }
        long records = config.rate() * config.load().toSeconds();
        long needed = records * config.replicationFactor() * BYTES_PER_RECORD + ROOM_BESIDE_DATA;
        long usable = new SmallFileSystem(dir).usableBytes();
        check(
                usable >= needed,
                "--dir " + dir + " has room for " + (usable >> 20) + " MiB, the data of " + records + " records needs "
                        + (needed >> 20),
                "a larger file system, or less --rate or --for");
    }

    private static void check(boolean valid, String what, String expected) {
        if (!valid) {
            throw usage(what, expected);
        }
    }

    private static CliException usage(String what, String expected) {
        return new CliException("drill", what, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }
}
