package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One of a log directory's checkpoints, in Kafka's format: an offset of at least 0 for each partition. What the file says is
 * kept here too, and each change is durable on return. {@link LogDirectory}'s lock guards it.
 */
final class OffsetCheckpoint {
    private final Disk disk;
    private final Path file;
    private final SortedMap<PartitionName, Long> offsets = new TreeMap<>();
    private boolean found;

    /**
     * Reads the file; none is an empty one.
     *
     * @param repairs gets a line if the file is damaged, and the checkpoint is empty then
     */
    OffsetCheckpoint(Disk disk, Path file, List<String> repairs) throws IOException {
        this.disk = disk;
        this.file = file;
        try {
            found = disk.exists(file);
            read();
        } catch (MalformedFileException e) {
            found = false;
            repairs.add(e.getMessage() + "; taken as empty");
            offsets.clear();
        }
    }

    /** The offset as last written, 0 where there is none. */
    long get(PartitionName partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    /** Whether the file was there when it was read, and whole. */
    boolean found() {
        return found;
    }

    /** Whether all that it names are among these. */
    boolean isWithin(Collection<PartitionName> partitions) {
        return partitions.containsAll(offsets.keySet());
    }

    /** Drops the partitions that are not among these; the file follows with the next write. */
    void retain(Collection<PartitionName> partitions) {
        offsets.keySet().retainAll(partitions);
    }

    /** Replaces the whole checkpoint. */
    void replace(Map<PartitionName, Long> by) {
        offsets.clear();
        offsets.putAll(by);
        writeOrFail();
    }

    /** Lowers what is above the given offset of its partition. */
    void lower(Map<PartitionName, Long> to) {
        boolean any = false;
        for (var limit : to.entrySet()) {
            if (get(limit.getKey()) > limit.getValue()) {
                offsets.put(limit.getKey(), limit.getValue());
                any = true;
            }
        }
        if (any) {
            writeOrFail();
        }
    }

    /** Raises what is below the given offset. */
    void raise(PartitionName partition, long to) {
        if (get(partition) < to) {
            offsets.put(partition, to);
            writeOrFail();
        }
    }

    void forget(PartitionName partition) throws IOException {
        if (offsets.remove(partition) != null) {
            write();
        }
    }

    private void read() throws IOException {
        List<String> entries = Checkpoint.read(disk, file);
        for (int i = 0; i < entries.size(); i++) {
            String[] fields = Checkpoint.fields(file, i, entries.get(i), 3);
            String name = fields[0] + "-" + Checkpoint.number(file, i, fields[1]);
            long offset = Checkpoint.number(file, i, fields[2]);
            offsets.put(
                    PartitionName.parse(name)
                            .orElseThrow(() -> new MalformedFileException(file + ": no partition " + name)),
                    offset);
        }
    }

    private void writeOrFail() {
        try {
            write();
        } catch (IOException e) {
            throw new StorageException(file, "cannot be written", e);
        }
    }

    private void write() throws IOException {
        List<String> entries = new ArrayList<>(offsets.size());
        offsets.forEach(
                (partition, offset) -> entries.add(partition.topic() + " " + partition.partition() + " " + offset));
        SmallFiles.replace(disk, file, Checkpoint.encode(entries));
    }
}
