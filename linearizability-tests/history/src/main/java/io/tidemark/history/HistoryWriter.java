package io.tidemark.history;

import io.tidemark.history.edn.Keyword;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends operations to a file, a line each, in the order in which {@link #append} is called; assigns index and time.
 * A line is with the operating system when {@code append} returns, so that a crash of the recording process loses
 * nothing that was appended; nothing is fsynced. Safe for use by several threads.
 */
public final class HistoryWriter implements Closeable {
    private final FileChannel channel;
    private final LongSupplier nanoTime;
    private final long start;
    private final StringBuilder line = new StringBuilder();
    private long index;

    private HistoryWriter(FileChannel channel, LongSupplier nanoTime) {
        this.channel = channel;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /**
     * Starts a history in a new file.
     *
     * @param file must not exist
     * @param nanoTime a monotonic clock, nanoseconds
     */
    public static HistoryWriter create(Path file, LongSupplier nanoTime) throws IOException {
        return new HistoryWriter(
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), nanoTime);
    }

    /** Appends the operation's line, as it stands in a history, to a text. */
    public static void write(Operation operation, StringBuilder out) {
        OperationEdn.write(operation, out);
    }

    public Operation append(long process, Operation.Type type, String f, @Nullable Object value) {
        return append(process, type, f, value, null, Map.of());
    }

    /**
     * Time is taken here: call it before a request is handed to the client, and after its answer has come.
     *
     * @throws UncheckedIOException if the file cannot be written: a history with a hole must not be judged
     */
    public synchronized Operation append(
            long process,
            Operation.Type type,
            String f,
            @Nullable Object value,
            @Nullable Object error,
            Map<Keyword, @Nullable Object> extra) {
        Operation op = new Operation(index, nanoTime.getAsLong() - start, process, type, f, value, error, extra);
        line.setLength(0);
        OperationEdn.write(op, line);
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line.toString());
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        index++;
        return op;
    }

    /** How many operations were appended. */
    public synchronized long size() {
        return index;
    }

    /** Nanoseconds since the history began, by the clock that stamps the operations. */
    public long elapsedNanos() {
        return nanoTime.getAsLong() - start;
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
