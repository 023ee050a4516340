package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.Base64Uuid;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.RealDisk;
import io.tidemark.wire.KafkaMetadataCodec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatterTest {
    private static final String VOTERS = "1@a:9093:AAAAAAAAAAAAAAAAAAAAEQ,2@b:9093:AAAAAAAAAAAAAAAAAAAAEg";
    private static final KafkaMetadataCodec CODEC = new KafkaMetadataCodec();

    @TempDir
    Path directory;

    private final RealDisk disk = new RealDisk();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path config;
    private Path data;

    @BeforeEach
    void writeConfig() throws Exception {
        config = directory.resolve("server.properties");
        data = directory.resolve("data");
        writeConfig("process.roles=broker,controller", "controller.quorum.bootstrap.servers=127.0.0.1:9093");
    }

    private void writeConfig(String... lines) throws Exception {
        Files.write(
                config,
                Stream.concat(
                                Stream.of(
                                        "node.id=1",
                                        "log.dirs=" + data,
                                        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
                                        "controller.listener.names=CONTROLLER"),
                                Arrays.stream(lines))
                        .toList());
    }

    private int run(String... args) {
        out.reset();
        err.reset();
        return new Formatter(disk, CODEC)
                .run(
                        args,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int format(String... more) {
        return run(Stream.concat(Stream.of("-t", "cluster-1", "-c", config.toString()), Arrays.stream(more))
                .toArray(String[]::new));
    }

    private MetaProperties meta() throws ConfigException {
        return LogDirIdentity.identify(disk, ServerConfig.load(config));
    }

    private ByteBuffer firstBatch() throws Exception {
        return ByteBuffer.wrap(Files.readAllBytes(data.resolve("__cluster_metadata-0/00000000000000000000.log")));
    }

    @Test
    void aStandaloneControllerIsItsOwnVoter() throws Exception {
        assertThat(format("--standalone")).isZero();
        MetaProperties meta = meta();
        assertThat(meta.nodeId()).isEqualTo(1);
        assertThat(meta.clusterId()).isEqualTo("cluster-1");
        assertThat(CODEC.decodeControl(firstBatch()))
                .containsExactly(
                        new ControlRecord.KRaftVersion((short) 1),
                        new ControlRecord.Voters(VoterSet.of(List.of(new VoterSet.Voter(
                                new ReplicaKey(1, meta.directoryId()),
                                List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9093)))))));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Formatted " + data + ": node 1, cluster cluster-1, directory ");
    }

    @Test
    void theFeaturesOfANewClusterAreWritten() throws Exception {
        assertThat(format("--standalone", "--feature", "eligible.leader.replicas.version=0", "-f", "kraft.version=1"))
                .isZero();
        assertThat(CODEC.decode(ByteBuffer.wrap(Files.readAllBytes(data.resolve("bootstrap.checkpoint")))))
                .containsExactly(
                        new MetadataRecord.FeatureLevel("eligible.leader.replicas.version", (short) 0),
                        new MetadataRecord.FeatureLevel("metadata.version", (short) 30));
        assertThat(Bootstrap.readFeatures(disk, data, CODEC))
                .containsEntry("eligible.leader.replicas.version", (short) 0)
                .containsEntry("metadata.version", (short) 30);
    }

    @Test
    void withoutAFileTheFeaturesAreTheDefaults() throws Exception {
        assertThat(Bootstrap.readFeatures(disk, data, CODEC))
                .containsEntry("eligible.leader.replicas.version", (short) 1);
        Files.createDirectories(data);
        Files.writeString(data.resolve("bootstrap.checkpoint"), "nonsense");
        assertThatThrownBy(() -> Bootstrap.readFeatures(disk, data, CODEC))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void initialControllersAreTheSameBytesOnAll() throws Exception {
        assertThat(format("--initial-controllers", VOTERS, "--release-version=4.3"))
                .isZero();
        assertThat(meta().directoryId()).isEqualTo(new UUID(0, 0x11));
        ByteBuffer first = firstBatch();
        data = directory.resolve("data-2");
        writeConfig("process.roles=controller,broker", "controller.quorum.bootstrap.servers=a:9093", "node.id=2");
        assertThat(format("-I", VOTERS)).isZero();
        assertThat(meta().directoryId()).isEqualTo(Base64Uuid.decode("AAAAAAAAAAAAAAAAAAAAEg"));
        assertThat(firstBatch()).isEqualTo(first);
    }

    @Test
    void aJoiningNodeHasNoMetadataLog() throws Exception {
        assertThat(format("--no-initial-controllers")).isZero();
        assertThat(data.resolve("__cluster_metadata-0")).doesNotExist();
        assertThat(meta().directoryId()).isNotEqualTo(ReplicaKey.NO_DIRECTORY);
    }

    @Test
    void aStaticQuorumNeedsNoVoters() throws Exception {
        writeConfig("process.roles=broker,controller", "controller.quorum.voters=1@127.0.0.1:9093");
        assertThat(format("--standalone")).isEqualTo(2);
        assertThat(format("-f", "kraft.version=1")).isEqualTo(2);
        assertThat(format("-f", "kraft.version=0")).isZero();
        assertThat(data.resolve("__cluster_metadata-0")).doesNotExist();
    }

    @Test
    void aSecondFormattingChangesNothing() throws Exception {
        format("--standalone");
        MetaProperties before = meta();
        assertThat(format("--standalone")).isEqualTo(4);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("tidemark: " + data + ": is formatted already; another log.dirs, or --ignore-formatted to"
                        + " leave it\n");
        assertThat(format("--standalone", "--ignore-formatted")).isZero();
        assertThat(run("-t", "other", "-c", config.toString(), "-s", "-g")).isEqualTo(4);
        assertThat(meta()).isEqualTo(before);
    }

    @Test
    void aMetadataLogWithoutIdentityIsLeftAlone() throws Exception {
        format("-I", VOTERS);
        Files.delete(data.resolve("meta.properties"));
        assertThat(format("--standalone")).isEqualTo(4);
        assertThat(format("-I", VOTERS)).as("a formatting that was cut short").isZero();
    }

    @Test
    void aDirectoryThatIsNotFormattedOrForeignIsNamed() throws Exception {
        assertThatThrownBy(this::meta)
                .hasMessage(data + ": is not formatted; for a quorum of its own run: ./tidemark format --config "
                        + config + " --cluster-id $(./tidemark format random-uuid) --standalone");
        format("--standalone");
        writeConfig(
                "process.roles=broker,controller", "controller.quorum.bootstrap.servers=127.0.0.1:9093", "node.id=3");
        assertThatThrownBy(this::meta)
                .hasMessage(data + ": is of node 1; node.id=1 in " + config + ", or another log.dirs");
        Files.writeString(data.resolve("meta.properties"), "version=0\n");
        assertThatThrownBy(this::meta).isInstanceOf(ConfigException.class);
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsOfTheEnvironment() throws Exception {
        Files.writeString(data, "a file");
        assertThat(format("--standalone")).isEqualTo(5);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("tidemark: " + data
                        + ": cannot be written: not a directory; a directory that can be written\n");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(data.toString())
                .hasLineCount(1);
    }

    @Test
    void anIdCanStandOnACommandLine() {
        assertThat(run("random-uuid")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).trim()).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}");
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--initial-controllers");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            --unknown                               ! unknown option --unknown; see format --help
            --standalone=yes                        ! --standalone=yes; --standalone takes no value
            -s -N                                   ! --standalone, --initial-controllers and --no-initial-controllers exclude one another; one of them
            -N -f                                   ! --feature has no value; see format --help
            -N -f group.version=1                   ! --feature group.version=1; NAME=LEVEL with a name of [eligible.leader.replicas.version, metadata.version] or kraft.version
            -N -f metadata.version=27               ! --feature metadata.version=27; a level from 30 to 30 here
            -N -r 4.1                               ! --release-version 4.1; 4.3, whose metadata records are written here
            -I 1@a:9093                             ! --initial-controllers has 1@a:9093; ID@HOST:PORT:DIRECTORY, separated by commas
            -I 1@a:1:AAAAAAAAAAAAAAAAAAAAEQ,1@a:1:AAAAAAAAAAAAAAAAAAAAEQ ! --initial-controllers: voter 1 is named twice; each voter once
            """)
    void aWrongCommandLineIsOneLine(String args, String expected) {
        assertThat(format(args.trim().split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("tidemark: format: " + expected + "\n");
        assertThat(data).doesNotExist();
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(format()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("tidemark: format: a controller without controller.quorum.voters; one of --standalone,"
                        + " --initial-controllers or --no-initial-controllers\n");
        assertThat(run("-c", config.toString())).isEqualTo(2);
        assertThat(run("-t", "x")).isEqualTo(2);
        assertThat(run("-t", "x", "-c", "/nowhere")).isEqualTo(4);
    }
}
