package io.tidemark.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.log.ReplicaLog;
import io.tidemark.workload.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaLogReaderTest {
    @TempDir
    private Path dir;

    private static byte[] batch(long baseOffset, int epoch, Compression compression, long... values) {
        SimpleRecord[] records = Arrays.stream(values)
                .mapToObj(value -> new SimpleRecord(1_000L, (byte[]) null, Payload.encode(value, 40)))
                .toArray(SimpleRecord[]::new);
        ByteBuffer bytes = MemoryRecords.withRecords(baseOffset, compression, epoch, records)
                .buffer();
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private Path replica(int node, Map<Long, byte[]> segments) throws IOException {
        Path directory = Files.createDirectories(dir.resolve("node-" + node).resolve("t-0"));
        for (Map.Entry<Long, byte[]> segment : segments.entrySet()) {
            Files.write(directory.resolve(String.format("%020d.log", segment.getKey())), segment.getValue());
        }
        return directory;
    }

    private static ReplicaLog read(Path directory) throws IOException {
        return ReplicaLogReader.read(Map.of(1, directory)).get(0);
    }

    private static long[] values(ReplicaLog log) {
        return IntStream.range(0, log.size()).mapToLong(log::value).toArray();
    }

    @Test
    void readsSegmentsInOrderWithEpochsAndValuesWhateverTheCompression() throws IOException {
        Path directory = replica(
                1,
                Map.of(
                        0L,
                                join(
                                        batch(0, 3, Compression.NONE, 10, 11),
                                        batch(2, 3, Compression.gzip().build(), 12)),
                        3L, batch(3, 5, Compression.zstd().build(), 13, 14)));
        Files.writeString(directory.resolve("leader-epoch-checkpoint"), "0\n0\n");
        ReplicaLog log = read(directory);
        assertThat(values(log)).containsExactly(10, 11, 12, 13, 14);
        assertThat(log.leaderEpoch(2)).isEqualTo(3);
        assertThat(log.leaderEpoch(3)).isEqualTo(5);
        assertThat(log.endOffset()).isEqualTo(5);
    }

    @Test
    void aTornTailEndsTheLogAtEveryByte() throws IOException {
        byte[] whole = batch(0, 1, Compression.NONE, 10);
        byte[] torn = batch(1, 1, Compression.NONE, 11, 12);
        for (int keep = 0; keep < torn.length; keep++) {
            Path directory = replica(1, Map.of(0L, join(whole, Arrays.copyOf(torn, keep))));
            assertThat(values(read(directory))).as("%d bytes", keep).containsExactly(10);
        }
    }

    @Test
    void aFlippedBitUnderTheChecksumEndsTheLog() throws IOException {
        byte[] whole = batch(0, 1, Compression.NONE, 10);
        byte[] damaged = batch(1, 1, Compression.NONE, 11);
        for (int i = 21; i < damaged.length; i++) {
            byte[] copy = damaged.clone();
            copy[i] ^= 1;
            assertThat(values(read(replica(1, Map.of(0L, join(whole, copy)))))).containsExactly(10);
        }
    }

    @Test
    void damageBeforeTheLastSegmentIsAnError() throws IOException {
        Path directory = replica(
                1, Map.of(0L, "no batch".getBytes(StandardCharsets.UTF_8), 1L, batch(1, 1, Compression.NONE, 11)));
        assertThatThrownBy(() -> read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no valid batch at position 0");
    }

    @Test
    void offsetsThatDoNotAscendAreAnError() throws IOException {
        byte[] one = batch(0, 1, Compression.NONE, 10, 11);
        Path directory = replica(1, Map.of(0L, join(one, batch(1, 1, Compression.NONE, 12))));
        assertThatThrownBy(() -> read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("offset 1 follows offset 1");
    }

    @Test
    void foreignRecordsHaveNoValue() throws IOException {
        ByteBuffer bytes = MemoryRecords.withRecords(
                        0L,
                        Compression.NONE,
                        1,
                        new SimpleRecord(1_000L, (byte[]) null, "7 foreign".getBytes(StandardCharsets.UTF_8)),
                        new SimpleRecord(1_000L, (byte[]) null, (byte[]) null))
                .buffer();
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        assertThat(values(read(replica(1, Map.of(0L, array)))))
                .containsExactly(ReplicaLog.NO_VALUE, ReplicaLog.NO_VALUE);
    }

    @Test
    void batchesAreComparedByteForByteWhereverSegmentsRoll() throws IOException {
        byte[] a = batch(0, 1, Compression.NONE, 10);
        byte[] b = batch(1, 1, Compression.NONE, 11);
        Map<Integer, Path> replicas = new LinkedHashMap<>();
        replicas.put(1, replica(1, Map.of(0L, join(a, b))));
        replicas.put(2, replica(2, Map.of(0L, a, 1L, b)));
        replicas.put(
                3, replica(3, Map.of(0L, join(a, batch(1, 1, Compression.gzip().build(), 11)))));
        List<ReplicaLog> logs = ReplicaLogReader.read(replicas);
        assertThat(logs.get(0).digest(1)).isEqualTo(logs.get(1).digest(1));
        assertThat(logs.get(0).digest(1)).isNotEqualTo(logs.get(2).digest(1));
        assertThat(logs.get(0).digest(0)).isEqualTo(logs.get(2).digest(0));
    }

    @Test
    void theTailOfADeadNodesLogIsItsLastBatches() throws IOException {
        Path directory = replica(
                1,
                Map.of(
                        0L, batch(0, 3, Compression.NONE, 10, 11),
                        2L, join(batch(2, 4, Compression.NONE, 12), batch(3, 5, Compression.NONE, 13, 14))));
        ReplicaLog tail = ReplicaTail.read(directory, 1, 2);
        assertThat(values(tail)).containsExactly(12, 13, 14);
        assertThat(tail.leaderEpoch(0)).isEqualTo(4);
        assertThat(tail.find(3)).isEqualTo(1);
    }
}
