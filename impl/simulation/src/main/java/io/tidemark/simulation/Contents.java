package io.tidemark.simulation;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What the batches of one log hold, on whichever node: once a leader has written a batch at an offset in an epoch, nobody
 * may hold anything else there by the same names. A CRC of all that follows the batch's own CRC stands for it; what comes
 * before it, the leader assigns.
 */
final class Contents {
    /** A batch begins with base offset, length, leader epoch, magic and CRC. */
    private static final int AFTER_CRC = BatchLayout.ATTRIBUTES;

    private record Content(int node, int crc) {}

    private final String log;
    /** By base offset, then by leader epoch. */
    private final TreeMap<Long, TreeMap<Integer, Content>> batches = new TreeMap<>();

    /** @param log what messages call it */
    Contents(String log) {
        this.log = log;
    }

    /**
     * The node appends these batches, which stand at the beginning of {@code records}.
     *
     * @throws Violation LogMatching, where a batch of that offset and epoch is another elsewhere
     */
    void appended(int node, List<BatchHeader> headers, RecordsRef records) {
        ByteBuffer bytes = ((RecordBytes) records).buffer();
        int position = bytes.position();
        for (BatchHeader header : headers) {
            appended(node, header.baseOffset(), header.leaderEpoch(), crc(bytes, position, header.sizeInBytes()));
            position += header.sizeInBytes();
        }
    }

    /** As above for one batch, which {@code content} stands for. */
    void appended(int node, long offset, int epoch, int content) {
        Content before =
                batches.computeIfAbsent(offset, key -> new TreeMap<>()).putIfAbsent(epoch, new Content(node, content));
        Invariants.require(
                before == null || before.crc() == content,
                "LogMatching",
                log + ": node " + node + " appends at " + offset + " in epoch " + epoch + " other records than node "
                        + (before == null ? -1 : before.node()) + " did");
    }

    /** Of a batch whose bytes stand there. */
    static int crc(ByteBuffer bytes, int position, int sizeInBytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(position + sizeInBytes).position(position + AFTER_CRC));
        return (int) crc.getValue();
    }

    /** Nobody has seen what was written in the epoch, and its leader does not have it any more. */
    void forget(int epoch) {
        batches.values().forEach(epochs -> epochs.remove(epoch));
    }
}
