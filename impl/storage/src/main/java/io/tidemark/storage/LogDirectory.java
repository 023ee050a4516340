package io.tidemark.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory of {@code log.dirs}: its lock, identity, checkpoints and clean-shutdown file, in Kafka's formats. Safe for
 * several threads; each write is durable on return, and after a crash the old content is there.
 *
 * <p>A checkpoint that cannot be read counts as empty and is named in {@link #repairs}. Without recovery points more is
 * checked at the start, and nobody knows whether an orderly stop left all that is here ({@link #missing}); without high
 * watermarks what was acknowledged is hidden until the ISR is whole again; without log starts deleted records show again.
 */
public final class LogDirectory implements AutoCloseable {
    static final String LOCK = ".lock";
    static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";
    static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";
    static final String HIGH_WATERMARKS = "replication-offset-checkpoint";
    static final String LOG_START_OFFSETS = "log-start-offset-checkpoint";

    private static final String DELETED = "-delete";
    private static final String STRAY = "-stray";
    private static final int MAX_NAME = 255;
    private static final Pattern BROKER_EPOCH =
            Pattern.compile("\\s*\\{\\s*\"version\"\\s*:\\s*0\\s*,\\s*\"brokerEpoch\"\\s*:\\s*(-?\\d{1,18})\\s*}\\s*");

    private final Disk disk;
    private final Path root;
    private final Closeable lock;
    private final MetaProperties meta;
    private final List<String> repairs = new ArrayList<>();
    private final boolean cleanShutdown;
    private final OptionalLong previousBrokerEpoch;
    private final OffsetCheckpoint recoveryPoints;
    private final OffsetCheckpoint highWatermarks;
    private final OffsetCheckpoint logStartOffsets;
    private final List<OffsetCheckpoint> checkpoints;
    private final boolean missing;
    private long cuts;

    private LogDirectory(Disk disk, Path root, Closeable lock, MetaProperties meta) throws IOException {
        this.disk = disk;
        this.root = root;
        this.lock = lock;
        this.meta = meta;
        Path clean = root.resolve(CLEAN_SHUTDOWN);
        cleanShutdown = disk.exists(clean);
        previousBrokerEpoch = cleanShutdown ? brokerEpoch(clean) : OptionalLong.empty();
        recoveryPoints = new OffsetCheckpoint(disk, root.resolve(RECOVERY_POINTS), repairs);
        highWatermarks = new OffsetCheckpoint(disk, root.resolve(HIGH_WATERMARKS), repairs);
        logStartOffsets = new OffsetCheckpoint(disk, root.resolve(LOG_START_OFFSETS), repairs);
        checkpoints = List.of(recoveryPoints, highWatermarks, logStartOffsets);
        for (Path child : disk.list(root)) {
            if (LogFiles.nameOf(child).endsWith(DELETED) && disk.isDirectory(child)) {
                disk.deleteTree(child);
            }
        }
        Set<PartitionName> present = new TreeSet<>(partitions());
        missing = !recoveryPoints.isWithin(present) || (cleanShutdown && !recoveryPoints.found());
        // What a checkpoint says of a partition that was deleted must not be taken for one that is made anew.
        checkpoints.forEach(checkpoint -> checkpoint.retain(present));
        if (disk.delete(clean)) {
            disk.syncDirectory(root);
        }
    }

    /** What {@code meta.properties} in a directory says; empty if it was never formatted. */
    public static Optional<MetaProperties> readMeta(Disk disk, Path root) {
        try {
            return MetaProperties.read(disk, root);
        } catch (IOException e) {
            throw new StorageException(root.resolve(MetaProperties.NAME), "cannot be read", e);
        }
    }

    /** Creates the directory and its {@code meta.properties}, durably. */
    public static void format(Disk disk, Path root, MetaProperties meta) {
        try {
            disk.createDirectories(root);
            Path parent = root.toAbsolutePath().getParent();
            if (parent != null) {
                disk.syncDirectory(parent);
            }
            meta.write(disk, root);
        } catch (IOException e) {
            throw new StorageException(root, "cannot be formatted", e);
        }
    }

    /**
     * Takes the directory over for this process: locks it, reads what the last one left and deletes the clean-shutdown file
     * and the directories of deleted partitions.
     *
     * @throws StorageException if another process holds it, if it is not formatted, or on an IO error
     */
    public static LogDirectory open(Disk disk, Path root) {
        MetaProperties meta = readMeta(disk, root)
                .orElseThrow(() -> new StorageException(root, "has no " + MetaProperties.NAME + "; format it first"));
        Closeable lock;
        try {
            lock = disk.lock(root.resolve(LOCK));
        } catch (IOException e) {
            throw new StorageException(root.resolve(LOCK), "cannot be locked", e);
        }
        try {
            return new LogDirectory(disk, root, lock, meta);
        } catch (IOException e) {
            try {
                lock.close();
            } catch (IOException unlock) {
                e.addSuppressed(unlock);
            }
            throw new StorageException(root, "cannot be opened", e);
        }
    }

    public Path root() {
        return root;
    }

    public MetaProperties meta() {
        return meta;
    }

    /**
     * Whether the last process closed the partitions' logs in order. Says nothing of the metadata log, which the quorum
     * appends to until the process ends.
     */
    public boolean cleanShutdown() {
        return cleanShutdown;
    }

    /** The broker epoch of the process that closed in order (KIP-966); empty after an unclean stop. */
    public OptionalLong previousBrokerEpoch() {
        return previousBrokerEpoch;
    }

    /** What was found damaged and is taken as empty, a line each. */
    public List<String> repairs() {
        return List.copyOf(repairs);
    }

    /** Recovery point as last written, 0 where there is none. */
    public synchronized long recoveryPoint(PartitionName partition) {
        return recoveryPoints.get(partition);
    }

    /** High watermark as last written, 0 where there is none. */
    public synchronized long highWatermark(PartitionName partition) {
        return highWatermarks.get(partition);
    }

    /** Log start offset as last written, 0 where there is none. */
    public synchronized long logStartOffset(PartitionName partition) {
        return logStartOffsets.get(partition);
    }

    /**
     * Whether a partition's directory, of which the last checkpoint of recovery points tells, was gone at the start; or after
     * an orderly stop that checkpoint itself, without which nobody knows.
     */
    public boolean missing() {
        return missing;
    }

    /** Partitions that have a directory, the metadata log's among them, sorted. */
    public List<PartitionName> partitions() {
        try {
            List<PartitionName> partitions = new ArrayList<>();
            for (Path child : disk.list(root)) {
                Optional<PartitionName> name = PartitionName.parse(LogFiles.nameOf(child));
                if (name.isPresent() && disk.isDirectory(child)) {
                    partitions.add(name.get());
                }
            }
            partitions.sort(null);
            return partitions;
        } catch (IOException e) {
            throw new StorageException(root, "cannot be listed", e);
        }
    }

    public Path directory(PartitionName partition) {
        return root.resolve(partition.directory());
    }

    /**
     * How often logs were cut or taken out of use so far: who collects a checkpoint hands this number in with it. A checkpoint
     * that was collected before the last cut is not written: the file stays, and the next one has what holds now. What it says
     * of a log that was cut, or of a topic that was deleted and may be made anew, holds no longer.
     */
    public synchronized long cuts() {
        return cuts;
    }

    /**
     * Refuses every writing of offsets that were collected before, wherever it still waits: what a stop writes last must stay.
     *
     * @return {@link #cuts} for offsets that are collected from now on
     */
    public synchronized long refuseOlder() {
        return ++cuts;
    }

    /**
     * Replaces the recovery point checkpoint: {@link PartitionLog#recoveryPoint} of every log.
     *
     * @param collectedAt {@link #cuts} when the offsets were collected
     */
    public synchronized void writeRecoveryPoints(Map<PartitionName, Long> offsets, long collectedAt) {
        replace(recoveryPoints, offsets, collectedAt);
    }

    /**
     * Replaces the high watermark checkpoint.
     *
     * @param collectedAt {@link #cuts} when the offsets were collected
     */
    public synchronized void writeHighWatermarks(Map<PartitionName, Long> offsets, long collectedAt) {
        replace(highWatermarks, offsets, collectedAt);
    }

    /**
     * Logs end, or are about to end, at these offsets: no high watermark above is on disk when this returns. A log that grew
     * again over an older and higher one would begin its next life with records as committed that nobody has committed.
     */
    public synchronized void cutHighWatermarks(Map<PartitionName, Long> ends) {
        cuts++;
        highWatermarks.lower(ends);
    }

    /**
     * Replaces the log start offset checkpoint; partitions that start at 0 may be left out.
     *
     * @param collectedAt {@link #cuts} when the offsets were collected
     */
    public synchronized void writeLogStartOffsets(Map<PartitionName, Long> offsets, long collectedAt) {
        replace(logStartOffsets, offsets, collectedAt);
    }

    /**
     * A log is about to begin at {@code start}: its checkpointed start is that, or above, when this returns. A log that begins
     * above its checkpointed start has lost records.
     */
    public synchronized void raiseLogStart(PartitionName partition, long start) {
        cuts++;
        logStartOffsets.raise(partition, start);
    }

    /** A log begins at {@code start}: that is its checkpointed start when this returns. */
    public synchronized void setLogStart(PartitionName partition, long start) {
        cuts++;
        logStartOffsets.raise(partition, start);
        logStartOffsets.lower(Map.of(partition, start));
    }

    private void replace(OffsetCheckpoint checkpoint, Map<PartitionName, Long> offsets, long collectedAt) {
        if (collectedAt == cuts) {
            checkpoint.replace(offsets);
        }
    }

    /**
     * Takes a partition's directory out of use, durably: it is renamed as Kafka does, gone at the next start at the latest,
     * and the checkpoints forget it. Close its log before; leave it out of checkpoints collected afterwards.
     *
     * @param unique makes the new name unique: letters and digits
     * @return the renamed directory, for {@link #deleteTree} at leisure
     */
    public Path markDeleted(PartitionName partition, String unique) {
        return moveAside(partition, unique, DELETED);
    }

    /**
     * As {@link #markDeleted}, for a directory of which nobody knows whose it is: it is renamed as Kafka does, and stays until
     * an operator deletes it.
     */
    public Path markStray(PartitionName partition, String unique) {
        return moveAside(partition, unique, STRAY);
    }

    private synchronized Path moveAside(PartitionName partition, String unique, String end) {
        String suffix = "-" + partition.partition() + "." + unique + end;
        String topic = partition.topic();
        Path to = root.resolve(topic.substring(0, Math.min(topic.length(), MAX_NAME - suffix.length())) + suffix);
        try {
            disk.rename(directory(partition), to);
            disk.syncDirectory(root);
            cuts++;
            for (OffsetCheckpoint checkpoint : checkpoints) {
                checkpoint.forget(partition);
            }
            return to;
        } catch (IOException e) {
            throw new StorageException(directory(partition), "cannot be renamed to " + to, e);
        }
    }

    /** Deletes what {@link #markDeleted} renamed. Any thread may call it. */
    public void deleteTree(Path renamed) {
        try {
            disk.deleteTree(renamed);
        } catch (IOException e) {
            throw new StorageException(renamed, "cannot be deleted", e);
        }
    }

    /**
     * The last write of an orderly stop of the broker, after every partition's log was closed clean and all checkpoints were
     * written. The metadata log is closed after it.
     */
    public void markClean(long brokerEpoch) {
        Path file = root.resolve(CLEAN_SHUTDOWN);
        try {
            SmallFiles.replace(disk, file, "{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}");
        } catch (IOException e) {
            throw new StorageException(file, "cannot be written", e);
        }
    }

    /** Gives the lock back. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new StorageException(root.resolve(LOCK), "cannot be unlocked", e);
        }
    }

    private OptionalLong brokerEpoch(Path file) throws IOException {
        Matcher content = BROKER_EPOCH.matcher(SmallFiles.readText(disk, file));
        if (content.matches()) {
            return OptionalLong.of(Long.parseLong(content.group(1)));
        }
        repairs.add(file + ": malformed; expected {\"version\":0,\"brokerEpoch\":N}; the broker epoch is unknown");
        return OptionalLong.empty();
    }
}
