package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a node's trace over several lives. */
class NodeTraceTest {
    @TempDir
    Path dir;

    private void life(Path file, int node) throws IOException {
        try (NodeTrace trace = new NodeTrace(file, node)) {
            var unused = trace.log().begins(node, new UUID(1, 2), false);
        }
    }

    @Test
    void aLaterLifeGoesOnWhereTheOneBeforeWasCutOff() throws IOException {
        Path file = dir.resolve("trace.ndjson");
        life(file, 1);
        Files.writeString(file, "{\"seq\":2,\"node\":1,\"nod", StandardOpenOption.APPEND);
        life(file, 1);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0))
                .isEqualTo("{\"schema\":\"tidemark.trace/1\",\"events\":null,\"nodes\":[1],\"config\":{}}");
        assertThat(lines.get(1)).startsWith("{\"seq\":1,\"node\":1,\"nodeSeq\":1,");
        assertThat(lines.get(2))
                .startsWith("{\"seq\":2,\"node\":1,\"nodeSeq\":2,")
                .contains("RestartBroker");
    }

    @Test
    void anotherFileIsLeftAlone() throws IOException {
        Path file = Files.writeString(dir.resolve("notes"), "mine\n");
        assertThatThrownBy(() -> life(file, 1)).hasMessageContaining("no trace of node 1");
        assertThat(file).hasContent("mine\n");
        Path other = dir.resolve("other");
        life(other, 2);
        assertThatThrownBy(() -> life(other, 1)).hasMessageContaining("no trace of node 1");
    }
}
