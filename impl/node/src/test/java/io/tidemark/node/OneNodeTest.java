package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.node.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real node, and Kafka's own clients. */
@Timeout(120)
class OneNodeTest {
    @TempDir
    Path directory;

    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private Path config;
    private Node node;
    private int quorumPort;
    private String bootstrap;

    @BeforeEach
    void start() throws Exception {
        config = directory.resolve("server.properties");
        quorumPort = freePort();
        Files.writeString(config, """
                process.roles=broker,controller
                node.id=1
                log.dirs=%s
                listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=127.0.0.1:%d
                broker.heartbeat.interval.ms=200
                num.network.threads=2
                """.formatted(directory.resolve("data"), quorumPort, quorumPort));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        assertThat(FormatTool.run(
                        new String[] {"-t", "one-node", "-c", config.toString(), "--standalone"},
                        new PrintStream(said),
                        new PrintStream(said)))
                .as(said.toString())
                .isZero();
        startNode();
    }

    /** KIP-919: what a client of the controllers does next, it does at those that the first answer lists. */
    @Test
    void controllersAreFoundAndAnswer() throws Exception {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.controllers",
                "127.0.0.1:" + quorumPort,
                "request.timeout.ms",
                "20000",
                "default.api.timeout.ms",
                "30000"))) {
            await("registered", () -> !admin.describeCluster().nodes().get().isEmpty());
            assertThat(admin.describeCluster().nodes().get())
                    .singleElement()
                    .extracting(found -> found.id() + " " + found.port())
                    .isEqualTo("1 " + quorumPort);
            assertThat(admin.describeMetadataQuorum().quorumInfo().get().leaderId())
                    .isEqualTo(1);
        }
    }

    private static int freePort() throws Exception {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void startNode() throws Exception {
        CompletableFuture<Void> started = new CompletableFuture<>();
        node = new Node(ServerConfig.load(config), new Node.Events() {
            @Override
            public void started() {
                started.complete(null);
            }

            @Override
            public void refused(String reason) {
                failed(reason, null);
            }

            @Override
            public void failed(String reason, @Nullable Throwable cause) {
                failure.complete(reason);
                started.completeExceptionally(cause == null ? new IllegalStateException(reason) : cause);
            }
        });
        started.get(60, TimeUnit.SECONDS);
        bootstrap = "127.0.0.1:" + node.brokerEndpoints().get(0).port();
    }

    @AfterEach
    void end() throws Exception {
        node.shutDown();
        assertThat(failure).isNotDone();
    }

    private Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers", bootstrap, "request.timeout.ms", "20000", "default.api.timeout.ms", "30000"));
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> configs = new java.util.HashMap<>(Map.of("bootstrap.servers", bootstrap));
        configs.putAll(more);
        return new KafkaProducer<>(configs, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private List<ConsumerRecord<byte[], byte[]>> readAll(String topic, int partition, int count) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "max.partition.fetch.bytes", 65536),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition assigned = new TopicPartition(topic, partition);
            consumer.assign(List.of(assigned));
            consumer.seekToBeginning(List.of(assigned));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (records.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            return records;
        }
    }

    @Test
    void whatIsProducedIsReadAlsoAfterARestart() throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("t", 2, (short) 1))).all().get();
        }
        int count = 2000;
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("compression.type", "lz4"))) {
            List<java.util.concurrent.Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>("t", 0, null, ("value " + i).getBytes())));
            }
            for (int i = 0; i < count; i++) {
                assertThat(sent.get(i).get().offset()).isEqualTo(i);
            }
        }
        assertValues(readAll("t", 0, count), count);
        node.shutDown();
        startNode();
        assertValues(readAll("t", 0, count), count);
        try (Admin admin = admin()) {
            assertThat(admin.listOffsets(Map.of(new TopicPartition("t", 0), OffsetSpec.latest()))
                            .partitionResult(new TopicPartition("t", 0))
                            .get()
                            .offset())
                    .isEqualTo(count);
        }
    }

    /** One flipped bit outside of the checksum, one malformed file: the node starts, and all but that one partition serve. */
    @Test
    void damageToOnePartitionStopsNoOther() throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("t", 3, (short) 1))).all().get();
        }
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("batch.size", 0))) {
            for (int partition = 0; partition < 3; partition++) {
                for (int i = 0; i < 5; i++) {
                    producer.send(new ProducerRecord<>("t", partition, null, ("value " + i).getBytes()))
                            .get();
                }
            }
        }
        node.shutDown();
        Path log = directory.resolve("data/t-0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 5 * 4 + 14] ^= (byte) 0x80; // the last of five equal batches: epoch 32768
        Files.write(log, bytes);
        Path metadata = directory.resolve("data/t-1/partition.metadata");
        Files.writeString(metadata, "garbage");
        startNode();
        assertValues(readAll("t", 0, 5), 5);
        assertValues(readAll("t", 2, 5), 5);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int partition : List.of(0, 2)) {
                assertThat(producer.send(new ProducerRecord<>("t", partition, null, new byte[1]))
                                .get()
                                .offset())
                        .isEqualTo(5);
            }
        }
        assertThat(directory.resolve("data/t-1/00000000000000000000.log")).isNotEmptyFile();
        assertThat(metadata).hasContent("garbage");
        bytes[bytes.length / 5 * 4 + 14] ^= (byte) 0x80;
        assertThat(Files.readAllBytes(log)).as("mended").startsWith(bytes);
    }

    private static void assertValues(List<ConsumerRecord<byte[], byte[]>> records, int count) {
        assertThat(records).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(new String(records.get(i).value())).isEqualTo("value " + i);
        }
    }

    @Test
    void aTopicIsMadeWhenAProducerAsksForIt() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("acks", "1", "enable.idempotence", false))) {
            assertThat(producer.send(new ProducerRecord<>("made-by-itself", new byte[10]))
                            .get()
                            .offset())
                    .isZero();
        }
        assertThat(readAll("made-by-itself", 0, 1)).hasSize(1);
    }

    @Test
    void acksNoneNeedsNoAnswer() throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("silent", 1, (short) 1)))
                    .all()
                    .get();
        }
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("acks", "0", "enable.idempotence", false))) {
            for (int i = 0; i < 500; i++) {
                producer.send(new ProducerRecord<>("silent", 0, null, ("value " + i).getBytes()));
            }
            producer.flush();
        }
        assertValues(readAll("silent", 0, 500), 500);
    }

    /** With acks=0 nothing else can tell a producer that it has to look for the leader anew. */
    @Test
    void aFailedProduceWithAcksNoneClosesTheConnection() throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("small", 1, (short) 1).configs(Map.of("max.message.bytes", "100"))))
                    .all()
                    .get();
        }
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("acks", "0", "enable.idempotence", false))) {
            double before = closed(producer);
            producer.send(new ProducerRecord<>("small", 0, null, new byte[200]));
            producer.flush();
            await("the connection is closed", () -> closed(producer) > before);
            producer.send(new ProducerRecord<>("small", 0, null, new byte[5]));
            producer.flush();
        }
        assertThat(readAll("small", 0, 1)).hasSize(1);
    }

    private static double closed(KafkaProducer<byte[], byte[]> producer) {
        return producer.metrics().entrySet().stream()
                .filter(each -> each.getKey().name().equals("connection-close-total"))
                .mapToDouble(each -> (Double) each.getValue().metricValue())
                .sum();
    }

    @Test
    void logsAreFlushedAndProducersForgottenAsConfigured() throws Exception {
        node.shutDown();
        Files.writeString(config, """
                log.flush.scheduler.interval.ms=20
                log.flush.offset.checkpoint.interval.ms=50
                producer.id.expiration.ms=1000
                producer.id.expiration.check.interval.ms=50
                """, StandardOpenOption.APPEND);
        startNode();
        TopicPartition partition = new TopicPartition("t", 0);
        try (Admin admin = admin();
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            NewTopic topic = new NewTopic("t", 1, (short) 1);
            admin.createTopics(List.of(topic.configs(Map.of("flush.ms", "10"))))
                    .all()
                    .get();
            for (int i = 0; i < 5; i++) {
                producer.send(new ProducerRecord<>("t", 0, null, new byte[10])).get();
            }
            Path checkpoint = directory.resolve("data/recovery-point-offset-checkpoint");
            await(
                    "the log is on disk",
                    () -> Files.exists(checkpoint)
                            && Files.readAllLines(checkpoint).contains("t 0 5"));
            await(
                    "the producer is forgotten",
                    () -> admin.describeProducers(List.of(partition))
                            .partitionResult(partition)
                            .get()
                            .activeProducers()
                            .isEmpty());
            assertThat(producer.send(new ProducerRecord<>("t", 0, null, new byte[10]))
                            .get()
                            .offset())
                    .as("a producer without state may go on anywhere")
                    .isEqualTo(5);
        }
    }

    private static void await(String what, Callable<Boolean> holds) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!holds.call()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void administrationIsAnswered() throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1).configs(Map.of("max.message.bytes", "2000"))))
                    .all()
                    .get();
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                            .all()
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TopicExistsException.class);
            assertThat(admin.listTopics().names().get()).isEqualTo(Set.of("t"));
            assertThat(admin.describeCluster().clusterId().get()).isEqualTo("one-node");
            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "t");
            ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
            Map<ConfigResource, Config> configs =
                    admin.describeConfigs(List.of(topic, broker)).all().get();
            assertThat(configs.get(topic).get("max.message.bytes").value()).isEqualTo("2000");
            assertThat(configs.get(broker).get("broker.heartbeat.interval.ms").value())
                    .isEqualTo("200");
            QuorumInfo quorum = admin.describeMetadataQuorum().quorumInfo().get();
            assertThat(quorum.leaderId()).isEqualTo(1);
            assertThat(admin.describeFeatures()
                            .featureMetadata()
                            .get()
                            .finalizedFeatures()
                            .get("metadata.version")
                            .maxVersionLevel())
                    .isEqualTo((short) 30);
            try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
                assertThatThrownBy(() -> producer.send(new ProducerRecord<>("t", new byte[3000]))
                                .get())
                        .hasCauseInstanceOf(RecordTooLargeException.class);
            }
            admin.deleteTopics(List.of("t")).all().get();
            assertThat(admin.listTopics().names().get()).isEmpty();
        }
    }
}
