package io.tidemark.node;

import io.tidemark.runtime.trace.TraceLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that a node's trace is appended to. Each line is in the page cache before the effects of the step that it tells
 * are carried out, so that a process that is killed has told whatever others may know of it; nothing is fsynced. A line that
 * an earlier life has left half-written is cut off.
 */
final class NodeTrace implements AutoCloseable {
    /** A trace ends in a line that is no longer than this. */
    private static final int TAIL = 1 << 20;

    private static final Pattern SEQ = Pattern.compile("\\{\"seq\":(\\d{1,18}),\"node\":(\\d{1,9}),.*");

    private final FileChannel file;
    private final TraceLog log;

    /**
     * Opens the file, or makes it.
     *
     * @throws IOException where it cannot be read or written, or is no trace of the node
     */
    NodeTrace(Path path, int node) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        String last = lastLine();
        if (last.isEmpty()) {
            append(TraceLog.header(null, List.of(node), Map.of()));
            log = new TraceLog(this::append, node, 0);
        } else {
            log = new TraceLog(this::append, node, written(path, last, node));
        }
    }

    TraceLog log() {
        return log;
    }

    /** The last whole line; what follows it is cut off. Empty where there is none. */
    private String lastLine() throws IOException {
        long size = file.size();
        ByteBuffer tail = ByteBuffer.allocate((int) Math.min(size, TAIL));
        while (tail.hasRemaining() && file.read(tail, size - tail.capacity() + tail.position()) >= 0) {
            // Until all of it is there.
        }
        String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n');
        file.truncate(size - text.substring(end + 1).getBytes(StandardCharsets.UTF_8).length);
        file.position(file.size());
        return end < 0 ? "" : text.substring(text.lastIndexOf('\n', end - 1) + 1, end);
    }

    private static long written(Path path, String last, int node) throws IOException {
        Matcher event = SEQ.matcher(last);
        if (event.matches() && Integer.parseInt(event.group(2)) == node) {
            return Long.parseLong(event.group(1));
        }
        if (last.startsWith("{\"schema\":\"" + TraceLog.SCHEMA + "\"") && last.contains("\"nodes\":[" + node + "]")) {
            return 0;
        }
        throw new IOException("no trace of node " + node + ": " + path);
    }

    private void append(String line) {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the trace cannot be written", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
