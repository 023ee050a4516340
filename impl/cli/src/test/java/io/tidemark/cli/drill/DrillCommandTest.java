package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        return command.config();
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
        assertThat(config.faults()).hasSizeGreaterThan(5);
        assertThat(config.nodeProperties())
                .containsEntry("broker.session.timeout.ms", "3000")
                .containsEntry("broker.heartbeat.interval.ms", "500")
                .containsEntry("min.insync.replicas", "2")
                .doesNotContainKey("log.flush.interval.messages");
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
                "--expect",
                "loss");
        assertThat(config.acknowledgesAlone()).isTrue();
        assertThat(config.idempotence()).isFalse();
        assertThat(config.load()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.faultsNeeded()).isEqualTo(30);
        assertThat(config.faults()).extracting(Object::toString).containsExactly("kill@leader", "freeze@controller");
        assertThat(config.seed()).isEqualTo(5);
        assertThat(config.expectLoss()).isTrue();
        assertThat(config.nodeProperties())
                .containsEntry("unclean.leader.election.enable", "true")
                .containsEntry("log.flush.interval.messages", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes=0|drill: --nodes 0; 1 to 9",
                "--rf=4|drill: --replication-factor 4 with 3 nodes; 1 to 3",
                "--rf=2 --min-isr=3|drill: --min-insync-replicas 3 with replication factor 2; 1 to 2",
                "--acks=2|drill: --acks 2; all, 1 or 0",
                "--for=10|drill: --for 10; a time as 60s, 10m or 1h",
                "--for=0s|drill: --for 0s; 1s to 24h",
                "--expect=nothing|drill: --expect nothing; holds or loss",
                "--faults=kill@node=4|drill: --faults kill@node=4; @node=1 to @node=3",
                "--faults=boom|drill: --faults: unknown fault boom; one of kill, freeze, restart, rolling-restart,"
                        + " leader-move, all, none",
            })
    void aBadValueIsAUsageErrorThatSaysWhatIsRight(String arguments, String message) {
        assertThatThrownBy(() -> config(arguments.split(" "))).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(e.getMessage()).isEqualTo(message);
        });
    }

    @Test
    void aDirectoryWithSomethingInItIsRefused() throws Exception {
        Files.writeString(dir.resolve("mine"), "x");
        assertThatThrownBy(() -> RunDirectory.create(dir, dir))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    @Test
    void aRunsOwnDirectoryIsDeletedWhole() throws Exception {
        RunDirectory place = RunDirectory.create(null, dir);
        Files.createDirectories(place.cluster().resolve("node-1"));
        Files.writeString(place.cluster().resolve("node-1/log"), "x");
        assertThat(place.given()).isFalse();
        place.delete();
        assertThat(place.dir()).doesNotExist();
        assertThat(List.of(RunDirectory.create(dir.resolve("new"), dir).given()))
                .containsExactly(true);
    }
}
