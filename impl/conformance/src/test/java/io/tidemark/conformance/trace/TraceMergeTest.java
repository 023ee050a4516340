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
            String state = events[i].contains("\"state\":") ? "}" : ",\"state\":{}}";
            lines.add(
                    "{\"seq\":" + (i + 1) + ",\"node\":" + node + ",\"nodeSeq\":" + (i + 1) + "," + events[i] + state);
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

    private static String opens(int epoch, boolean voted, int end) {
        String state = "{\"currentEpoch\":" + epoch + ",\"votedKey\":" + (voted ? "{\"id\":1}" : "null")
                + ",\"log\":{\"truncatedTo\":null,\"appended\":[[1," + end + "]],\"leo\":" + end + "}}";
        return "\"cause\":null,\"action\":\"RestartNode\",\"args\":{},\"state\":" + state;
    }

    /** A life that has told of epoch 2 and of 5 records ends; the next one opens with what the file says. */
    private TraceFile reopened(String opens) throws IOException {
        Path node = file(1, "\n", step("RestartBroker"), opens(2, false, 5), step("A"), step("RestartBroker"), opens);
        return TraceFile.read(List.of(node, file(2, "\n", step("B"))));
    }

    /** Nobody has heard of the life without a trace; what it left on disk shows it. */
    @Test
    void aDiskThatKnowsMoreThanWasToldEndsTheTrace() throws IOException {
        TraceFile later = reopened(opens(3, false, 5));
        assertThat(actions(later)).containsExactlyInAnyOrder("1 RestartBroker", "1 RestartNode", "1 A", "2 B");
        assertThat(later.ends())
                .isEqualTo(
                        "after event 4: node 1 begins (event 4 of its trace) with epoch 3, and has told of none after 2:"
                                + " it has lived without a trace before, or lost the end of one; start it with --trace each time");
        assertThat(reopened(opens(2, false, 6)).ends()).contains("with a metadata log of 6 records, and has told of 5");
        assertThat(reopened(opens(2, true, 5)).ends()).contains("with a vote in epoch 2, and has told of none");
        assertThat(reopened(opens(2, false, 5)).ends()).isNull();
        assertThat(reopened(opens(1, true, 4)).ends()).isNull();
    }

    /** A trace whose length was promised is that of one process: no life of it is without. */
    @Test
    void aWholeTraceIsNotDoubted() throws IOException {
        Path node = file(1, "\n", step("RestartBroker"), opens(2, false, 5), step("RestartBroker"), opens(3, false, 5));
        Files.writeString(node, Files.readString(node).replace("\"events\":null", "\"events\":4"));
        assertThat(TraceFile.read(List.of(node)).ends()).isNull();
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
