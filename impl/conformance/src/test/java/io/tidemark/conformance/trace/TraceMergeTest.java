package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of several processes in one order. */
class TraceMergeTest {
    private static final String MESSAGE =
            "{\"client\":\"node-%d\",\"connection\":\"/127.0.0.1:40000\",\"correlation\":%d}";

    @TempDir
    Path dir;

    private int files;

    private static String sends(String action, int client, int correlation) {
        return "\"cause\":null,\"action\":\"" + action + "\",\"args\":" + MESSAGE.formatted(client, correlation);
    }

    private static String receives(String action, int client, int correlation) {
        return "\"cause\":" + MESSAGE.formatted(client, correlation) + ",\"action\":\"" + action + "\",\"args\":{}";
    }

    private static String step(String action) {
        return "\"cause\":null,\"action\":\"" + action + "\",\"args\":{}";
    }

    private Path file(int node, String end, String... events) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(
                "{\"schema\":\"tidemark.trace/1\",\"events\":null,\"nodes\":[" + node + "],\"config\":{\"elr\":true}}");
        for (int i = 0; i < events.length; i++) {
            lines.add("{\"seq\":" + (i + 1) + ",\"node\":" + node + ",\"nodeSeq\":" + (i + 1) + "," + events[i]
                    + ",\"state\":{}}");
        }
        return Files.writeString(dir.resolve("trace-" + files++), String.join("\n", lines) + end);
    }

    private static List<String> actions(TraceFile trace) {
        return trace.events().stream()
                .map(event -> event.node() + " " + event.action())
                .toList();
    }

    @Test
    void whatWasReceivedComesAfterWhatWasSent() throws IOException {
        Path leader = file(
                1,
                "\n",
                receives("ReceiveRequest", 2, 7),
                step("HandleFetch"),
                sends("SendResponse", 2, 7),
                step("Last"));
        Path follower = file(
                2,
                "\n",
                step("A"),
                step("B"),
                sends("SendRequest", 2, 7),
                receives("ReceiveResponse", 2, 7),
                step("C"));
        TraceFile merged = TraceFile.read(List.of(leader, follower));
        assertThat(actions(merged))
                .containsSubsequence(
                        "2 SendRequest", "1 ReceiveRequest", "1 HandleFetch", "1 SendResponse", "2 ReceiveResponse")
                .containsSubsequence("2 A", "2 B", "2 SendRequest")
                .hasSize(9);
        assertThat(merged.events()).extracting(TraceEvent::index).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(merged.nodes()).containsExactly(1, 2);
    }

    /** Its sender keeps no trace. */
    @Test
    void whatNobodySentIsTakenAsItComes() throws IOException {
        Path one = file(1, "\n", receives("ReceiveRequest", 9, 1), step("A"));
        assertThat(actions(TraceFile.read(List.of(one, file(2, "\n", step("B"))))))
                .hasSize(3);
    }

    @Test
    void anOrderThatCannotBeIsRefused() throws IOException {
        Path one = file(1, "\n", receives("ReceiveRequest", 2, 1), sends("SendRequest", 1, 1));
        Path two = file(2, "\n", receives("ReceiveRequest", 1, 1), sends("SendRequest", 2, 1));
        assertThatThrownBy(() -> TraceFile.read(List.of(one, two)))
                .isInstanceOf(SpecException.class)
                .hasMessageContaining("received before it was sent");
        assertThatThrownBy(() -> TraceFile.read(List.of(one, one))).hasMessageContaining("two traces of one node");
    }

    @Test
    void whatAKilledProcessWasAboutToWriteIsNoEvent() throws IOException {
        Path torn = file(1, "\n{\"seq\":3,\"no", step("A"), step("B"));
        assertThat(actions(TraceFile.read(List.of(torn)))).containsExactly("1 A", "1 B");
    }
}
