package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.process.ClusterLayout.Shape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLayoutTest {
    @TempDir
    Path dir;

    @Test
    void combinedNodesHaveKafkasKeys() throws IOException {
        ClusterLayout layout = ClusterLayout.create(dir.resolve("a b"), Shape.combined(3, 21_000, Map.of()));
        assertThat(layout.bootstrap()).isEqualTo("127.0.0.1:21001,127.0.0.1:21002,127.0.0.1:21003");
        assertThat(layout.dir().resolve("bootstrap")).as("nobody serves yet").doesNotExist();
        assertThat(ClusterLayout.exists(layout.dir())).isTrue();
        Properties second = layout.node(2).properties();
        assertThat(second)
                .containsEntry("process.roles", "broker,controller")
                .containsEntry("node.id", "2")
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:21002,CONTROLLER://127.0.0.1:21102")
                .containsEntry("advertised.listeners", "PLAINTEXT://127.0.0.1:21002")
                .containsEntry("controller.listener.names", "CONTROLLER")
                .containsEntry("controller.quorum.bootstrap.servers", "127.0.0.1:21101,127.0.0.1:21102,127.0.0.1:21103")
                .containsEntry("log.dirs", dir.resolve("a b/node-2/data").toString())
                .containsEntry("min.insync.replicas", "2")
                .doesNotContainKeys("controller.quorum.voters", "auto.create.topics.enable");
    }

    @Test
    void separateRolesHaveTheirOwnListeners() {
        ClusterLayout layout = ClusterLayout.create(dir, new Shape(3, 2, false, 21_000, Map.of()));
        assertThat(layout.nodes()).hasSize(5);
        assertThat(layout.node(1).properties())
                .containsEntry("process.roles", "controller")
                .containsEntry("listeners", "CONTROLLER://127.0.0.1:21101")
                .doesNotContainKey("advertised.listeners");
        assertThat(layout.node(5).properties())
                .containsEntry("process.roles", "broker")
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:21005")
                .containsEntry("default.replication.factor", "2")
                .containsEntry("min.insync.replicas", "1");
        assertThat(layout.bootstrap()).isEqualTo("127.0.0.1:21004,127.0.0.1:21005");
        assertThat(layout.formatArguments(layout.node(1))).contains("--initial-controllers");
        assertThat(layout.formatArguments(layout.node(5))).doesNotContain("--initial-controllers");
    }

    @Test
    void votersHaveIdsOfTheirOwnThatStay() {
        ClusterLayout created = ClusterLayout.create(dir, Shape.combined(3, 21_000, Map.of()));
        ClusterLayout opened = ClusterLayout.open(dir);
        assertThat(opened).isEqualTo(created);
        List<String> voters = List.of(opened.initialControllers().split(","));
        assertThat(voters).hasSize(3).allMatch(voter -> voter.matches("[123]@127\\.0\\.0\\.1:2110[123]:[\\w-]{22}"));
        Set<String> directoryIds = new HashSet<>();
        voters.forEach(voter -> directoryIds.add(voter.substring(voter.lastIndexOf(':'))));
        assertThat(directoryIds).hasSize(3);
    }

    @Test
    void aGivenPropertyWinsAndMayChangeLater() throws IOException {
        Map<String, String> given = Map.of("min.insync.replicas", "1", "log.retention.ms", "-1");
        ClusterLayout layout = ClusterLayout.create(dir, Shape.combined(3, 0, given));
        Path config = layout.node(3).config();
        Files.writeString(config, Files.readString(config) + "# mine\nnum.partitions = 7\n");
        layout.setProperties(Map.of("log.retention.ms", "5", "num.partitions", "8", "broker.rack", "a"));
        assertThat(layout.node(3).properties())
                .containsEntry("min.insync.replicas", "1")
                .containsEntry("log.retention.ms", "5")
                .containsEntry("num.partitions", "8")
                .containsEntry("broker.rack", "a");
        assertThat(Files.readAllLines(config))
                .contains("# mine")
                .filteredOn(line -> line.startsWith("log.retention.ms"))
                .hasSize(1);
    }

    @Test
    void valuesSurviveTheFile() throws IOException {
        Path file = dir.resolve("x.properties");
        Map<String, String> values = Map.of("a", " lead", "b", "C:\\dir", "c", "ä=ö:#!", "d", "tab\there");
        PropertiesWriter.write(file, values);
        assertThat(new NodeDirectory(file).properties()).isEqualTo(values);
        assertThat(Files.readString(file)).contains("b=C:\\\\dir");
    }

    @Test
    void freePortsAreFreeAndBelowTheKernelsRange() {
        int base = ClusterPorts.freeBase(3);
        assertThat(base).isBetween(20_000, 31_000);
        assertThat(ClusterPorts.isFree(base + 1)).isTrue();
    }

    @Test
    void aTakenPortIsSeen() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int base = socket.getLocalPort() - ClusterPorts.QUORUM_OFFSET - 2;
            ClusterLayout layout = ClusterLayout.create(dir, Shape.combined(3, base, Map.of()));
            assertThat(layout.takenPorts()).contains(socket.getLocalPort());
        }
    }

    @Test
    void aWipedNodeIsUnformatted() throws IOException {
        ClusterLayout layout = ClusterLayout.create(dir, Shape.combined(2, 0, Map.of()));
        assertThat(layout.unformatted()).hasSize(2);
        FakeNode.format(layout);
        assertThat(layout.unformatted()).isEmpty();
        Files.delete(layout.node(1).data().resolve("meta.properties"));
        assertThat(layout.unformatted()).containsExactly(layout.node(1));
    }
}
