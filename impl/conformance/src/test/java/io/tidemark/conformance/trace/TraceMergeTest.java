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
        assertThat(merged.ends()).isNull();
        assertThat(merged.events()).extracting(TraceEvent::index).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(merged.nodes()).containsExactly(1, 2);
    }

    /** Of a node without a trace nobody knows what it did; what does not come after it is told. */
    @Test
    void theTraceEndsWhereItsSenderKeepsNone() throws IOException {
        Path one = file(1, "\n", step("A"), receives("ReceiveRequest", 9, 1), step("B"), sends("SendRequest", 1, 1));
        TraceFile merged =
                TraceFile.read(List.of(one, file(2, "\n", step("C"), receives("ReceiveRequest", 1, 1), step("D"))));
        assertThat(actions(merged)).containsExactly("1 A", "2 C");
        assertThat(merged.ends())
                .isEqualTo("after event 2: node 1 has received a request of node 9 (event 2 of its trace), and"
                        + " no trace of node 9 is given");
        assertThat(TraceFile.read(List.of(one)).ends()).contains("node 9");
    }

    /** The sender was killed and began again without a trace; the next life that has one may come after that. */
    @Test
    void aLifeAfterOneWithoutATraceIsNotTold() throws IOException {
        Path killed = file(2, "\n", step("RestartBroker"), step("A"), step("RestartBroker"), step("B"));
        TraceFile merged = TraceFile.read(List.of(killed, file(1, "\n", receives("ReceiveRequest", 2, 7), step("C"))));
        assertThat(actions(merged)).containsExactly("2 RestartBroker", "2 A");
        assertThat(merged.ends())
                .endsWith(
                        "node 2's trace ends before it was sent or has a gap there; if nodes still run, stop them first:"
                                + " traces of running ones end at different moments");
    }

    /** What others have heard of is told, though a later life has no trace. */
    @Test
    void aLifeBeforeOneWithoutATraceIsTold() throws IOException {
        Path killed = file(2, "\n", step("RestartBroker"), step("RestartBroker"), sends("SendRequest", 2, 1));
        Path other = file(1, "\n", receives("ReceiveRequest", 2, 1), step("A"), receives("ReceiveRequest", 2, 7));
        TraceFile merged = TraceFile.read(List.of(killed, other));
        assertThat(actions(merged))
                .containsExactly("2 RestartBroker", "2 RestartBroker", "2 SendRequest", "1 ReceiveRequest", "1 A");
        assertThat(merged.ends()).startsWith("after event 5: node 1 has received a request of node 2 (event 3 of");
    }

    /** An answer does not say whose it is; the request does, where its receiver tells of it. */
    @Test
    void theTraceEndsWhereAnAnswerHasNoSending() throws IOException {
        Path asker = file(1, "\n", sends("SendRequest", 1, 1), receives("ReceiveResponse", 1, 1), step("A"));
        Path silent = file(2, "\n", receives("ReceiveRequest", 1, 1), step("B"));
        TraceFile merged = TraceFile.read(List.of(asker, silent));
        assertThat(actions(merged)).containsExactly("1 SendRequest", "2 ReceiveRequest", "2 B");
        assertThat(merged.ends()).contains("node 1 has received an answer of node 2", "node 2's trace ends before");
        assertThat(TraceFile.read(List.of(asker)).ends()).contains("an answer of another node");
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
