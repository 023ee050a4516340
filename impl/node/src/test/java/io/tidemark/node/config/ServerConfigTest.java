package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.LogConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
    private static final String COMBINED = """
            process.roles=broker,controller
            node.id=1
            log.dirs=/data
            listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
            controller.listener.names=CONTROLLER
            controller.quorum.bootstrap.servers=127.0.0.1:9093
            """;

    private static ServerConfig read(String text) throws ConfigException {
        return ConfigReader.read(PropertiesFile.parse("server.properties", text));
    }

    private static void assertWrong(String text, String... lines) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.errors())
                                .extracting(ConfigError::toString)
                                .containsExactly(lines));
    }

    @Test
    void theDefaultsAreKafkas() throws ConfigException {
        ServerConfig config = read(COMBINED);
        assertThat(config.defaults()).isEqualTo(new ServerConfig.Defaults(1, 1));
        assertThat(config.quorum()).isEqualTo(new NodeSettings.Quorum(1000, 2000, 1000, 2000, 20));
        assertThat(config.brokerTimes())
                .isEqualTo(new NodeSettings.Broker(
                        9000, 2000, 30_000, 500, 1 << 20, 1000, 30_000, 30_000, 60_000, 5000, 300_000, true, 300_000));
        assertThat(config.logTimes())
                .isEqualTo(new NodeSettings.Logs(Long.MAX_VALUE, 60_000, 60_000, 86_400_000, 600_000));
        assertThat(config.network().networkThreads()).isEqualTo(3);
        assertThat(config.network().requestMaxBytes()).isEqualTo(104_857_600);
        assertThat(config.network().autoCreateTopics()).isTrue();
        assertThat(config.warnings()).isEmpty();
        assertThat(config.logConfig()).isEqualTo(LogConfig.DEFAULT);
    }

    @Test
    void theTablesTopicDefaultsAreThoseOfTopics() {
        for (ConfigKey key : ConfigKeys.ALL.values()) {
            if (key.scope().startsWith("topic:") && !key.name().matches("log\\.(retention|roll|flush).*")) {
                assertThat(TopicConfigs.all().get(key.scope().substring(6)).defaultValue())
                        .as(key.name())
                        .isEqualTo(key.defaultValue());
            }
        }
    }

    @Test
    void listenersAreSplitByRole() throws ConfigException {
        ServerConfig config = read(COMBINED + "advertised.listeners=PLAINTEXT://example.org:1\n");
        assertThat(config.listeners().advertisedBroker()).containsExactly(new Endpoint("PLAINTEXT", "example.org", 1));
        assertThat(config.listeners().advertisedController())
                .containsExactly(new Endpoint("CONTROLLER", "127.0.0.1", 9093));
        assertThat(config.bootstrapControllers()).containsExactly(new Endpoint("CONTROLLER", "127.0.0.1", 9093));
        assertThat(config.logDir()).isEqualTo(Path.of("/data"));
    }

    @Test
    void anEmptyHostIsAdvertisedByName() throws ConfigException {
        ServerConfig config = read(COMBINED.replace("PLAINTEXT://127.0.0.1", "PLAINTEXT://"));
        assertThat(config.listeners().bound().get(0)).isEqualTo(new Endpoint("PLAINTEXT", "", 9092));
        assertThat(config.listeners().advertisedBroker().get(0).host()).isNotEmpty();
    }

    @Test
    void namedListenersNeedTheMap() throws ConfigException {
        String named = COMBINED.replace("PLAINTEXT://", "INTERNAL://") + "inter.broker.listener.name=INTERNAL\n";
        assertWrong(
                named,
                "server.properties:4: listener INTERNAL is not mapped to PLAINTEXT; only PLAINTEXT is served:"
                        + " listener.security.protocol.map with INTERNAL:PLAINTEXT");
        ServerConfig config =
                read(named + "listener.security.protocol.map=INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT,OTHER:SSL\n");
        assertThat(config.listeners().interBroker()).isEqualTo("INTERNAL");
        assertWrong(
                named + "listener.security.protocol.map=INTERNAL:SSL,CONTROLLER:PLAINTEXT\n",
                "server.properties:8: listener INTERNAL is not mapped to PLAINTEXT; only PLAINTEXT is served:"
                        + " listener.security.protocol.map with INTERNAL:PLAINTEXT");
    }

    @Test
    void aStaticQuorumIsWarnedAbout() throws ConfigException {
        ServerConfig config = read(COMBINED.replace(
                "controller.quorum.bootstrap.servers=127.0.0.1:9093", "controller.quorum.voters=1@a:9093,2@b:9093"));
        assertThat(config.staticVoters().ids()).containsExactly(1, 2);
        assertThat(config.staticVoters().voters().get(2).key()).isEqualTo(new ReplicaKey(2, ReplicaKey.NO_DIRECTORY));
        assertThat(config.warnings())
                .singleElement()
                .asString()
                .startsWith("controller.quorum.voters is a static quorum");
    }

    @Test
    void unusedAndUnknownKeysAreListedOnce() throws ConfigException {
        ServerConfig config = read(
                COMBINED + "num.io.threads=4\nfoo.bar.baz=1\noffsets.topic.num.partitions=10\nreally.other.key=2\n");
        assertThat(config.warnings())
                .containsExactly(
                        "Keys of Kafka that have no effect here: num.io.threads, offsets.topic.num.partitions",
                        "Unknown keys: foo.bar.baz, really.other.key");
    }

    @Test
    void aFileThatIsNoConfigurationIsOneMistake() {
        assertWrong(
                "# A title\n\nA text that knows\nnode.id=1\nand goes on.\n",
                "server.properties:3: begins with 'A' and sets no key; a server.properties of lines KEY=VALUE");
    }

    @Test
    void whatTheFileSetsIsPassedOn() throws ConfigException {
        ServerConfig config = read(COMBINED + "log.segment.bytes=1048576\nlog.retention.hours=1\nfoo.bar.baz=1\n");
        assertThat(config.given())
                .containsEntry("log.segment.bytes", "1048576")
                .containsEntry("log.retention.hours", "1")
                .doesNotContainKey("foo.bar.baz");
        assertThat(config.logConfig().segmentBytes()).isEqualTo(1 << 20);
    }

    @Test
    void theLastOfEqualKeysWins() throws ConfigException {
        assertThat(read(COMBINED + "num.partitions=0\nnum.partitions=12\n")
                        .defaults()
                        .partitions())
                .isEqualTo(12);
    }

    @Test
    void everyMistakeIsNamed() {
        assertWrong(
                COMBINED + "num.partitions=zero\nlog.flush.interval.messages=0\n",
                "server.properties:7: num.partitions=zero; a whole number, 1 or more",
                "server.properties:8: log.flush.interval.messages=0; a whole number, 1 or more");
        assertWrong(
                "",
                "server.properties: controller.listener.names is not set; a list separated by commas",
                "server.properties: node.id is not set; a whole number, 0 or more",
                "server.properties: process.roles is not set; broker or controller");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            node.id=-1                              ! node.id=-1; a whole number, 0 or more
            node.id=                                ! node.id=; a whole number, 0 or more
            num.partitions=2147483648               ! num.partitions=2147483648; a whole number, 1 or more
            auto.create.topics.enable=yes           ! auto.create.topics.enable=yes; true or false
            process.roles=broker,zookeeper          ! process.roles=broker,zookeeper; broker or controller
            process.roles=                          ! process.roles=; broker or controller
            group.max.size=x                        ! group.max.size=x; a whole number, 1 or more
            broker.id=2                             ! broker.id=2; the same number as node.id, 1, or nothing
            log.dirs=/a,/b                          ! log.dirs names 2 directories; exactly one: several are not served yet
            log.dirs=                               ! log.dirs names 0 directories; exactly one: several are not served yet
            metadata.log.dir=/elsewhere             ! metadata.log.dir=/elsewhere; the same directory as log.dirs, or nothing
            num.partition=3                         ! num.partition is not a key; did you mean num.partitions?
            min.insync.replcias=2                   ! min.insync.replcias is not a key; did you mean min.insync.replicas?
            authorizer.class.name=a.B               ! authorizer.class.name=a.B is not served: authorization is not served; remove it
            ssl.keystore.password=hunter2           ! ssl.keystore.password is not served: TLS and SASL are not served; remove it
            ssl.client.auth=required                ! ssl.client.auth=required is not served: TLS and SASL are not served; remove it, or set the default none
            compression.type=zstd                   ! compression.type=zstd is not served: batches stay as producers compressed them; remove it, or set the default producer
            log.message.timestamp.type=LogAppendTime ! log.message.timestamp.type=LogAppendTime is not served: by default records keep the time of their producer; remove it, or set the default CreateTime
            log.flush.interval.ms=-1                ! log.flush.interval.ms=-1; a whole number, 0 or more
            remote.log.storage.system.enable=true   ! remote.log.storage.system.enable=true is not served: tiered storage is not served; remove it, or set the default false
            replica.selector.class=x.Y              ! replica.selector.class=x.Y is not served: consumers read from leaders; remove it
            max.connections=10                      ! max.connections=10 is not served: limits on the number of connections are not served; remove it, or set the default 2147483647
            listener.name.plaintext.ssl.key=x       ! listener.name.plaintext.ssl.key is not served: listeners have no settings of their own; remove it
            listeners=PLAINTEXT:9092                ! listeners has PLAINTEXT:9092; NAME://HOST:PORT, separated by commas
            listeners=A://h:99999                   ! listeners has A://h:99999; NAME://HOST:PORT, separated by commas
            advertised.listeners=PLAINTEXT://0.0.0.0:1 ! advertised.listeners has PLAINTEXT://0.0.0.0:1; a host that others can connect to
            advertised.listeners=OTHER://h:1        ! listener OTHER is not bound; names that listeners has: [CONTROLLER, PLAINTEXT]
            inter.broker.listener.name=INTERNAL     ! inter.broker.listener.name is INTERNAL, which is not advertised; one of [PLAINTEXT, CONTROLLER]
            listener.security.protocol.map=PLAINTEXT ! listener.security.protocol.map has PLAINTEXT; NAME:PROTOCOL, separated by commas
            controller.quorum.bootstrap.servers=h   ! controller.quorum.bootstrap.servers has h; HOST:PORT, separated by commas
            controller.quorum.bootstrap.servers=    ! controller.quorum.bootstrap.servers is not set; HOST:PORT of some controllers, separated by commas
            controller.quorum.voters=1@h            ! controller.quorum.voters has 1@h; ID@HOST:PORT, separated by commas
            controller.quorum.voters=1@h:1,1@g:1    ! controller.quorum.voters has 1 twice; each voter once
            controller.quorum.voters=2@h:1          ! controller.quorum.voters does not have node 1; the ids of all controllers and no other
            broker.heartbeat.interval.ms=10000      ! broker.heartbeat.interval.ms=10000; at most broker.session.timeout.ms, 9000
            replica.socket.timeout.ms=100           ! replica.fetch.wait.max.ms=500; at most replica.socket.timeout.ms, 100
            """)
    void aWrongValueIsRefused(String line, String expected) {
        assertThatThrownBy(() -> read(COMBINED + line))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.errors())
                                .anySatisfy(error -> assertThat(error.toString())
                                        .matches("server\\.properties(:7)?: \\Q" + expected + "\\E")));
    }

    @Test
    void defaultValuesOfWhatIsNotServedAreFine() throws ConfigException {
        StringBuilder all = new StringBuilder(COMBINED);
        for (ConfigKey key : ConfigKeys.ALL.values()) {
            if (key.use() == ConfigKey.Use.DEFAULT_ONLY && key.defaultValue() != null) {
                all.append(key.name()).append('=').append(key.defaultValue()).append('\n');
            }
        }
        assertThat(read(all.toString()).warnings()).isEmpty();
    }

    @Test
    void rolesDecideWhichListenersMayBe() throws ConfigException {
        String brokerOnly = COMBINED.replace("broker,controller", "broker");
        assertWrong(
                brokerOnly,
                "server.properties:4: listener CONTROLLER of the controller on a node that is a broker only;"
                        + " listeners that controller.listener.names does not have");
        assertThat(read(brokerOnly.replace(",CONTROLLER://127.0.0.1:9093", "")).controller())
                .isFalse();
        String controllerOnly = COMBINED.replace("broker,controller", "controller");
        assertWrong(
                controllerOnly,
                "server.properties:4: listener PLAINTEXT on a node that is a controller only;"
                        + " listeners that controller.listener.names has");
        assertThat(read(controllerOnly.replace("PLAINTEXT://127.0.0.1:9092,", ""))
                        .listeners()
                        .advertisedBroker())
                .isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNamed(@TempDir Path directory) {
        Path missing = directory.resolve("none.properties");
        assertThatThrownBy(() -> ServerConfig.load(missing))
                .hasMessage(missing + ": does not exist; a properties file");
    }
}
