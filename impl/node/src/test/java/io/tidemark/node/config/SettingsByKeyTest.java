package io.tidemark.node.config;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.MetaProperties;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Neighbours of one type stand in each other's place unseen: here every key has a value of its own, and is asked for. */
class SettingsByKeyTest {
    private static final String BROKER = """
            process.roles=broker
            node.id=7
            log.dirs=/data
            listeners=PLAINTEXT://127.0.0.1:9092
            controller.listener.names=CONTROLLER
            controller.quorum.bootstrap.servers=127.0.0.1:9093
            broker.rack=r1
            """;

    private static final Map<String, String> QUORUM = Map.ofEntries(
            entry("electionTimeoutMs", "controller.quorum.election.timeout.ms"),
            entry("fetchTimeoutMs", "controller.quorum.fetch.timeout.ms"),
            entry("electionBackoffMaxMs", "controller.quorum.election.backoff.max.ms"),
            entry("requestTimeoutMs", "controller.quorum.request.timeout.ms"),
            entry("retryBackoffMs", "controller.quorum.retry.backoff.ms"));

    private static final Map<String, String> BROKER_TIMES = Map.ofEntries(
            entry("sessionTimeoutMs", "broker.session.timeout.ms"),
            entry("heartbeatIntervalMs", "broker.heartbeat.interval.ms"),
            entry("replicaLagTimeMaxMs", "replica.lag.time.max.ms"),
            entry("replicaFetchWaitMaxMs", "replica.fetch.wait.max.ms"),
            entry("replicaFetchMaxBytes", "replica.fetch.max.bytes"),
            entry("replicaFetchBackoffMs", "replica.fetch.backoff.ms"),
            entry("replicaSocketTimeoutMs", "replica.socket.timeout.ms"),
            entry("requestTimeoutMs", "request.timeout.ms"),
            entry("initialRegistrationTimeoutMs", "initial.broker.registration.timeout.ms"),
            entry("highWatermarkCheckpointIntervalMs", "replica.high.watermark.checkpoint.interval.ms"),
            entry("leaderImbalanceCheckIntervalMs", "leader.imbalance.check.interval.seconds"),
            entry("autoLeaderRebalance", "auto.leader.rebalance.enable"),
            entry("uncleanElectionIntervalMs", "unclean.leader.election.interval.ms"));

    private static final Map<String, String> LOG_TIMES = Map.ofEntries(
            entry("flushSchedulerIntervalMs", "log.flush.scheduler.interval.ms"),
            entry("flushOffsetCheckpointIntervalMs", "log.flush.offset.checkpoint.interval.ms"),
            entry("flushStartOffsetCheckpointIntervalMs", "log.flush.start.offset.checkpoint.interval.ms"),
            entry("producerIdExpirationMs", "producer.id.expiration.ms"),
            entry("producerIdExpirationCheckIntervalMs", "producer.id.expiration.check.interval.ms"));

    /** No key: who opens the log says so. */
    private static final String GAPS = "gaps";

    private static final Map<String, String> LOG = Map.ofEntries(
            entry("segmentBytes", "log.segment.bytes"),
            entry("indexIntervalBytes", "log.index.interval.bytes"),
            entry("segmentIndexBytes", "log.index.size.max.bytes"),
            entry(GAPS, GAPS));

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            entry("partitions", "num.partitions"), entry("replicationFactor", "default.replication.factor"));

    private static final Map<String, String> NETWORK = Map.ofEntries(
            entry("networkThreads", "num.network.threads"),
            entry("requestMaxBytes", "socket.request.max.bytes"),
            entry("queuedMaxRequests", "queued.max.requests"),
            entry("queuedMaxBytes", "queued.max.request.bytes"),
            entry("idleMs", "connections.max.idle.ms"),
            entry("sendBuffer", "socket.send.buffer.bytes"),
            entry("receiveBuffer", "socket.receive.buffer.bytes"),
            entry("backlog", "socket.listen.backlog.size"),
            entry("connectTimeoutMs", "socket.connection.setup.timeout.ms"),
            entry("fetchMaxBytes", "fetch.max.bytes"),
            entry("autoCreateTopics", "auto.create.topics.enable"));

    /** Within the bounds of every key but the next; each value is larger than the one before. */
    private static final int FIRST = 2_001;

    private static final String LARGE = "log.segment.bytes";

    /** What may not be larger than others comes first. */
    private static final List<String> SMALL = List.of("replica.fetch.wait.max.ms", "broker.heartbeat.interval.ms");

    private static Map<String, String> values() {
        List<String> keys = new ArrayList<>(SMALL);
        for (Map<String, String> group : List.of(QUORUM, BROKER_TIMES, LOG_TIMES, LOG, DEFAULTS, NETWORK)) {
            group.values().stream()
                    .filter(key -> !keys.contains(key) && !key.equals(GAPS))
                    .forEach(keys::add);
        }
        Map<String, String> values = new TreeMap<>();
        for (String key : keys) {
            int number = (key.equals(LARGE) ? 1 << 20 : 0) + FIRST + values.size();
            values.put(key, key.endsWith(".enable") ? "false" : String.valueOf(number));
        }
        return values;
    }

    private static ServerConfig config() throws ConfigException {
        StringBuilder text = new StringBuilder(BROKER);
        values().forEach((key, value) ->
                text.append(key).append('=').append(value).append('\n'));
        return ConfigReader.read(PropertiesFile.parse("server.properties", text.toString()));
    }

    private static NodeSettings settings() throws ConfigException {
        ServerConfig config = config();
        return config.settings(
                new MetaProperties(7, "c", new UUID(1, 2)),
                new UUID(3, 4),
                Features.defaults(),
                config.listeners().advertisedBroker(),
                List.of(new Endpoint("CONTROLLER", "127.0.0.1", 8)),
                Guards.without(Guard.VOTE_ONCE));
    }

    private static void holds(Record group, Map<String, String> keys) throws ReflectiveOperationException {
        Map<String, String> values = values();
        Map<String, String> expected = new TreeMap<>();
        keys.forEach((accessor, key) -> expected.put(
                accessor, key.endsWith(".seconds") ? values.get(key) + "000" : values.getOrDefault(key, "false")));
        Map<String, String> read = new TreeMap<>();
        for (RecordComponent component : group.getClass().getRecordComponents()) {
            read.put(component.getName(), String.valueOf(component.getAccessor().invoke(group)));
        }
        assertThat(read).isEqualTo(expected);
    }

    @Test
    void eachAccessorHasTheValueOfItsKey() throws Exception {
        ServerConfig config = config();
        NodeSettings settings = settings();
        holds(settings.quorum(), QUORUM);
        holds(settings.brokerTimes(), BROKER_TIMES);
        holds(settings.logTimes(), LOG_TIMES);
        holds(settings.logConfig(), LOG);
        holds(config.defaults(), DEFAULTS);
        holds(config.network(), NETWORK);
        assertThat(settings.topicDefaults()).containsAllEntriesOf(values());
        assertThat(settings.controllerConfig().defaultPartitions())
                .isEqualTo(config.defaults().partitions());
        assertThat(settings.controllerConfig().defaultReplicationFactor())
                .isEqualTo(config.defaults().replicationFactor());
    }

    @Test
    void theNodeIsTheOneOfTheFile() throws Exception {
        NodeSettings settings = settings();
        assertThat(settings.nodeId()).isEqualTo(7);
        assertThat(settings.clusterId()).isEqualTo("c");
        assertThat(settings.directoryId()).isEqualTo(new UUID(1, 2));
        assertThat(settings.incarnation()).isEqualTo(new UUID(3, 4));
        assertThat(settings.logDir()).isEqualTo(Path.of("/data"));
        assertThat(settings.broker()).isTrue();
        assertThat(settings.controller()).isFalse();
        assertThat(settings.brokerRole().interBrokerListener()).isEqualTo("PLAINTEXT");
        assertThat(settings.brokerRole().rack()).isEqualTo("r1");
        assertThat(settings.brokerEndpoints()).extracting(Endpoint::port).containsExactly(9092);
        assertThat(settings.controllerRole().listener()).isEqualTo("CONTROLLER");
        assertThat(settings.controllerEndpoints()).extracting(Endpoint::port).containsExactly(8);
        assertThat(settings.controllers().bootstrap())
                .extracting(Endpoint::port)
                .containsExactly(9093);
        assertThat(settings.controllers().staticVoters().voters()).isEmpty();
    }

    /** What the parts of the node are told is made of the same. */
    @Test
    void theCoresAreToldTheSame() throws Exception {
        NodeSettings settings = settings();
        assertThat(settings.quorumConfig())
                .isEqualTo(new QuorumConfig(
                        "c",
                        new ReplicaKey(7, new UUID(1, 2)),
                        settings.controllerEndpoints(),
                        false,
                        VoterSet.EMPTY,
                        settings.guards()));
        assertThat(settings.guards().on(Guard.VOTE_ONCE)).isFalse();
        assertThat(settings.controllerConfig().nodeId()).isEqualTo(7);
        assertThat(settings.controllerConfig().clusterId()).isEqualTo("c");
        assertThat(settings.controllerConfig().bootstrapFeatures())
                .containsEntry("metadata.version", (short) 30)
                .containsEntry("eligible.leader.replicas.version", (short) 1);
        assertThat(settings.controllerConfig().supportedFeatures()).isEqualTo(settings.features());
        assertThat(settings.controllerConfig().readOnlyConfigs()).isEqualTo(NodeConfigs.readOnly());
    }
}
