package io.tidemark.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.ClusterProcesses;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real processes, the leader is killed and comes back, and ELR is switched off: what they tell is a behaviour of the
 * specification, as far as it has a word for it.
 */
@Timeout(300)
class TraceIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path TRACE = Path.of("trace.ndjson");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aRunOfThreeProcessesWithALeaderKillIsABehaviourUpToAChangeOfASetting() throws Exception {
        Installation installation = Installation.current();
        ClusterLayout layout = ClusterLayout.create(
                dir,
                ClusterLayout.Shape.combined(
                        3, 0, Map.of("broker.session.timeout.ms", "5000", "replica.lag.time.max.ms", "2000")));
        NodeJvm jvm = NodeJvm.of(installation, Map.of()).tracing(TRACE);
        try (ClusterProcesses cluster = new ClusterProcesses(layout, jvm, System.err)) {
            var session = new Session(List.of("cluster"), System.out, System.err, installation, Terminal.current());
            try (var progress = session.progress()) {
                cluster.start(progress, LIMIT);
            }
            run(cluster, layout.bootstrap());
        }
        List<String> words = new ArrayList<>(List.of("trace", "validate", "--format", "json"));
        for (NodeDirectory node : layout.nodes()) {
            words.add(node.dir().resolve(TRACE).toString());
        }
        Cli validated = Cli.run(words.toArray(String[]::new));
        JsonNode document = Schemas.validated("trace-validate", validated.out());
        // All is accepted up to where ELR was switched off, and nothing is said of what came after.
        assertThat(document.path("rejectedAt").isNull()).as(validated.out()).isTrue();
        assertThat(document.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.path("reasons").path(0).path("message").asText())
                .contains("eligible.leader.replicas.version is switched off");
        assertThat(document.path("layers").path(0).path("name").asText()).isEqualTo("quorum");
        assertThat(document.path("layers").path(0).path("unknown").isNull()).isTrue();
        assertThat(document.path("layers").path(1).path("name").asText()).isEqualTo("controller");
        assertThat(document.path("layers").path(1).path("unknown").isNull()).isTrue();
        assertThat(document.path("layers").path(1).path("events").asInt()).isPositive();
        assertThat(document.path("actions").findValuesAsText("name"))
                .contains("Beat", "Activate", "HandleUpdateFeatures")
                .contains("HandleVoteRequest", "HandleMetadataFetch", "HandleMetadataFetchResponse", "PersistMetadata")
                .contains("Die", "RestartBroker", "HandleFetchResponse", "ProposeExpandIsr", "BrokerSessionTimeout");
    }

    private static void run(ClusterProcesses cluster, String bootstrap) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrap, "reconnect.backoff.max.ms", "200");
        try (Admin admin = Admin.create(config);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic("told", 1, (short) 3)))
                    .all()
                    .get(60, TimeUnit.SECONDS);
            produce(producer);
            int leader = partition(admin).leader().id();
            cluster.process(leader).kill();
            cluster.process(leader).awaitExit(LIMIT);
            await(() -> partition(admin).leader() != null
                    && partition(admin).leader().id() != leader);
            produce(producer);
            cluster.restart(leader);
            await(() -> partition(admin).isr().size() == 3);
            produce(producer);
            admin.updateFeatures(
                            Map.of(
                                    "eligible.leader.replicas.version",
                                    new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)),
                            new UpdateFeaturesOptions())
                    .all()
                    .get(60, TimeUnit.SECONDS);
            produce(producer);
        }
    }

    private static void produce(KafkaProducer<byte[], byte[]> producer) throws Exception {
        for (int i = 0; i < 30; i++) {
            producer.send(new ProducerRecord<>("told", 0, null, new byte[20])).get(60, TimeUnit.SECONDS);
        }
    }

    private static TopicPartitionInfo partition(Admin admin) throws Exception {
        return admin.describeTopics(List.of("told"))
                .allTopicNames()
                .get(60, TimeUnit.SECONDS)
                .get("told")
                .partitions()
                .get(0);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime() < end).as("in time").isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
