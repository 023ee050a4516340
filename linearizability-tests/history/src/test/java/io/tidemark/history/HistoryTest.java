package io.tidemark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.edn.EdnException;
import io.tidemark.history.edn.Keyword;
import io.tidemark.history.edn.Tagged;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {
    @TempDir
    private Path dir;

    private final AtomicLong clock = new AtomicLong(1_000);

    @Test
    void writesTheShapeOfJepsensKafkaWorkload() throws IOException {
        Path file = dir.resolve("history.edn");
        try (HistoryWriter writer = HistoryWriter.create(file, () -> clock.getAndAdd(5))) {
            writer.append(0, Operation.Type.INVOKE, "send", KafkaOps.sendInvoked("t-0", 41L));
            writer.append(0, Operation.Type.OK, "send", KafkaOps.sendAcked("t-0", 17, 41L));
            writer.append(1, Operation.Type.INVOKE, "poll", KafkaOps.pollInvoked());
            writer.append(
                    1,
                    Operation.Type.OK,
                    "poll",
                    KafkaOps.polled(Map.of("t-0", List.of(new KafkaOps.Polled(17, 41L)))));
            writer.append(Operation.NEMESIS, Operation.Type.INFO, "kill", List.of(2L));
        }
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{:index 0, :time 5, :type :invoke, :process 0, :f :send, :value [[:send \"t-0\" 41]]}",
                        "{:index 1, :time 10, :type :ok, :process 0, :f :send, :value [[:send \"t-0\" [17 41]]]}",
                        "{:index 2, :time 15, :type :invoke, :process 1, :f :poll, :value [[:poll]]}",
                        "{:index 3, :time 20, :type :ok, :process 1, :f :poll, :value [[:poll {\"t-0\" [[17 41]]}]]}",
                        "{:index 4, :time 25, :type :info, :process :nemesis, :f :kill, :value [2]}");
    }

    @Test
    void whatWasAppendedIsInTheFileBeforeItIsClosed() throws IOException {
        Path file = dir.resolve("history.edn");
        try (HistoryWriter writer = HistoryWriter.create(file, clock::get)) {
            for (int i = 0; i < 100; i++) {
                Operation op = writer.append(0, Operation.Type.INVOKE, "send", KafkaOps.sendInvoked("t-0", (long) i));
                assertThat(op.index()).isEqualTo(i);
                assertThat(HistoryReader.readAll(file)).hasSize(i + 1).last().isEqualTo(op);
            }
        }
    }

    @Test
    void unknownKeysAndTagsSurviveARoundTrip() throws IOException {
        String line =
                "{:index 3, :time 7, :type :info, :process 2, :f :send, :value [[:send 4 9]], :error [:timeout \"x\"],"
                        + " :client \"p\", :my/key #inst \"2024-01-01\"}\n";
        List<Operation> ops = new ArrayList<>();
        HistoryReader.read(new StringReader(line), ops::add);
        Operation op = ops.get(0);
        assertThat(op.error()).isEqualTo(List.of(new Keyword("timeout"), "x"));
        assertThat(op.extra("my/key")).isEqualTo(new Tagged("inst", "2024-01-01"));
        StringBuilder out = new StringBuilder();
        OperationEdn.write(op, out);
        assertThat(out.toString()).isEqualTo(line);
    }

    @Test
    void readsVectorsListsLinesAndJepsensTaggedOperations() throws IOException {
        String op = "{:type :ok, :process 1, :f :read, :value 3}";
        for (String text : List.of(
                op + "\n" + op, "[" + op + " " + op + "]", "(" + op + "," + op + ")", "#jepsen.history.Op" + op + op)) {
            List<Operation> ops = new ArrayList<>();
            HistoryReader.read(new StringReader(text), ops::add);
            assertThat(ops).as(text).extracting(Operation::index).containsExactly(0L, 1L);
            assertThat(ops).extracting(Operation::f).containsOnly("read");
        }
        List<Operation> none = new ArrayList<>();
        HistoryReader.read(new StringReader(" ; nothing\n"), none::add);
        assertThat(none).isEmpty();
    }

    @Test
    void readsTheLinesThatOldJepsensLogged() throws IOException {
        String text = "INFO  jepsen.core - starting\n"
                + "INFO  jepsen.util - 4\t:invoke\t:cas\t[2 4]\n"
                + "INFO  jepsen.util - 4  :info :cas  :timed-out\n"
                + "INFO  jepsen.util - :nemesis :info :start nil\n"
                + "INFO  jepsen.util - 5  :fail :read  nil [:refused 3]\n";
        List<Operation> ops = new ArrayList<>();
        HistoryReader.read(new StringReader(text), ops::add);
        assertThat(ops)
                .containsExactly(
                        new Operation(0, 0, 4, Operation.Type.INVOKE, "cas", List.of(2L, 4L), null, Map.of()),
                        new Operation(1, 0, 4, Operation.Type.INFO, "cas", null, new Keyword("timed-out"), Map.of()),
                        new Operation(2, 0, Operation.NEMESIS, Operation.Type.INFO, "start", null, null, Map.of()),
                        new Operation(
                                3,
                                0,
                                5,
                                Operation.Type.FAIL,
                                "read",
                                null,
                                List.of(new Keyword("refused"), 3L),
                                Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INFO  jepsen.util - 4 :invoke :cas [2|1:38: the text ended; expected ]",
                "INFO  jepsen.util - 4 :done :cas 2|1:21: :type is one of :invoke :ok :fail :info; found :done",
                "INFO  jepsen.util - 4 :ok :cas 2 3 4|1:21: text behind the operation; expected process, type, f, value and"
                        + " error",
            })
    void aMalformedLineOfALogIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> HistoryReader.read(new StringReader(text), op -> {}))
                .isInstanceOf(EdnException.class)
                .hasMessage(message);
    }

    @Test
    void whatTheSinkRefusesIsToldWithItsPlace() {
        String op = "{:type :ok :process 0 :f :x}";
        assertThatThrownBy(() -> HistoryReader.read(new StringReader(op + "\n  " + op), read -> {
                    if (read.index() == 1) {
                        throw new IllegalArgumentException("no");
                    }
                }))
                .isInstanceOf(EdnException.class)
                .hasMessage("2:3: no");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7|1:1: an operation is a map; found 7",
                "{:type :ok :f :send}|1:1: :process is an integer from 0 or :nemesis; found nil",
                "{:type :done :process 0 :f :send}|1:1: :type is one of :invoke :ok :fail :info; found :done",
                "{:type :ok :process 0 :f 3}|1:1: :f is a keyword; found 3",
                "{:type :ok :process 0 :f :x :time \"1\"}|1:1: :time is an integer; found \"1\"",
                "[{:type :ok :process 0 :f :x}] 4|1:32: text behind the history's end",
            })
    void whatIsNoHistoryIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> HistoryReader.read(new StringReader(text), op -> {}))
                .isInstanceOf(EdnException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7",
                "[7]",
                "[[:send 1]]",
                "[[:poll 3]]",
                "[[:poll {1 2}]]",
                "[[:poll {1 [[:x 2]]}]]",
                "[[:take 1 2]]",
            })
    void malformedMicroOperationsAreRefused(String value) throws IOException {
        List<Operation> ops = new ArrayList<>();
        HistoryReader.read(new StringReader("{:index 5 :type :ok :process 0 :f :send :value " + value + "}"), ops::add);
        assertThatThrownBy(() -> KafkaOps.parse(ops.get(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("operation 5: the value of a :send is malformed; expected ");
    }
}
