package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Installation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeJvmTest {
    @TempDir
    Path lib;

    private NodeJvm jvm() {
        return NodeJvm.of(new Installation(lib, Optional.of(lib), Installation.NODE_MAIN), Map.of());
    }

    private Path archive() {
        return lib.resolve("node-" + System.getProperty("java.vm.version") + ".jsa");
    }

    @Test
    void theArchiveOfThisJvmIsUsedAndNoOther() throws IOException {
        Files.createFile(lib.resolve("node-17.0.0+1.jsa"));
        assertThat(jvm().options()).noneMatch(option -> option.contains(".jsa"));
        Files.createFile(archive());
        assertThat(jvm().options()).contains("-XX:SharedArchiveFile=" + archive(), "-Xshare:auto");
    }

    @Test
    void anArchiveThatDoesNotFitIsPassedOverInSilence() throws Exception {
        Files.writeString(archive(), "no archive".repeat(1_000), StandardCharsets.US_ASCII);
        List<String> command = new ArrayList<>(List.of(Installation.java().toString()));
        command.addAll(jvm().options());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "io.tidemark.cli.process.NodeJvmTest$Greeting"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("hello\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aNodesTraceIsBesideItsConfiguration() {
        NodeDirectory node = new NodeDirectory(lib.resolve("server.properties"));
        assertThat(jvm().traced(node)).isEmpty();
        assertThat(jvm().tracing(Path.of("t.ndjson")).traced(node)).contains(lib.resolve("t.ndjson"));
    }

    /** Stands for a node. */
    static final class Greeting {
        private Greeting() {}

        public static void main(String[] args) {
            System.out.print("hello\n");
        }
    }
}
