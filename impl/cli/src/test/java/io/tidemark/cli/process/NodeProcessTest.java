package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.process.ClusterLayout.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    private NodeDirectory node;
    private NodeProcess process;

    @BeforeEach
    void start() throws InterruptedException {
        node = ClusterLayout.create(dir, Shape.combined(1, 0, Map.of())).node(1);
        process = NodeProcess.start(FakeNode.jvm(), node);
        assertThat(process.awaitReady(LIMIT)).isTrue();
    }

    @AfterEach
    void end() throws InterruptedException {
        process.kill();
        assertThat(process.awaitExit(LIMIT)).isTrue();
    }

    @Test
    void leavesItsPidAndItsLog() throws IOException {
        assertThat(Files.readString(dir.resolve("node-1/pid"))).isEqualTo(process.pid() + "\n");
        assertThat(Files.readString(dir.resolve("node-1/log"))).startsWith("fake node 1\n");
        assertThat(process.logTail(1)).singleElement().asString().endsWith(NodeProcess.READY);
    }

    @Test
    void itsLogTellsWhatItWaitsFor() throws IOException {
        Files.writeString(node.log(), "");
        assertThat(process.waitsFor()).isEqualTo("the JVM starts");
        said("INFO Listener CONTROLLER serves at /127.0.0.1:1\n");
        assertThat(process.waitsFor()).isEqualTo("loading the logs");
        said("INFO Quorum: PROSPECTIVE in epoch 3, leader -1 (io)\n");
        assertThat(process.waitsFor()).isEqualTo("no quorum leader yet");
        said("INFO Quorum: FOLLOWER in epoch 4, leader 12 (io)\n");
        assertThat(process.waitsFor()).isEqualTo("quorum leader elected, broker not registered yet");
        said("INFO Broker is RECOVERY with epoch 7 (io)\n");
        assertThat(process.waitsFor()).startsWith("broker registered, still fenced");
    }

    private void said(String line) throws IOException {
        Files.writeString(node.log(), line, StandardOpenOption.APPEND);
    }

    @Test
    void standsStillAndGoesOn() throws InterruptedException {
        assertThat(process.isStopped()).isFalse();
        process.stop();
        await(process::isStopped);
        assertThat(process.isAlive()).isTrue();
        process.resume();
        await(() -> !process.isStopped());
    }

    @Test
    void endsInOrderOrAtOnce() throws InterruptedException {
        process.terminate();
        assertThat(process.awaitExit(LIMIT)).isTrue();
        assertThat(process.exitStatus()).hasValue(143);
        assertThat(NodeEnd.inWords(process.exitStatus())).isEqualTo("ended by signal 15");
    }

    @Test
    void aStoppedProcessCanBeKilled() throws InterruptedException {
        process.stop();
        await(process::isStopped);
        process.kill();
        assertThat(process.awaitExit(LIMIT)).isTrue();
        assertThat(process.exitStatus()).hasValue(137);
        assertThat(NodeEnd.unasked(process)).hasMessageContaining("was killed (SIGKILL)");
    }

    @Test
    void isFoundByItsPidFileWhileItLives() throws InterruptedException {
        NodeProcess found = NodeProcess.attach(node, 0).orElseThrow();
        assertThat(found.pid()).isEqualTo(process.pid());
        assertThat(found.isReady()).isTrue();
        process.kill();
        assertThat(found.awaitExit(LIMIT)).isTrue();
        assertThat(NodeProcess.attach(node, 0)).isEmpty();
    }

    @Test
    void isFoundThroughASymbolicLink() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), node.dir());
        assertThat(NodeProcess.attach(new NodeDirectory(link.resolve("server.properties")), 0))
                .isPresent();
    }

    @Test
    void aForeignProcessIsNeverTakenForTheNode() throws IOException {
        Files.writeString(node.pidFile(), ProcessHandle.current().pid() + "\n");
        assertThat(NodeProcess.attach(node, 0)).isEmpty();
        Files.writeString(node.pidFile(), "1 2\n");
        assertThat(NodeProcess.attach(node, 0)).isEmpty();
    }

    @Test
    void aSecondRunIsReadyByItsOwnLines() throws Exception {
        process.kill();
        assertThat(process.awaitExit(LIMIT)).isTrue();
        PropertiesWriter.set(node.config(), Map.of("fake.status", "4"));
        process = NodeProcess.start(FakeNode.jvm(), node);
        assertThat(process.awaitReady(LIMIT)).isFalse();
        assertThat(process.exitStatus()).hasValue(4);
        assertThat(NodeEnd.unasked(process)).hasMessageContaining("ended with status 4: refused: " + node.config());
        assertThat(NodeEnd.unasked(process).exitCode().code()).isEqualTo(4);
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
