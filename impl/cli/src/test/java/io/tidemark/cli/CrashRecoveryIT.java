package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.ClusterProcesses;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.cli.process.NodeProcess;
import io.tidemark.history.log.ReplicaLog;
import io.tidemark.workload.fault.ClusterProbe;
import io.tidemark.workload.log.ReplicaLogReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Three real processes that are killed, frozen and told to end while a producer writes. Each test has a topic of its own. */
@Timeout(120)
class CrashRecoveryIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SESSION_MS = 5_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static ClusterProcesses cluster;
    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        Installation installation = Installation.current();
        ClusterLayout layout = ClusterLayout.create(
                dir,
                ClusterLayout.Shape.combined(
                        3,
                        0,
                        Map.of(
                                "auto.create.topics.enable", "false",
                                "broker.session.timeout.ms", Integer.toString(SESSION_MS),
                                "broker.heartbeat.interval.ms", "500",
                                "replica.lag.time.max.ms", "1000")));
        cluster = new ClusterProcesses(layout, NodeJvm.of(installation, Map.of()), System.err);
        Session session = new Session(List.of("cluster"), System.out, System.err, installation, Terminal.current());
        try (Progress progress = session.progress()) {
            cluster.start(progress, LIMIT);
        }
        admin = Admin.create(Map.of("bootstrap.servers", layout.bootstrap(), "reconnect.backoff.max.ms", "200"));
    }

    @AfterAll
    static void end() {
        admin.close(Duration.ZERO);
        cluster.close();
    }

    @Test
    void aKilledLeaderLosesAndRepeatsNothing() throws Exception {
        List<Integer> replicas = replicas();
        createTopic("killed", List.of(replicas.get(1), replicas.get(0), replicas.get(2)));
        try (AckedLoad load = new AckedLoad(bootstrap(), "killed")) {
            load.awaitAcks(200, LIMIT);
            int leader = partition("killed").leader().id();
            long before = System.nanoTime();
            kill(leader);
            // What is acknowledged from now on is acknowledged by another leader.
            await(LIMIT, "another leader", () -> leads("killed", node -> node != leader));
            load.awaitAcks(200, LIMIT);
            // The session has to end; what comes on top is ours.
            assertThat(load.longestGapMs(before)).isLessThan(SESSION_MS + 5_000);
            restart(leader);
            awaitInSync("killed");
            load.verify();
        }
        assertReplicasAreEqual("killed");
    }

    @Test
    void aFrozenFollowerLeavesTheIsrAndRejoinsUnderLoad() throws Exception {
        List<Integer> replicas = replicas();
        int frozen = replicas.get(2);
        createTopic("frozen", replicas);
        try (AckedLoad load = new AckedLoad(bootstrap(), "frozen")) {
            load.awaitAcks(200, LIMIT);
            NodeProcess process = cluster.process(frozen);
            try (ClusterProbe leader = probe(replicas.get(0))) {
                process.stop();
                await(
                        Duration.ofMillis(SESSION_MS - 500),
                        "ISR without the frozen replica",
                        () -> isr(leader, "frozen").equals(Set.copyOf(replicas.subList(0, 2))));
                // It has left for its lag: its session still lives.
                assertThat(leader.cluster("frozen").brokers()).contains(frozen);
                load.awaitAcks(200, LIMIT);
                process.resume();
                await(LIMIT, "ISR of all", () -> isr(leader, "frozen").equals(Set.copyOf(replicas)));
            } finally {
                process.resume();
            }
            load.awaitAcks(200, LIMIT);
            load.verify();
        }
        assertReplicasAreEqual("frozen");
    }

    @Test
    void aNodeThatIsToldToEndHandsItsLeadershipOverFirst() throws Exception {
        createTopic("told", replicas());
        try (AckedLoad load = new AckedLoad(bootstrap(), "told")) {
            load.awaitAcks(200, LIMIT);
            int leader = partition("told").leader().id();
            long before = System.nanoTime();
            NodeProcess process = cluster.process(leader);
            process.terminate();
            assertThat(process.awaitExit(LIMIT)).isTrue();
            assertThat(process.exitStatus()).hasValue(128 + 15);
            load.awaitAcks(200, LIMIT);
            assertThat(load.longestGapMs(before)).isLessThan(2_000);
            restart(leader);
            awaitInSync("told");
            load.verify();
        }
        assertReplicasAreEqual("told");
    }

    @Test
    void whatWasAcknowledgedOutlivesAllNodes() throws Exception {
        createTopic("all", replicas());
        try (AckedLoad load = new AckedLoad(bootstrap(), "all")) {
            load.awaitAcks(200, LIMIT);
            for (NodeProcess process : cluster.running()) {
                process.kill();
            }
            for (int id = 1; id <= 3; id++) {
                assertThat(cluster.process(id).awaitExit(LIMIT)).isTrue();
            }
            for (int id = 1; id <= 3; id++) {
                cluster.restart(id);
            }
            load.awaitAcks(200, LIMIT);
            awaitInSync("all");
            load.verify();
        }
        assertReplicasAreEqual("all");
    }

    // Cluster

    private static String bootstrap() {
        return cluster.layout().bootstrap();
    }

    /** All nodes, the active controller first: a test that leaves it alone measures no election of the quorum. */
    private static List<Integer> replicas() throws Exception {
        int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
        List<Integer> nodes = new ArrayList<>(List.of(1, 2, 3));
        nodes.remove(Integer.valueOf(controller));
        nodes.add(0, controller);
        return nodes;
    }

    private static void createTopic(String name, List<Integer> replicas) throws Exception {
        await(
                LIMIT,
                "three brokers",
                () -> admin.describeCluster().nodes().get().size() == 3);
        admin.createTopics(List.of(new NewTopic(name, Map.of(0, replicas))))
                .all()
                .get(30, TimeUnit.SECONDS);
        awaitInSync(name);
    }

    private static void kill(int id) throws InterruptedException {
        NodeProcess process = cluster.process(id);
        process.kill();
        assertThat(process.awaitExit(LIMIT)).isTrue();
    }

    private static void restart(int id) throws InterruptedException {
        NodeProcess process = cluster.restart(id);
        assertThat(process.awaitReady(LIMIT)).as(process.logSinceStart()).isTrue();
    }

    private interface NodeTest {
        boolean test(int node);
    }

    private static TopicPartitionInfo partition(String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get(10, TimeUnit.SECONDS)
                .get(topic)
                .partitions()
                .get(0);
    }

    private static boolean leads(String topic, NodeTest test) throws Exception {
        Node leader = partition(topic).leader();
        return leader != null && !leader.isEmpty() && test.test(leader.id());
    }

    /** Asks one node: an admin client may ask the frozen one. */
    private static ClusterProbe probe(int node) {
        int port = cluster.layout().node(node).port("PLAINTEXT").orElseThrow();
        return new ClusterProbe(new InetSocketAddress("127.0.0.1", port), Duration.ofSeconds(2));
    }

    private static Set<Integer> isr(ClusterProbe node, String topic) throws IOException {
        return Set.copyOf(node.cluster(topic).partitions().get(0).isr());
    }

    private static void awaitInSync(String topic) throws InterruptedException {
        await(LIMIT, topic + " in sync", () -> partition(topic).isr().size() == 3 && leads(topic, node -> true));
    }

    /** Byte for byte, on the three disks. */
    private static void assertReplicasAreEqual(String topic) throws Exception {
        Map<Integer, Path> directories = new TreeMap<>();
        cluster.layout()
                .nodes()
                .forEach(node -> directories.put(node.id(), node.data().resolve(topic + "-0")));
        List<ReplicaLog> logs = new ArrayList<>();
        await(LIMIT, "logs of one length", () -> {
            logs.clear();
            logs.addAll(ReplicaLogReader.read(directories));
            return logs.stream().mapToLong(ReplicaLog::endOffset).distinct().count() == 1;
        });
        for (ReplicaLog log : logs) {
            assertThat(log.size()).isPositive();
            for (int i = 0; i < log.size(); i++) {
                assertThat(log.digest(i))
                        .as("node %s, record %s", log.node(), i)
                        .isZero();
            }
        }
    }

    /** Polls until it is so; an answer that does not come counts as no. */
    static void await(Duration limit, String what, Callable<Boolean> condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Exception last = null;
        while (true) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no " + what + " within " + limit.toMillis() + " ms", last);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
