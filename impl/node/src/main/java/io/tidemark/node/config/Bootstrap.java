package io.tidemark.node.config;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.Disk;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.PartitionName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a directory holds before its node runs for the first time: the voters as the first batch of the metadata log, the
 * same bytes on each of them, and the feature levels of a new cluster in Kafka's {@code bootstrap.checkpoint}, which the
 * first active controller makes records of.
 */
public final class Bootstrap {
    static final String FEATURES = "bootstrap.checkpoint";
    static final String METADATA_DIRECTORY = PartitionName.METADATA_LOG.directory();
    static final String FIRST_SEGMENT = "00000000000000000000.log";

    /** Kafka's id of the metadata topic. */
    static final UUID METADATA_TOPIC = new UUID(0L, 1L);

    private static final int MAX_BYTES = 1 << 20;

    private Bootstrap() {}

    /** Durable on return. */
    static void writeFeatures(Disk disk, Path root, MetadataCodec codec, SortedMap<String, Short> levels)
            throws IOException {
        List<MetadataRecord> records = new ArrayList<>();
        for (Map.Entry<String, Short> level : levels.entrySet()) {
            records.add(new MetadataRecord.FeatureLevel(level.getKey(), level.getValue()));
        }
        write(disk, root.resolve(FEATURES), codec.encode(records, 0L));
        disk.syncDirectory(root);
    }

    /** The first batch of the metadata log: no time of day in it, so that every voter has the same. */
    static RecordBytes voters(MetadataCodec codec, VoterSet voters) {
        return codec.encodeControl(
                List.of(new ControlRecord.KRaftVersion((short) 1), new ControlRecord.Voters(voters)), 0L);
    }

    /** Durable on return. */
    static void writeMetadataLog(Disk disk, Path root, RecordBytes firstBatch) throws IOException {
        Path directory = root.resolve(METADATA_DIRECTORY);
        disk.createDirectories(directory);
        PartitionMetadata.write(disk, directory, METADATA_TOPIC);
        write(disk, directory.resolve(FIRST_SEGMENT), firstBatch);
        disk.syncDirectory(directory);
        disk.syncDirectory(root);
    }

    private static void write(Disk disk, Path path, RecordBytes bytes) throws IOException {
        try (FileHandle file = disk.open(path, true)) {
            file.truncate(0);
            file.write(bytes.buffer().duplicate(), 0);
            file.force();
        }
    }

    /**
     * The levels that a new cluster starts with: those of the directory's file, or the defaults where it has none.
     *
     * @throws ConfigException where the file cannot be read
     */
    public static SortedMap<String, Short> readFeatures(Disk disk, Path root, MetadataCodec codec)
            throws ConfigException {
        Path path = root.resolve(FEATURES);
        try {
            if (!disk.exists(path)) {
                return Features.defaults();
            }
            ByteBuffer content = read(disk, path);
            TreeMap<String, Short> levels = new TreeMap<>();
            for (MetadataRecord record : codec.decode(content)) {
                if (record instanceof MetadataRecord.FeatureLevel feature) {
                    levels.put(feature.name(), feature.level());
                }
            }
            return Collections.unmodifiableSortedMap(levels);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(
                    "FOREIGN", path.toString(), "cannot be read: " + e.getMessage(), "as the format tool wrote it");
        }
    }

    static ByteBuffer read(Disk disk, Path path) throws IOException {
        try (FileHandle file = disk.open(path, false)) {
            if (file.size() > MAX_BYTES) {
                throw new IOException("is larger than 1 MiB");
            }
            ByteBuffer content = ByteBuffer.allocate((int) file.size());
            file.read(content, 0);
            return content.flip();
        }
    }
}
