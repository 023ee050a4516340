package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DrillCommandTest {
    @TempDir
    private Path dir;

    private static DrillConfig config(String... arguments) {
        DrillCommand command = new DrillCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.options.config();
    }

    @Test
    void theDefaultsAreThoseOfTheMainJob() {
        DrillConfig config = config();
        assertThat(config.nodes()).isEqualTo(3);
        assertThat(config.partitions()).isEqualTo(12);
        assertThat(config.replicationFactor()).isEqualTo(3);
        assertThat(config.minInsyncReplicas()).isEqualTo(2);
        assertThat(config.acks()).isEqualTo("all");
        assertThat(config.idempotence()).isTrue();
        assertThat(config.load()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.latest()).as("a slow machine gets more time").isEqualTo(Duration.ofSeconds(180));
        assertThat(config.faults()).hasSizeGreaterThan(5);
        assertThat(config.nodeProperties())
                .containsEntry("broker.session.timeout.ms", "3000")
                .containsEntry("broker.heartbeat.interval.ms", "500")
                .containsEntry("initial.broker.registration.timeout.ms", "180000")
                .containsEntry("min.insync.replicas", "2")
                .doesNotContainKeys("log.flush.interval.messages", "unclean.leader.election.enable");
        assertThat(config.features()).as("ELR is on for new clusters").isEmpty();
        assertThat(config.faults()).extracting(FaultSpec::kind).doesNotContain(FaultKind.DISK_FULL);
    }

    @Test
    void aNodeWaitsLongerForItsRegistrationThanTheDrillForItsNodes() {
        assertThat(Duration.ofMillis(DrillConfig.REGISTRATION_TIMEOUT_MS)).isGreaterThan(DrillConfig.START_LIMIT);
    }

    @Test
    void oneKindOfFaultNeedsNoTimeOfItsOwn() {
        assertThat(config("--for=1s", "--faults=kill").load()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config("--for=32s").faults()).isNotEmpty();
    }

    @Test
    void fewNodesHaveFewReplicas() {
        assertThat(config("--nodes=2"))
                .extracting(DrillConfig::replicationFactor, DrillConfig::minInsyncReplicas)
                .containsExactly(2, 2);
        assertThat(config("--nodes=1"))
                .extracting(DrillConfig::replicationFactor, DrillConfig::minInsyncReplicas)
                .containsExactly(1, 1);
    }

    @Test
    void kafkasNamesAndTheShortOnesMeanTheSame() {
        assertThat(config("--rf=2", "--min-isr=1", "--unclean=true", "--seed=1"))
                .isEqualTo(config(
                        "--replication-factor=2",
                        "--min-insync-replicas=1",
                        "--unclean-leader-election=true",
                        "--seed=1"));
    }

    @Test
    void optionsReachTheConfiguration() {
        DrillConfig config = config(
                "--acks",
                "1",
                "--for",
                "10m",
                "--faults",
                "kill@leader,freeze@controller",
                "--seed",
                "5",
                "--rf",
                "2",
                "--min-isr",
                "1",
                "--unclean",
                "true",
                "--flush",
                "every-message",
                "--elr",
                "off",
                "--expect",
                "loss");
        assertThat(config.acknowledgesAlone()).isTrue();
        assertThat(config.idempotence()).isFalse();
        assertThat(config.load()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.latest()).as("a time that is given is a limit").isEqualTo(Duration.ofMinutes(10));
        assertThat(config.faultsNeeded()).isEqualTo(30);
        assertThat(config.faults()).extracting(Object::toString).containsExactly("kill@leader", "freeze@controller");
        assertThat(config.seed()).isEqualTo(5);
        assertThat(config.expectLoss()).isTrue();
        assertThat(config.features()).containsExactly("eligible.leader.replicas.version=0");
        assertThat(config.nodeProperties())
                .containsEntry("unclean.leader.election.enable", "true")
                .containsEntry("min.insync.replicas", "1")
                .containsEntry("default.replication.factor", "2")
                .containsEntry("log.flush.interval.messages", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes=0|drill: --nodes 0; 1 to 9",
                "--rf=4|drill: --replication-factor 4 with 3 nodes; 1 to 3",
                "--nodes=1 --rf=3|drill: --replication-factor 3 with 1 node; 1",
                "--rf=1 --min-isr=2|drill: --min-insync-replicas 2 with replication factor 1; 1",
                "--rf=2 --min-isr=3|drill: --min-insync-replicas 3 with replication factor 2; 1 to 2",
                "--acks=2|drill: --acks 2; all, 1 or 0",
                "--for=10|drill: --for 10; a time as 90s, 10m or 1h",
                "--for=0s|drill: --for 0s; 1s to 24h",
                "--for=31s|drill: --for 31s is too short to try 5 kinds of faults (10 kind@target) one after the other;"
                        + " at least 32s for one of each kind, or fewer kinds in --faults",
                "--rate=2|drill: --rate 2; 3 to 100000 records per second",
                "--partitions=0|drill: --partitions 0; 1 to 1000",
                "--elr=yes|drill: --elr yes; on or off",
                "--flush=always|drill: --flush always; none or every-message",
                "--faults=none,kill|drill: --faults: none together with other faults; none alone, or a list",
                "--faults=kill@moon|drill: --faults: unknown target @moon; one of @one, @minority, @majority, @all,"
                        + " @leader, @controller, @node=N",
                "--faults=disk-full|drill: --faults disk-full: no --dir is given; --dir with a file system of its own of"
                        + " at most 4 GiB, a tmpfs or a loop device, mounted there",
                "--faults=disk-full@leader|drill: --faults disk-full@leader; disk-full@all: one file system holds all"
                        + " nodes",
                "--expect=nothing|drill: --expect nothing; holds or loss",
                "--faults=kill@node=4|drill: --faults kill@node=4; @node=1 to @node=3",
                "--faults=boom|drill: --faults: unknown fault boom; one of kill, freeze, restart, rolling-restart,"
                        + " leader-move, disk-full, all, none",
            })
    void aBadValueIsAUsageErrorThatSaysWhatIsRight(String arguments, String message) {
        assertThatThrownBy(() -> config(arguments.split(" "))).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(e.getMessage()).isEqualTo(message);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "kill@leader,kill@leader",
        "kill@node=2,kill@node=2",
        "'freeze@controller,restart@minority','freeze@controller,restart@minority'",
        "'kill,leader-move','kill@leader,kill@controller,kill@one,leader-move@leader'",
        "none,''",
    })
    void faultsAreANameAndATarget(String list, String specs) {
        assertThat(config("--faults", list).faults().stream()
                        .map(FaultSpec::toString)
                        .collect(Collectors.joining(",")))
                .isEqualTo(specs);
    }

    @Test
    void aMistypedFaultNamesTheNearestOne() {
        assertThatThrownBy(() -> config("--faults=rolling-restrat")).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.nearest()).isEqualTo("rolling-restart");
            assertThat(e.code()).isEqualTo("BAD_FAULT");
        });
    }

    @Test
    void aDirectoryWithinALargerFileSystemCannotRunFull() {
        assertThatThrownBy(() -> config("--faults=disk-full", "--dir", dir.toString()))
                .isInstanceOfSatisfying(CliException.class, e -> {
                    assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
                    assertThat(e.what()).isEqualTo("--faults disk-full: " + dir + " is no file system of its own");
                });
        assertThat(config("--dir", dir.toString()).fillsDisk())
                .as("all are those that are possible")
                .isFalse();
    }

    @Test
    void theHistoryStaysOffADiskThatRunsFull() throws Exception {
        Path small = Files.createDirectories(dir.resolve("small/lost+found")).getParent();
        RunDirectory place = RunDirectory.create(small, dir.resolve("state"), true);
        assertThat(place.cluster()).isEqualTo(small.resolve("cluster"));
        assertThat(place.history().startsWith(dir.resolve("state/drill"))).isTrue();
        assertThat(place.given()).isTrue();
    }

    @Test
    void aDirectoryWithSomethingInItIsRefused() throws Exception {
        Files.writeString(dir.resolve("mine"), "x");
        assertThatThrownBy(() -> RunDirectory.create(dir, dir, false))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    @Test
    void aFileIsNoDirectory() throws Exception {
        Path file = Files.writeString(dir.resolve("README.md"), "x");
        assertThatThrownBy(() -> RunDirectory.create(file, dir, false))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessage("drill --dir " + file + ": is no directory; a new or empty one");
        assertThatThrownBy(() -> RunDirectory.create(file.resolve("below"), dir, false))
                .hasMessageNotContaining("Exception");
    }

    @Test
    void aRunsOwnDirectoryIsDeletedWhole() throws Exception {
        RunDirectory place = RunDirectory.create(null, dir, false);
        Files.createDirectories(place.cluster().resolve("node-1"));
        Files.writeString(place.cluster().resolve("node-1/log"), "x");
        assertThat(place.given()).isFalse();
        RunDirectory next = RunDirectory.create(null, dir, false);
        assertThat(next.earlier()).isEqualTo("; 1 more in " + dir.resolve("drill"));
        place.delete();
        assertThat(place.dir()).doesNotExist();
        assertThat(next.earlier()).isEmpty();
        assertThat(List.of(RunDirectory.create(dir.resolve("new"), dir, false).given()))
                .containsExactly(true);
    }
}
