package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.ClusterProcesses;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeJvm;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified clients against three nodes, each a process of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
class ClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int FIND_COORDINATOR = 10;
    private static final String UNSERVED = "asked for consumer groups";

    @TempDir
    static Path dir;

    private ClusterProcesses cluster;
    private String bootstrap;
    private ClientPrograms programs;
    private Admin admin;

    @BeforeAll
    void start() throws Exception {
        ClusterLayout layout = ClusterLayout.create(
                dir.resolve("cluster"),
                ClusterLayout.Shape.combined(3, 0, Map.of("auto.create.topics.enable", "false")));
        NodeJvm jvm = NodeJvm.of(Installation.current(), Map.of("KAFKA_HEAP_OPTS", "-Xms64m -Xmx256m"));
        cluster = new ClusterProcesses(layout, jvm, System.err);
        Session session =
                new Session(List.of(), System.out, System.err, Installation.current(), new Terminal(false, false, 80));
        cluster.start(session.progress(), LIMIT);
        bootstrap = layout.bootstrap();
        programs = new ClientPrograms(dir, bootstrap, LIMIT);
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    /** What clients do is no reason for a node to complain, nor to end other than it was told. */
    @AfterAll
    void end() throws Exception {
        if (admin != null) {
            admin.close();
        }
        try (ClusterProcesses ending = cluster) {
            ending.stop(LIMIT);
            for (NodeDirectory node : ending.layout().nodes()) {
                assertThat(ending.process(node.id()).exitStatus()).hasValue(143);
                assertThat(complaints(node)).allMatch(line -> line.contains(UNSERVED));
            }
        }
    }

    private static List<String> complaints(NodeDirectory node) throws IOException {
        return Files.readAllLines(node.log()).stream()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .toList();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static <T> T get(KafkaFuture<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Makes a topic and waits until every broker tells its leaders. */
    private void topic(String name, int partitions, Map<String, String> configs) throws Exception {
        get(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 3).configs(configs)))
                .all());
        for (String broker : bootstrap.split(",", -1)) {
            try (Admin one = Admin.create(Map.of("bootstrap.servers", broker))) {
                LauncherSandbox.await(() -> led(one, name) == partitions);
            }
        }
    }

    private static long led(Admin admin, String topic) {
        try {
            return get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic).partitions().stream()
                    .filter(partition -> partition.leader() != null)
                    .count();
        } catch (Exception e) {
            return 0; // not known there yet
        }
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> configs = new HashMap<>(Map.of("bootstrap.servers", bootstrap));
        configs.putAll(more);
        return new KafkaConsumer<>(configs, new StringDeserializer(), new StringDeserializer());
    }

    private static List<ConsumerRecord<String, String>> poll(KafkaConsumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> got = new ArrayList<>();
        long end = System.nanoTime() + LIMIT.toNanos();
        while (got.size() < count && System.nanoTime() < end) {
            consumer.poll(Duration.ofMillis(200)).forEach(got::add);
        }
        return got;
    }

    @Test
    void aJavaProducersRecordsAreReadOnceAndInOrder() throws Exception {
        topic("java", 3, Map.of());
        List<TopicPartition> partitions = IntStream.range(0, 3)
                .mapToObj(p -> new TopicPartition("java", p))
                .toList();
        Map<TopicPartition, List<String>> sent =
                new TreeMap<>(java.util.Comparator.comparing(TopicPartition::partition));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer())) {
            Map<String, Future<RecordMetadata>> acks = new java.util.LinkedHashMap<>();
            for (int i = 0; i < 3000; i++) {
                ProducerRecord<String, String> record =
                        new ProducerRecord<>("java", i % 3, 1000L + i, "k" + i, "v" + i);
                record.headers().add(new RecordHeader("h", ("" + i).getBytes(StandardCharsets.UTF_8)));
                acks.put("v" + i, producer.send(record));
            }
            producer.flush();
            for (Map.Entry<String, Future<RecordMetadata>> ack : acks.entrySet()) {
                RecordMetadata at = get(ack.getValue());
                List<String> inPartition = sent.computeIfAbsent(
                        new TopicPartition(at.topic(), at.partition()), partition -> new ArrayList<>());
                assertThat(at.offset()).isEqualTo(inPartition.size());
                inPartition.add(ack.getKey());
            }
        }
        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ConsumerRecord<String, String>> got = poll(consumer, 3000);
            assertThat(got.stream()
                            .collect(Collectors.groupingBy(
                                    r -> new TopicPartition(r.topic(), r.partition()),
                                    Collectors.mapping(ConsumerRecord::value, Collectors.toList()))))
                    .isEqualTo(sent);
            assertThat(got).allSatisfy(record -> {
                String number = record.value().substring(1);
                assertThat(record.key()).isEqualTo("k" + number);
                assertThat(record.timestamp()).isEqualTo(1000L + Integer.parseInt(number));
                assertThat(new String(record.headers().lastHeader("h").value(), StandardCharsets.UTF_8))
                        .isEqualTo(number);
            });
            assertThat(consumer.endOffsets(partitions).values()).containsOnly(1000L);
            assertThat(consumer.offsetsForTimes(Map.of(partitions.get(1), 1301L))
                            .get(partitions.get(1))
                            .offset())
                    .isEqualTo(100);
            consumer.seek(partitions.get(0), 998);
            consumer.assign(List.of(partitions.get(0)));
            assertThat(poll(consumer, 2)).extracting(ConsumerRecord::value).containsExactly("v2994", "v2997");
        }
    }

    @Test
    void theRulesOfATopicHoldFromItsFirstRecordOn() throws Exception {
        topic("rules", 1, Map.of("message.timestamp.before.max.ms", "60000", "max.message.bytes", "2000"));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "enable.idempotence", false, "retries", 0),
                new StringSerializer(),
                new StringSerializer())) {
            assertThatThrownBy(() -> get(producer.send(new ProducerRecord<>("rules", 0, 1000L, "k", "old"))))
                    .hasRootCauseInstanceOf(org.apache.kafka.common.errors.InvalidTimestampException.class);
            assertThatThrownBy(() -> get(producer.send(new ProducerRecord<>("rules", 0, "k", "x".repeat(3000)))))
                    .hasRootCauseInstanceOf(org.apache.kafka.common.errors.RecordTooLargeException.class);
            assertThat(get(producer.send(new ProducerRecord<>("rules", 0, "k", "v")))
                            .offset())
                    .isZero();
        }
    }

    @Test
    void adminTellsAndChangesTheCluster() throws Exception {
        topic("admin", 2, Map.of("retention.ms", "123456"));
        assertThat(get(admin.describeCluster().nodes())).hasSize(3);
        TopicDescription topic =
                get(admin.describeTopics(List.of("admin")).allTopicNames()).get("admin");
        assertThat(topic.partitions()).hasSize(2).allSatisfy(partition -> {
            assertThat(partition.replicas()).hasSize(3);
            assertThat(partition.isr()).hasSize(3).contains(partition.leader());
        });
        assertThat(get(admin.describeTopics(
                                        org.apache.kafka.common.TopicCollection.ofTopicIds(List.of(topic.topicId())))
                                .allTopicIds())
                        .get(topic.topicId())
                        .name())
                .isEqualTo("admin");

        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "admin");
        assertThat(config(resource, "retention.ms").value()).isEqualTo("123456");
        alter(resource, new ConfigEntry("retention.ms", "777"), AlterConfigOp.OpType.SET);
        LauncherSandbox.await(() -> config(resource, "retention.ms").value().equals("777"));
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "2");
        alter(broker, new ConfigEntry("log.retention.ms", "888"), AlterConfigOp.OpType.SET);
        LauncherSandbox.await(
                () -> config(broker, "log.retention.ms").source() == ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG);
        assertThatThrownBy(() -> alter(broker, new ConfigEntry("node.id", "9"), AlterConfigOp.OpType.SET))
                .hasRootCauseInstanceOf(org.apache.kafka.common.errors.InvalidRequestException.class);

        QuorumInfo quorum = get(admin.describeMetadataQuorum().quorumInfo());
        assertThat(quorum.voters())
                .extracting(QuorumInfo.ReplicaState::replicaId)
                .containsExactlyInAnyOrder(1, 2, 3);
        assertThat(quorum.leaderId()).isBetween(1, 3);
        assertThat(quorum.highWatermark()).isPositive();
        assertThat(get(admin.describeFeatures().featureMetadata()).finalizedFeatures())
                .containsKeys("metadata.version", "kraft.version", "eligible.leader.replicas.version");

        TopicPartition first = new TopicPartition("admin", 0);
        assertThat(offset(first, OffsetSpec.latest())).isZero();
        assertThat(offset(first, OffsetSpec.earliest())).isZero();
        assertThat(offset(first, OffsetSpec.maxTimestamp())).isEqualTo(-1);
        get(admin.deleteTopics(List.of("admin")).all());
        LauncherSandbox.await(() -> !names().contains("admin"));
    }

    private ConfigEntry config(ConfigResource resource, String key) {
        try {
            return get(admin.describeConfigs(List.of(resource)).all())
                    .get(resource)
                    .get(key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void alter(ConfigResource resource, ConfigEntry entry, AlterConfigOp.OpType type) throws Exception {
        get(admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(entry, type))))
                .all());
    }

    private Collection<String> names() {
        try {
            return get(admin.listTopics().names());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private long offset(TopicPartition partition, OffsetSpec spec) throws Exception {
        return get(admin.listOffsets(Map.of(partition, spec)).partitionResult(partition))
                .offset();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void kcatReadsWhatItWrote(String codec) throws Exception {
        ClientPrograms.needKcat();
        String topic = "kcat-" + codec;
        topic(topic, 1, Map.of());
        // Half of it does not compress.
        Random random = new Random(7);
        String lines = IntStream.range(0, 500)
                .mapToObj(i -> i % 2 == 0 ? "line " + i + " of many" : Long.toHexString(random.nextLong()))
                .collect(Collectors.joining("\n", "", "\n"));
        programs.kcat(lines, "-P", "-t", topic, "-p", "0", "-z", codec);
        assertThat(programs.kcat("", "-C", "-t", topic, "-p", "0", "-o", "beginning", "-e", "-q"))
                .isEqualTo(lines);
        // A batch that would not become smaller is sent as it is; and lz4, as librdkafka 2.0 wants FindCoordinator for
        // it.
        assertThat(codecs(topic)).contains(codec.equals("lz4") ? "none" : codec);
        assertThat(programs.kcat("", "-L", "-t", topic))
                .contains("3 brokers:", "topic \"" + topic + "\" with 1 partitions");
        assertThat(programs.kcat("", "-Q", "-t", topic + ":0:-1")).isEqualTo(topic + " [0] offset 500\n");
    }

    /** Of the batches on the disk of one node. */
    private Set<String> codecs(String topic) throws IOException {
        Path data = cluster.layout().node(1).data();
        Set<String> codecs = new TreeSet<>();
        try (FileRecords log = FileRecords.open(
                data.resolve(topic + "-0").resolve("00000000000000000000.log").toFile())) {
            log.batches().forEach(batch -> codecs.add(batch.compressionType().name));
        }
        return codecs;
    }

    @Test
    void kafkasOwnToolsWork() throws Exception {
        programs.kafka("", "topics", "--create", "--topic", "tools", "--partitions", "2", "--replication-factor", "3");
        String described = programs.kafka("", "topics", "--describe", "--topic", "tools");
        assertThat(described).contains("PartitionCount: 2", "ReplicationFactor: 3", "Elr:");
        String lines = IntStream.range(0, 100).mapToObj(i -> "v" + i).collect(Collectors.joining("\n", "", "\n"));
        programs.kafka(lines, "console-producer", "--topic", "tools");
        StringBuilder read = new StringBuilder();
        for (int partition = 0; partition < 2; partition++) {
            long end = offset(new TopicPartition("tools", partition), OffsetSpec.latest());
            if (end > 0) {
                read.append(programs.kafka(
                        "",
                        "console-consumer",
                        "--topic",
                        "tools",
                        "--partition",
                        String.valueOf(partition),
                        "--offset",
                        "earliest",
                        "--max-messages",
                        String.valueOf(end),
                        "--timeout-ms",
                        "30000"));
            }
        }
        assertThat(read.toString().split("\n", -1))
                .filteredOn(line -> !line.isEmpty())
                .containsExactlyInAnyOrder(lines.strip().split("\n", -1));
    }

    @Test
    void aClientThatNeedsGroupsFailsAndTheServerNamesTheFeature() throws Exception {
        topic("grouped", 1, Map.of());
        try (KafkaConsumer<String, String> consumer =
                consumer(Map.of("group.id", "g", "default.api.timeout.ms", 5000))) {
            consumer.subscribe(List.of("grouped"));
            assertThatThrownBy(() -> poll(consumer, 1)).isInstanceOf(UnsupportedVersionException.class);
        }
        // A client that does not ask for the versions first.
        String[] address = bootstrap.split(",", -1)[0].split(":", -1);
        for (int i = 0; i < 3; i++) {
            try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                socket.setSoTimeout((int) LIMIT.toMillis());
                ByteBuffer frame = ByteBuffer.allocate(17);
                frame.putInt(13)
                        .putShort((short) FIND_COORDINATOR)
                        .putShort((short) 0)
                        .putInt(1);
                frame.putShort((short) -1).putShort((short) 1).put((byte) 'g');
                socket.getOutputStream().write(frame.array());
                assertThat(socket.getInputStream().read()).as("closed").isEqualTo(-1);
            }
        }
        NodeDirectory asked = cluster.layout().node(1);
        LauncherSandbox.await(() -> !unserved(asked).isEmpty());
        assertThat(unserved(asked)).singleElement().asString().contains("127.0.0.1");
    }

    private static List<String> unserved(NodeDirectory node) {
        try {
            return complaints(node).stream()
                    .filter(line -> line.contains(UNSERVED))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
