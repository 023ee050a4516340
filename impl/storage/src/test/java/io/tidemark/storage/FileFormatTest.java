package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact bytes of every small file, and what is done with files that are damaged. */
final class FileFormatTest {
    private static final Path ROOT = Path.of("/data");
    private static final UUID DIRECTORY = Base64Uuid.decode("J8aAPcfLQt2bqs1JT_rMgQ");

    private final MemoryDisk disk = new MemoryDisk();

    @BeforeEach
    void format() {
        LogDirectory.format(disk, ROOT, new MetaProperties(3, "MkU3OEVBNTcwNTJENDM2Qg", DIRECTORY));
    }

    private String text(String name) throws IOException {
        return SmallFiles.readText(disk, ROOT.resolve(name));
    }

    private void write(String name, String content) throws IOException {
        SmallFiles.write(disk, ROOT.resolve(name), content.getBytes(StandardCharsets.UTF_8), true);
    }

    @Test
    void metaProperties() throws IOException {
        assertThat(text("meta.properties"))
                .isEqualTo(
                        "#\ncluster.id=MkU3OEVBNTcwNTJENDM2Qg\ndirectory.id=J8aAPcfLQt2bqs1JT_rMgQ\nnode.id=3\nversion=1\n");
        assertThat(LogDirectory.open(disk, ROOT).meta())
                .isEqualTo(new MetaProperties(3, "MkU3OEVBNTcwNTJENDM2Qg", DIRECTORY));
        disk.kill();
        // As Kafka writes it.
        write(
                "meta.properties",
                "#\n#Mon Jan 05 10:00:00 UTC 2026\nversion=1\nnode.id=1\ndirectory.id=BwcHBwcHBwcHBwcHBwcHAQ\ncluster.id=x\n");
        assertThat(LogDirectory.open(disk, ROOT).meta().nodeId()).isEqualTo(1);
        disk.kill();
        for (String bad : List.of(
                "version=1\ncluster.id=x\nnode.id=1\n",
                "version=2\n",
                "",
                "version=1\nnode.id=-1\ncluster.id=x\ndirectory.id=J8aAPcfLQt2bqs1JT_rMgQ\n",
                "version=1\nnode.id=1\ncluster.id=x\ndirectory.id=J8\n")) {
            write("meta.properties", bad);
            assertThatThrownBy(() -> LogDirectory.open(disk, ROOT))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith("/data/meta.properties: ");
        }
    }

    @Test
    void offsetCheckpoints() throws IOException {
        LogDirectory directory = LogDirectory.open(disk, ROOT);
        PartitionName dashed = new PartitionName("a-b", 12);
        directory.writeRecoveryPoints(Map.of(new PartitionName("t", 0), 5L, dashed, 1L << 40), directory.cuts());
        directory.writeHighWatermarks(Map.of(), directory.cuts());
        directory.writeLogStartOffsets(Map.of(dashed, 7L), directory.cuts());
        assertThat(text("recovery-point-offset-checkpoint")).isEqualTo("0\n2\na-b 12 1099511627776\nt 0 5\n");
        assertThat(text("replication-offset-checkpoint")).isEqualTo("0\n0\n");
        assertThat(text("log-start-offset-checkpoint")).isEqualTo("0\n1\na-b 12 7\n");
        directory.close();
        assertThat(LogDirectory.open(disk, ROOT).recoveryPoint(dashed))
                .as("no directory")
                .isZero();
        disk.kill();
        disk.createDirectories(ROOT.resolve("a-b-12"));
        LogDirectory again = LogDirectory.open(disk, ROOT);
        assertThat(again.recoveryPoint(dashed)).isEqualTo(1L << 40);
        assertThat(again.logStartOffset(dashed)).isEqualTo(7);
        assertThat(again.highWatermark(dashed)).isZero();
        assertThat(again.repairs()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0\n",
                "0\n2\nt 0 5\n",
                "0\n1\nt 0 5\nt 1 5\n",
                "1\n0\n",
                "0\n1\nt 0\n",
                "0\n1\nt 0 x\n",
                "0\n1\nt 0 -1\n",
                "0\n1\nt 99999999999 1\n",
                "\0\377 garbage\n"
            })
    void aTornOrMalformedCheckpointCountsAsEmptyAndIsNamed(String content) throws IOException {
        write("replication-offset-checkpoint", content);
        LogDirectory directory = LogDirectory.open(disk, ROOT);
        assertThat(directory.highWatermark(new PartitionName("t", 0))).isZero();
        assertThat(directory.repairs()).singleElement().asString().startsWith("/data/replication-offset-checkpoint:");
    }

    @Test
    void leaderEpochCheckpoint() throws IOException {
        assertThat(EpochFile.encode(List.of(new EpochStart(0, 0), new EpochStart(7, 12345678901L))))
                .isEqualTo("0\n2\n0 0\n7 12345678901\n");
    }

    @Test
    void partitionMetadata() throws IOException {
        PartitionMetadata.write(disk, ROOT, DIRECTORY);
        assertThat(text("partition.metadata")).isEqualTo("version: 0\ntopic_id: J8aAPcfLQt2bqs1JT_rMgQ\n");
        assertThat(PartitionMetadata.read(disk, ROOT)).contains(DIRECTORY);
        write("partition.metadata", "version: 0\ntopic_id: J8aAPcfLQt2bqs1JT_rMgQ");
        assertThat(PartitionMetadata.read(disk, ROOT)).contains(DIRECTORY);
        for (String bad : List.of(
                "garbage", "version: 0", "version: 1\ntopic_id: J8aAPcfLQt2bqs1JT_rMgQ", "version: 0\ntopic_id: J8")) {
            write("partition.metadata", bad);
            assertThatThrownBy(() -> PartitionMetadata.read(disk, ROOT))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith("/data/partition.metadata: malformed");
        }
        for (String lost : List.of("", "\0\0\0")) {
            write("partition.metadata", lost);
            assertThat(PartitionMetadata.read(disk, ROOT)).isEmpty();
        }
        disk.delete(ROOT.resolve("partition.metadata"));
        assertThat(PartitionMetadata.read(disk, ROOT)).isEmpty();
    }

    @Test
    void cleanShutdownFileIsTheLastWordAndGoneAtTheNextStart() throws IOException {
        LogDirectory first = LogDirectory.open(disk, ROOT);
        assertThat(first.cleanShutdown()).isFalse();
        first.markClean(42);
        assertThat(text(".kafka_cleanshutdown")).isEqualTo("{\"version\":0,\"brokerEpoch\":42}");
        first.close();
        disk.losePower(new SplittableRandom(1));
        LogDirectory second = LogDirectory.open(disk, ROOT);
        assertThat(second.cleanShutdown()).isTrue();
        assertThat(second.previousBrokerEpoch()).isEqualTo(OptionalLong.of(42));
        disk.losePower(new SplittableRandom(2));
        LogDirectory third = LogDirectory.open(disk, ROOT);
        assertThat(third.cleanShutdown()).isFalse();
        assertThat(third.previousBrokerEpoch()).isEmpty();
        third.close();
        write(".kafka_cleanshutdown", "");
        LogDirectory unknown = LogDirectory.open(disk, ROOT);
        assertThat(unknown.cleanShutdown()).isTrue();
        assertThat(unknown.previousBrokerEpoch()).isEmpty();
        assertThat(unknown.repairs()).hasSize(1);
    }

    @Test
    void aSecondProcessIsToldThatTheDirectoryIsLocked() {
        LogDirectory first = LogDirectory.open(disk, ROOT);
        assertThatThrownBy(() -> LogDirectory.open(disk, ROOT))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("/data/.lock: cannot be locked")
                .hasMessageContaining("another process");
        first.close();
        LogDirectory.open(disk, ROOT).close();
    }

    @Test
    void deletedPartitionsAreRenamedAndGoneAtTheNextStart() throws IOException {
        LogDirectory directory = LogDirectory.open(disk, ROOT);
        for (String topic : List.of("a", "b")) {
            PartitionLog log = PartitionLog.open(
                            disk, directory.directory(new PartitionName(topic, 0)), LogConfig.DEFAULT, false, 0, 0)
                    .log();
            Batches.append(log, Batches.Spec.of(0, 1, 0));
            log.flush(1);
            log.close(false);
        }
        assertThat(directory.partitions()).containsExactly(new PartitionName("a", 0), new PartitionName("b", 0));
        PartitionName a = new PartitionName("a", 0);
        directory.writeLogStartOffsets(Map.of(a, 500L, new PartitionName("b", 0), 1L), directory.cuts());
        Path renamed = directory.markDeleted(new PartitionName("a", 0), "0123456789abcdef0123456789abcdef");
        assertThat(renamed).hasToString("/data/a-0.0123456789abcdef0123456789abcdef-delete");
        assertThat(directory.partitions()).containsExactly(new PartitionName("b", 0));
        assertThat(directory.logStartOffset(a)).isZero();
        assertThat(text("log-start-offset-checkpoint")).isEqualTo("0\n1\nb 0 1\n");
        disk.losePower(new SplittableRandom(3));
        LogDirectory next = LogDirectory.open(disk, ROOT);
        assertThat(next.partitions()).containsExactly(new PartitionName("b", 0));
        assertThat(disk.exists(renamed)).isFalse();
    }

    /** A topic of the same name that is made anew would begin where the deleted one ended. */
    @Test
    void aCheckpointThatWasCollectedBeforeADeletionIsNotWrittenAfterIt() throws IOException {
        PartitionName a = new PartitionName("a", 0);
        disk.createDirectories(ROOT.resolve(a.directory()));
        LogDirectory directory = LogDirectory.open(disk, ROOT);
        long collected = directory.cuts();
        directory.markDeleted(a, "unique");
        directory.writeRecoveryPoints(Map.of(a, 5L), collected);
        directory.writeHighWatermarks(Map.of(a, 4L), collected);
        directory.writeLogStartOffsets(Map.of(a, 3L), collected);
        assertThat(List.of(directory.recoveryPoint(a), directory.highWatermark(a), directory.logStartOffset(a)))
                .containsOnly(0L);
        directory.writeRecoveryPoints(Map.of(a, 5L), directory.cuts());
        directory.writeHighWatermarks(Map.of(a, 4L), directory.cuts());
        directory.writeLogStartOffsets(Map.of(a, 3L), directory.cuts());
        assertThat(List.of(directory.recoveryPoint(a), directory.highWatermark(a), directory.logStartOffset(a)))
                .containsExactly(5L, 4L, 3L);
    }

    /** No checkpoint names it, whose replacement would sync the directory as well. */
    @Test
    void aPartitionThatWasDeletedStaysSoWhenThePowerFails() throws IOException {
        PartitionName young = new PartitionName("young", 0);
        for (int seed = 0; seed < 10; seed++) {
            disk.createDirectories(ROOT.resolve(young.directory()));
            disk.syncDirectory(ROOT);
            LogDirectory.open(disk, ROOT).markDeleted(young, "unique" + seed);
            disk.losePower(new SplittableRandom(seed));
            assertThat(disk.exists(ROOT.resolve(young.directory()))).isFalse();
        }
    }

    @Test
    void partitionNames() {
        assertThat(PartitionName.parse("__cluster_metadata-0")).contains(new PartitionName("__cluster_metadata", 0));
        assertThat(PartitionName.parse("a-b-17")).contains(new PartitionName("a-b", 17));
        for (String none :
                List.of("a", "-1", "a-", "a-01", "a-x", "a-99999999999", "a-0.0123-delete", "meta.properties")) {
            assertThat(PartitionName.parse(none)).as(none).isEmpty();
        }
    }

    @Test
    void producerSnapshot() {
        List<ProducerEntry> producers = List.of(
                new ProducerEntry(
                        1000,
                        (short) 2,
                        1700000000000L,
                        List.of(
                                new ProducerEntry.Batch(0, 4, 10, 14, 1),
                                new ProducerEntry.Batch(5, 6, 20, 21, 1700000000000L))),
                new ProducerEntry(1001, (short) 0, 5, List.of()));
        byte[] bytes = ProducerSnapshot.encode(producers);
        // version, CRC32C, count; id, epoch, last sequence, last offset, offset delta, timestamp, coordinator epoch,
        // transaction
        assertThat(HexFormat.of().formatHex(bytes, 0, 2)).isEqualTo("0001");
        assertThat(HexFormat.of().formatHex(bytes, 6, bytes.length))
                .isEqualTo("00000003"
                        + "00000000000003e8" + "0002" + "00000004" + "000000000000000e" + "00000004"
                        + "0000000000000001" + "ffffffff" + "ffffffffffffffff"
                        + "00000000000003e8" + "0002" + "00000006" + "0000000000000015" + "00000001"
                        + "0000018bcfe56800" + "ffffffff" + "ffffffffffffffff"
                        + "00000000000003e9" + "0000" + "ffffffff" + "ffffffffffffffff" + "00000000"
                        + "0000000000000005" + "ffffffff" + "ffffffffffffffff");
        assertThat(ProducerSnapshot.decode(bytes)).isEqualTo(producers);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            assertThatThrownBy(() -> ProducerSnapshot.decode(damaged)).isInstanceOf(CorruptBatchException.class);
            byte[] cut = Arrays.copyOf(bytes, at);
            assertThatThrownBy(() -> ProducerSnapshot.decode(cut)).isInstanceOf(CorruptBatchException.class);
        }
    }

    @Test
    void sequencesThatWrapSurviveASnapshot() {
        var entry =
                new ProducerEntry(1, (short) 0, 5, List.of(new ProducerEntry.Batch(Integer.MAX_VALUE - 1, 2, 0, 4, 5)));
        assertThat(ProducerSnapshot.decode(ProducerSnapshot.encode(List.of(entry))))
                .containsExactly(entry);
    }

    @Test
    void quorumState() throws IOException {
        QuorumStateFile file = new QuorumStateFile(disk, ROOT);
        assertThat(file.read()).isEmpty();
        QuorumStateData state = new QuorumStateData(2, new ReplicaKey(1, DIRECTORY), -1);
        file.write(state);
        assertThat(text("quorum-state"))
                .isEqualTo(
                        "{\"leaderId\":-1,\"leaderEpoch\":2,\"votedId\":1,\"votedDirectoryId\":\"J8aAPcfLQt2bqs1JT_rMgQ\",\"data_version\":1}");
        assertThat(file.read()).contains(state);
        write(
                "quorum-state",
                "{ \"data_version\" : 1, \"leaderEpoch\":2 ,\"votedId\":1,\n\"votedDirectoryId\":\"J8aAPcfLQt2bqs1JT_rMgQ\",\"leaderId\":-1}");
        assertThat(file.read()).contains(state);
        write(
                "quorum-state",
                "{\"clusterId\":\"\",\"leaderId\":1,\"leaderEpoch\":9,\"votedId\":-1,\"appliedOffset\":0,\"currentVoters\":[{\"voterId\":1}],\"data_version\":0}");
        assertThat(file.read()).contains(new QuorumStateData(9, null, 1));
    }

    @Test
    void aQuorumStateThatIsNotWholeIsAnError() throws IOException {
        QuorumStateFile file = new QuorumStateFile(disk, ROOT);
        file.write(new QuorumStateData(2, new ReplicaKey(3, DIRECTORY), 1));
        String whole = text("quorum-state");
        for (int length = 0; length < whole.length(); length++) {
            write("quorum-state", whole.substring(0, length));
            assertThatThrownBy(file::read)
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith("/data/quorum-state: malformed");
        }
        for (String bad : List.of(
                whole.replace("\"data_version\":1", "\"data_version\":2"),
                whole.replace("J8", "J"),
                whole.replace(":2,", ":99999999999,"),
                whole.replace("leaderEpoch", "leader"),
                "garbage",
                whole + whole)) {
            write("quorum-state", bad);
            assertThatThrownBy(file::read)
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith("/data/quorum-state: malformed");
        }
    }

    /** Whichever effect the power fails at: the file holds the old content or the new, the new once the call returned. */
    @Test
    void replacingAFileIsAtomicAndDurable() {
        QuorumStateData before = new QuorumStateData(5, null, 1);
        QuorumStateData after = new QuorumStateData(6, new ReplicaKey(2, DIRECTORY), -1);
        boolean finished = false;
        for (int point = 0; !finished; point++) {
            for (int outcome = 0; outcome < 20; outcome++) {
                MemoryDisk volatileDisk = new MemoryDisk();
                LogDirectory.format(volatileDisk, ROOT, new MetaProperties(3, "c", DIRECTORY));
                QuorumStateFile file = new QuorumStateFile(volatileDisk, ROOT);
                file.write(before);
                int[] left = {point};
                volatileDisk.setFaults(new Faults() {
                    private void step() throws IOException {
                        if (left[0]-- <= 0) {
                            throw new IOException("power loss");
                        }
                    }

                    @Override
                    public void before(Effect effect, Path path) throws IOException {
                        step();
                    }

                    @Override
                    public void after(Effect effect, Path path) throws IOException {
                        step();
                    }
                });
                finished = true;
                try {
                    file.write(after);
                } catch (StorageException stopped) {
                    finished = false;
                }
                volatileDisk.setFaults(Faults.NONE);
                volatileDisk.losePower(new SplittableRandom(outcome));
                if (finished) {
                    assertThat(file.read()).contains(after);
                } else {
                    assertThat(file.read().orElseThrow()).isIn(before, after);
                }
            }
        }
    }
}
