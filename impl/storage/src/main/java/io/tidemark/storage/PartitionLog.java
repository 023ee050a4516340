package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.Producers;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.log.TimestampOffset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One replica's log in a directory, in Kafka's layout; the metadata log is one as well.
 *
 * <p><b>Threads.</b> One thread at a time owns the log and calls everything but {@link #flush}, {@link #durableEndOffset},
 * {@link #recoveryPoint} and {@link #logEndOffset}, which any thread may call meanwhile. Appends, rolls and reads run beside a
 * flush; truncating and closing wait for one that is under way.
 *
 * <p><b>Durability.</b> An append is in the page cache: it survives the process, not the machine. Records below
 * {@link #durableEndOffset} survive both. Truncations are durable on return. A flush that fails fails the log for good: what
 * the page cache holds can't be told any more.
 *
 * <p><b>Errors</b> are {@link StorageException}s. An append that fails (a full disk) leaves the log as it was, and usable;
 * where not even that can be made sure, the log fails: it can still be read.
 */
public final class PartitionLog {
    private final Disk disk;
    private final Path dir;
    private final LogHealth health;
    private final List<Segment> segments;
    private final Producers producers;
    private final Durability durability;
    private final LogReader reader;
    private final LogWriter writer;

    private PartitionLog(Disk disk, Path dir, LogConfig config, LogLoader loaded, boolean clean, long recoveryPoint) {
        this.disk = disk;
        this.dir = dir;
        this.health = new LogHealth(dir);
        this.segments = loaded.segments;
        this.producers = loaded.producers;
        this.durability = new Durability(disk, dir, loaded, clean, recoveryPoint, health);
        this.reader = new LogReader(segments);
        this.writer = new LogWriter(disk, dir, config, loaded, reader, durability, health);
    }

    /**
     * Opens the log of a directory, made if missing.
     *
     * @param cleanShutdown whether this log was closed in order: all that it holds is durable. For a partition's log as
     *     {@link LogDirectory#cleanShutdown} says, for the metadata log never known
     * @param recoveryPoint from its checkpoint: everything below is durable and needs no check; 0 where unknown
     * @param logStartOffset from its checkpoint; 0 where unknown
     * @throws StorageException on an IO error
     */
    public static Recovered open(
            Disk disk, Path dir, LogConfig config, boolean cleanShutdown, long recoveryPoint, long logStartOffset) {
        LogLoader loader = new LogLoader(disk, dir, config, cleanShutdown, recoveryPoint, logStartOffset);
        try {
            loader.load();
            loader.segments.get(loader.segments.size() - 1).activate();
        } catch (MalformedFileException e) {
            loader.close(e);
            throw new StorageException(dir, e);
        } catch (IOException e) {
            loader.close(e);
            throw new StorageException(dir, "log cannot be loaded", e);
        }
        PartitionLog log = new PartitionLog(disk, dir, config, loader, cleanShutdown, recoveryPoint);
        return new Recovered(
                log,
                loader.epochs,
                loader.producers.snapshot(),
                loader.logStartOffset,
                log.logEndOffset(),
                loader.repairs);
    }

    public Path dir() {
        return dir;
    }

    /** Offset after the last record. Any thread may ask. */
    public long logEndOffset() {
        return durability.logEndOffset();
    }

    /** Offset of the first record on disk, which the log start offset may be above of. */
    public long firstOffset() {
        return segments.get(0).baseOffset;
    }

    // ---- Appending

    /**
     * Appends whole batches in one write: offsets and epoch are assigned, checksums were checked.
     *
     * @param headers of the batches in {@code records}, in their order
     * @param records from its position to its limit, which are left as they are
     * @return whether a segment was completed: a good moment to {@link #flush}
     * @throws IllegalArgumentException if the headers are not those of the bytes or don't continue the log
     * @throws StorageException if it can't be written; nothing is appended then, or the log has failed and takes no more appends
     */
    public boolean append(List<BatchHeader> headers, ByteBuffer records) {
        return writer.append(headers, records);
    }

    /** Appends one batch; see {@link #append(List, ByteBuffer)}. */
    public boolean append(BatchHeader header, ByteBuffer records) {
        return append(List.of(header), records);
    }

    // ---- Reading

    /**
     * Names the records from the batch that holds {@code fromOffset} on, whole batches, from one segment.
     *
     * @param maxBytes at most so many bytes
     * @param minOneMessage whether the first batch is given whatever its size
     * @param upToOffset no batch that holds this offset or a later one is given: the high watermark or the end
     * @return {@link RecordBytes#EMPTY} if there is nothing to give
     * @throws IllegalArgumentException if {@code fromOffset} is below the first offset
     */
    public RecordsRef read(long fromOffset, int maxBytes, boolean minOneMessage, long upToOffset) {
        if (fromOffset < firstOffset()) {
            throw new IllegalArgumentException(
                    dir + ": offset " + fromOffset + " is below the first, " + firstOffset());
        }
        long bound = Math.min(upToOffset, logEndOffset());
        if (fromOffset >= bound || (maxBytes <= 0 && !minOneMessage)) {
            return RecordBytes.EMPTY;
        }
        try {
            return reader.read(fromOffset, maxBytes, minOneMessage, bound);
        } catch (IOException e) {
            throw new StorageException(dir, "cannot be read at offset " + fromOffset, e);
        }
    }

    /** Visits the headers from the batch that holds {@code fromOffset} on, until the visitor returns false. */
    public void batchesFrom(long fromOffset, Predicate<BatchHeader> visitor) {
        try {
            reader.batchesFrom(Math.max(fromOffset, firstOffset()), visitor);
        } catch (IOException e) {
            throw new StorageException(dir, "cannot be read at offset " + fromOffset, e);
        }
    }

    /** The first record, at or after {@code fromOffset}, with a timestamp of at least {@code timestamp}; null if none. */
    public @Nullable TimestampOffset offsetForTimestamp(long timestamp, long fromOffset, RecordScanner scanner) {
        try {
            return reader.offsetForTimestamp(timestamp, fromOffset, scanner);
        } catch (IOException e) {
            throw new StorageException(dir, "cannot be searched for timestamp " + timestamp, e);
        }
    }

    /** The first record with the greatest timestamp of the log; null if no record has one. */
    public @Nullable TimestampOffset maxTimestampOffset(RecordScanner scanner) {
        try {
            return reader.maxTimestampOffset(scanner);
        } catch (IOException e) {
            throw new StorageException(dir, "cannot be searched for its greatest timestamp", e);
        }
    }

    // ---- Truncating

    /**
     * Cuts the log to end at {@code offset}, or before the batch that holds it; durable on return. Below the first offset the
     * log is emptied and begins anew at {@code offset}. Nothing if the log ends there or before.
     *
     * @return producer state at the new end
     */
    public List<ProducerEntry> truncateTo(long offset) {
        if (offset < firstOffset()) {
            truncateFullyAndStartAt(offset);
            return List.of();
        }
        if (offset >= logEndOffset()) {
            return producers.snapshot();
        }
        health.checkUsable();
        synchronized (durability.flushing) {
            try {
                writer.truncateTo(offset);
            } catch (IOException e) {
                throw health.fail(dir, "cannot be truncated to offset " + offset, e);
            }
            return producers.snapshot();
        }
    }

    /** Deletes everything; the log is empty and continues at {@code offset}. */
    public void truncateFullyAndStartAt(long offset) {
        health.checkUsable();
        synchronized (durability.flushing) {
            try {
                writer.startAnew(offset);
            } catch (IOException e) {
                throw health.fail(dir, "cannot be started anew at offset " + offset, e);
            }
        }
    }

    // ---- Durability

    /** Records below this offset survive a power loss. Any thread may ask. */
    public long durableEndOffset() {
        return durability.durableEndOffset();
    }

    /** The offset to write into the recovery point checkpoint. Any thread may ask. */
    public long recoveryPoint() {
        return durability.recoveryPoint();
    }

    /**
     * Makes the log durable up to {@code upToOffset} at least; nothing if it is. Any thread may call it. Whoever reports the
     * result to the owner's thread must read {@link #durableEndOffset} there again: a truncation may have come between. On a
     * closed log it does nothing.
     *
     * @return the durable end offset
     * @throws StorageException if it failed; the log has then failed
     */
    public long flush(long upToOffset) {
        return durability.flush(upToOffset);
    }

    /**
     * Replaces the leader epochs, which otherwise follow the batches appended and truncated. The file is replaced with the
     * next flush or on close; until then recovery derives them from the batches. Where there is none it is made at once,
     * though not durably: Kafka's tools expect it beside the first segment.
     */
    public void writeEpochs(List<EpochStart> epochs) {
        durability.setEpochs(epochs);
        Path file = dir.resolve(EpochFile.NAME);
        try {
            if (!health.closed() && !disk.exists(file)) {
                SmallFiles.write(disk, file, EpochFile.encode(epochs).getBytes(StandardCharsets.UTF_8), false);
            }
        } catch (IOException e) {
            throw health.fail(file, "leader epochs cannot be written", e);
        }
    }

    /**
     * Writes {@code partition.metadata}. It survives the process at once, and the machine before a record counts as durable.
     * Until then a power loss may leave records without it.
     */
    public void writeTopicId(UUID topicId) {
        health.checkUsable();
        try {
            SmallFiles.write(disk, dir.resolve(PartitionMetadata.NAME), PartitionMetadata.encode(topicId), false);
            durability.topicIdWritten();
        } catch (IOException e) {
            throw health.fail(dir, "topic id cannot be written", e);
        }
    }

    /**
     * Mends leader epochs that cannot be: they are outside of the batches' checksums. A batch of an epoch above {@code newest}
     * gets the epoch of the batch before it, 0 if it is the first; durable on return. A replica whose epochs differ then is
     * told by its leader from where on.
     *
     * @param epochs the log's, as recovered
     * @param newest the highest epoch that the partition has had
     * @return the log's epochs, which are {@code epochs} where there is nothing to mend
     */
    public List<EpochStart> mendEpochs(List<EpochStart> epochs, int newest) {
        List<EpochStart> kept = new ArrayList<>(
                epochs.stream().filter(start -> start.epoch() <= newest).toList());
        if (kept.size() == epochs.size()) {
            return epochs;
        }
        health.checkUsable();
        long from = epochs.get(kept.size()).startOffset();
        if (kept.isEmpty()) {
            kept.add(new EpochStart(0, from));
        }
        int epoch = kept.get(kept.size() - 1).epoch();
        synchronized (durability.flushing) {
            try {
                for (Segment segment : segments) {
                    if (segment.nextOffset() > from) {
                        segment.lowerEpochs(Math.max(from, segment.baseOffset), newest, epoch);
                    }
                }
            } catch (IOException e) {
                throw health.fail(dir, "leader epochs cannot be mended", e);
            }
        }
        writer.lastEpochMended(epoch);
        writeEpochs(kept);
        return List.copyOf(kept);
    }

    /** Forgets an expired producer, so that snapshots don't keep it. */
    public void forgetProducer(long producerId) {
        producers.forget(producerId);
    }

    // ---- Closing

    /**
     * Closes the log. {@code clean}: everything is durable on return, indexes and producer state included, so that opening
     * it needs no recovery. Else nothing is written, as if the process had been killed: use it before the directory is
     * deleted, or after a failure.
     */
    public void close(boolean clean) {
        synchronized (durability.flushing) {
            if (health.closed()) {
                return;
            }
            try {
                if (clean) {
                    durability.flush(Long.MAX_VALUE);
                    writer.complete();
                }
                health.close();
                for (Segment segment : segments) {
                    if (clean) {
                        segment.close();
                    } else {
                        segment.retire();
                    }
                }
            } catch (IOException e) {
                throw health.fail(dir, "cannot be closed", e);
            }
        }
    }
}
