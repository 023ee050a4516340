package io.tidemark.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.HistoryWriter;
import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientHistoryTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    @TempDir
    Path dir;

    private final MockProducer<String, Long> producer =
            new MockProducer<>(false, null, new StringSerializer(), new LongSerializer());
    private final MockConsumer<String, Long> consumer = new MockConsumer<>("earliest");

    /** The example of docs/histories.md, line by line. */
    private static HistoryResult example(Path file, Producer<String, Long> producer, Consumer<String, Long> consumer)
            throws IOException {
        // example
        try (HistoryWriter writer = HistoryWriter.create(file, System::nanoTime)) {
            ClientHistory history = new ClientHistory(writer);
            for (long value = 0; value < 3; value++) {
                history.send("producer-1", producer, new ProducerRecord<>("orders", 0, null, value));
            }
            producer.flush();
            history.readToTheEnd(consumer, List.of(new TopicPartition("orders", 0)), Duration.ofMinutes(1));
        }
        HistoryResult result = HistoryChecker.check(file);
        // end of the example
        return result;
    }

    private void holds(long... values) {
        consumer.updateBeginningOffsets(Map.of(ORDERS, 0L));
        consumer.updateEndOffsets(Map.of(ORDERS, (long) values.length));
        consumer.schedulePollTask(() -> {
            for (int offset = 0; offset < values.length; offset++) {
                consumer.addRecord(new ConsumerRecord<>(
                        "orders",
                        0,
                        offset,
                        0,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        "",
                        values[offset],
                        new RecordHeaders(),
                        Optional.of(offset < 2 ? 4 : 5)));
            }
        });
    }

    private List<Operation> recorded() throws IOException {
        return HistoryReader.readAll(dir.resolve("history.edn"));
    }

    private HistoryResult run() throws IOException {
        return example(dir.resolve("history.edn"), producer, consumer);
    }

    @Test
    void whatIsAcknowledgedAndReadIsValid() throws IOException {
        holds(0, 1, 2);
        HistoryResult result = run();
        assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.VALID);
        assertThat(result.finalRead()).isTrue();
        assertThat(recorded().stream().filter(op -> op.extra("leader-epochs") != null))
                .singleElement()
                .satisfies(op -> assertThat(op.extra("leader-epochs"))
                        .isEqualTo(Map.of("orders-0", List.of(List.of(0L, 4L), List.of(2L, 5L)))));
    }

    @Test
    void whatIsAcknowledgedAndGoneIsLost() throws IOException {
        holds(0, 1);
        HistoryResult result = run();
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings().get(0).type()).isEqualTo("lost");
    }

    @Test
    void anErrorLeavesItOpenAndItsProcessUnused() throws IOException {
        try (HistoryWriter writer = HistoryWriter.create(dir.resolve("history.edn"), System::nanoTime)) {
            ClientHistory history = new ClientHistory(writer);
            var first = history.send("p", producer, new ProducerRecord<>("orders", 0, null, 7L));
            producer.errorNext(new TimeoutException("late"));
            var second = history.send("p", producer, new ProducerRecord<>("orders", 0, null, 8L));
            producer.completeNext();
            var third = history.send("p", producer, new ProducerRecord<>("orders", 0, null, 9L));
            assertThat(List.of(first.isDone(), second.isDone(), third.isDone())).containsExactly(true, true, false);
        }
        assertThat(recorded().stream().map(op -> op.type() + " " + op.process()))
                .containsExactly("INVOKE 0", "INFO 0", "INVOKE 1", "OK 1", "INVOKE 1");
        assertThat(recorded().get(1).error()).isEqualTo("org.apache.kafka.common.errors.TimeoutException: late");
    }

    @Test
    void whatTheProducerRefusesWasNotSent() throws IOException {
        producer.sendException = new KafkaException("no room");
        try (HistoryWriter writer = HistoryWriter.create(dir.resolve("history.edn"), System::nanoTime)) {
            ClientHistory history = new ClientHistory(writer);
            assertThatThrownBy(() -> history.send("p", producer, new ProducerRecord<>("orders", 0, null, 7L)))
                    .hasMessage("no room");
            assertThatThrownBy(() -> history.send("p", producer, new ProducerRecord<>("orders", 7L)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(recorded().stream().map(Operation::type))
                .containsExactly(Operation.Type.INVOKE, Operation.Type.FAIL);
    }

    /** What the page tells people to write is what is compiled here. */
    @Test
    void theDocumentHasTheExample() throws IOException {
        Path root = Path.of(System.getProperty("tidemark.root"));
        String source = Files.readString(root.resolve(
                "linearizability-tests/workload/src/test/java/io/tidemark/workload/ClientHistoryTest.java"));
        String code = source.substring(
                        source.indexOf("// example\n") + "// example\n".length(),
                        source.indexOf("        // end of the"))
                .stripTrailing()
                .stripIndent();
        assertThat(Files.readString(root.resolve("docs/histories.md"))).contains(code);
    }
}
