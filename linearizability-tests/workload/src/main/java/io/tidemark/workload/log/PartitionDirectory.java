package io.tidemark.workload.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The segments of one replica, {@code TOPIC-PARTITION/*.log}, read as they are: the batch header of Kafka's record
 * format v2 (61 bytes) and its CRC32C are parsed here, without any code of the server that wrote them.
 */
public final class PartitionDirectory {
    private static final int LENGTH_OFFSET = 8;
    private static final int EPOCH_OFFSET = 12;
    private static final int MAGIC_OFFSET = 16;
    private static final int CRC_OFFSET = 17;
    private static final int ATTRIBUTES_OFFSET = 21;
    private static final int LAST_OFFSET_DELTA_OFFSET = 23;
    private static final int HEADER = 61;
    private static final int LOG_OVERHEAD = 12;

    private PartitionDirectory() {}

    /**
     * Hands over every whole batch, in order. What follows the last whole batch of the last segment, a torn tail, is
     * not an error: what should have been there is missing.
     *
     * @throws IOException if a segment cannot be read, or a batch in the middle is damaged
     */
    public static void forEachBatch(Path directory, Consumer<LogBatch> sink) throws IOException {
        List<Path> segments;
        try (Stream<Path> files = Files.list(directory)) {
            segments = files.filter(file -> file.getFileName().toString().matches("\\d{20}\\.log"))
                    .sorted()
                    .toList();
        }
        for (int i = 0; i < segments.size(); i++) {
            long end = scan(segments.get(i), sink);
            if (end >= 0 && i + 1 < segments.size()) {
                throw new IOException(segments.get(i) + ": no valid batch at position " + end
                        + "; expected whole batches up to the next segment");
            }
        }
    }

    /** Position of the first byte that belongs to no whole batch, -1 if there is none. */
    private static long scan(Path segment, Consumer<LogBatch> sink) throws IOException {
        try (FileChannel channel = FileChannel.open(segment)) {
            ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            int at = 0;
            while (at < file.limit()) {
                int size = wholeBatch(file, at);
                if (size < 0) {
                    return at;
                }
                ByteBuffer bytes = file.slice(at, size).asReadOnlyBuffer();
                long baseOffset = bytes.getLong(0);
                sink.accept(new LogBatch(
                        baseOffset,
                        baseOffset + bytes.getInt(LAST_OFFSET_DELTA_OFFSET),
                        bytes.getInt(EPOCH_OFFSET),
                        bytes));
                at += size;
            }
            return -1;
        }
    }

    /** The size of the batch at the position, -1 if there is no whole, valid one. */
    private static int wholeBatch(ByteBuffer file, int at) {
        int left = file.limit() - at;
        if (left < HEADER) {
            return -1;
        }
        int length = file.getInt(at + LENGTH_OFFSET);
        if (length < HEADER - LOG_OVERHEAD || length > left - LOG_OVERHEAD || file.get(at + MAGIC_OFFSET) != 2) {
            return -1;
        }
        int size = length + LOG_OVERHEAD;
        CRC32C crc = new CRC32C();
        crc.update(file.slice(at + ATTRIBUTES_OFFSET, size - ATTRIBUTES_OFFSET));
        boolean valid =
                (int) crc.getValue() == file.getInt(at + CRC_OFFSET) && file.getInt(at + LAST_OFFSET_DELTA_OFFSET) >= 0;
        return valid ? size : -1;
    }
}
