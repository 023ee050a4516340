package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Reads, truncations and searches against a list of batches, with random shapes of batches and segments. */
final class ReadPropertiesTest {
    private static final Path DIR = Path.of("/data/t-0");

    /** Knows the record timestamps of {@link Batches}: one more ms with each record. */
    private static final RecordScanner SCANNER = new RecordScanner() {
        @Override
        public @Nullable TimestampOffset firstAtOrAfter(
                BatchHeader header, ByteBuffer batch, long timestamp, long from) {
            long base = batch.getLong(27);
            for (int i = 0; i < header.count(); i++) {
                if (base + i >= timestamp && header.baseOffset() + i >= from) {
                    return new TimestampOffset(base + i, header.baseOffset() + i, header.leaderEpoch());
                }
            }
            return null;
        }

        @Override
        public TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
            return new TimestampOffset(header.maxTimestamp(), header.lastOffset(), header.leaderEpoch());
        }
    };

    private record Log(PartitionLog log, List<BatchHeader> headers, MemoryDisk disk, LogConfig config) {
        long end() {
            return headers.isEmpty() ? 0 : headers.get(headers.size() - 1).nextOffset();
        }
    }

    private static Log random(Random random) {
        LogConfig config =
                new LogConfig(300 + random.nextInt(3000), random.nextInt(400), 1_200, random.nextInt(4) == 0);
        MemoryDisk disk = new MemoryDisk();
        Log log = new Log(PartitionLog.open(disk, DIR, config, false, 0, 0).log(), new ArrayList<>(), disk, config);
        extend(log, random, random.nextInt(60));
        return log;
    }

    private static void extend(Log log, Random random, int batches) {
        long next = log.end();
        int epoch = log.headers().isEmpty()
                ? 0
                : log.headers().get(log.headers().size() - 1).leaderEpoch();
        for (int done = 0; done < batches; ) {
            List<Spec> specs = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--, done++) {
                next += log.config().gaps() && random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0;
                epoch += random.nextInt(8) == 0 ? 1 : 0;
                Spec spec = Spec.of(next, 1 + random.nextInt(4), epoch)
                        .payload(random.nextInt(200))
                        .timestamp(1000 + random.nextInt(100));
                specs.add(spec);
                log.headers().add(Batches.header(spec.build()));
                next += spec.count();
            }
            Batches.append(log.log(), specs);
        }
    }

    private static List<BatchHeader> parse(RecordsRef records) throws IOException {
        if (records == RecordBytes.EMPTY) {
            return List.of();
        }
        ByteBuffer bytes = ByteBuffer.allocate(records.sizeInBytes());
        ((FileRegion) records).readFully(bytes);
        return BatchFormat.batches(bytes.flip());
    }

    private static void checkReads(Log log, Random random) throws IOException {
        for (int i = 0; i < 40; i++) {
            long from = random.nextInt((int) log.end() + 2);
            long upTo = random.nextInt((int) log.end() + 3);
            int maxBytes = random.nextBoolean() ? random.nextInt(800) : 1 << 20;
            boolean minOne = random.nextBoolean();
            List<BatchHeader> eligible = log.headers().stream()
                    .filter(header -> header.lastOffset() >= from
                            && header.lastOffset() < Math.min(upTo, log.end())
                            && from < upTo)
                    .toList();
            List<BatchHeader> read = parse(log.log().read(from, maxBytes, minOne, upTo));
            String at = "from " + from + " up to " + upTo + ", " + maxBytes + " bytes, " + minOne;
            assertThat(read).as(at).isEqualTo(eligible.subList(0, read.size()));
            int bytes = read.stream().mapToInt(BatchHeader::sizeInBytes).sum();
            assertThat(bytes <= maxBytes || (minOne && read.size() == 1)).as(at).isTrue();
            if (read.size() < eligible.size()) {
                BatchHeader next = eligible.get(read.size());
                boolean fits = bytes + next.sizeInBytes() <= maxBytes || (minOne && read.isEmpty());
                // Only the end of a segment may stop a read that has room left.
                assertThat(!fits
                                || log.disk().exists(LogFiles.log(DIR, next.baseOffset()))
                                || (log.config().gaps() && !read.isEmpty()))
                        .as(at)
                        .isTrue();
            }
        }
        // A reader in sequence meets every batch once.
        List<BatchHeader> all = new ArrayList<>();
        for (long offset = 0;
                offset < log.end();
                offset = all.get(all.size() - 1).nextOffset()) {
            all.addAll(parse(log.log().read(offset, 700, true, log.end())));
        }
        assertThat(all).isEqualTo(log.headers());
    }

    private static void checkTimestamps(Log log, Random random) {
        for (int i = 0; i < 10; i++) {
            long timestamp = 995 + random.nextInt(112);
            long from = random.nextInt((int) log.end() + 1);
            TimestampOffset expected = null;
            for (BatchHeader header : log.headers()) {
                long base = header.maxTimestamp() - header.lastOffsetDelta();
                for (int j = 0; j < header.count() && expected == null; j++) {
                    if (base + j >= timestamp && header.baseOffset() + j >= from) {
                        expected = new TimestampOffset(base + j, header.baseOffset() + j, header.leaderEpoch());
                    }
                }
            }
            assertThat(log.log().offsetForTimestamp(timestamp, from, SCANNER)).isEqualTo(expected);
        }
        BatchHeader greatest = null;
        for (BatchHeader header : log.headers()) {
            if (greatest == null || header.maxTimestamp() > greatest.maxTimestamp()) {
                greatest = header;
            }
        }
        assertThat(log.log().maxTimestampOffset(SCANNER))
                .isEqualTo(
                        greatest == null
                                ? null
                                : new TimestampOffset(
                                        greatest.maxTimestamp(), greatest.lastOffset(), greatest.leaderEpoch()));
    }

    @Property(tries = 150)
    void readsAndSearchesAgreeWithAList(@ForAll Random random) throws IOException {
        Log log = random(random);
        checkReads(log, random);
        checkTimestamps(log, random);
    }

    @Property(tries = 150)
    void soTheyDoAfterTruncationsAndRestarts(@ForAll Random random, @ForAll @IntRange(min = 1, max = 4) int rounds)
            throws IOException {
        Log log = random(random);
        for (int round = 0; round < rounds; round++) {
            long cut = random.nextInt((int) log.end() + 1);
            log.log().truncateTo(cut);
            log.headers().removeIf(header -> header.lastOffset() >= cut);
            assertThat(log.log().logEndOffset()).isBetween(log.end(), Math.max(cut, log.end()));
            if (!log.config().gaps()) {
                assertThat(log.log().logEndOffset()).isEqualTo(log.end());
            }
            checkTimestamps(log, random);
            if (log.log().logEndOffset() == log.end()) {
                extend(log, random, random.nextInt(10));
            }
            boolean clean = random.nextBoolean();
            if (clean) {
                log.log().close(true);
            } else {
                log.disk().kill();
            }
            Recovered recovered = PartitionLog.open(log.disk(), DIR, log.config(), clean, 0, 0);
            assertThat(recovered.repairs()).isEmpty();
            log = new Log(recovered.log(), log.headers(), log.disk(), log.config());
            assertThat(recovered.logEndOffset()).isBetween(log.end(), log.end() + 8);
            checkReads(log, random);
            checkTimestamps(log, random);
        }
    }
}
