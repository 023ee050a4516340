package io.tidemark.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** {@code partition.metadata}: the id of the topic that a partition's directory belongs to. */
public final class PartitionMetadata {
    static final String NAME = "partition.metadata";

    private PartitionMetadata() {}

    static byte[] encode(UUID topicId) {
        return ("version: 0\ntopic_id: " + Base64Uuid.encode(topicId) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Writes the file; durable on return. {@link PartitionLog#writeTopicId} does without an fsync of its own. */
    public static void write(Disk disk, Path dir, UUID topicId) {
        Path file = dir.resolve(NAME);
        try {
            SmallFiles.replace(disk, file, encode(topicId));
        } catch (IOException e) {
            throw new StorageException(file, "cannot be written", e);
        }
    }

    /**
     * The topic's id; empty if there is no file, or only its name survived a power loss.
     *
     * @throws StorageException if it cannot be read or is malformed
     */
    public static Optional<UUID> read(Disk disk, Path dir) {
        Path file = dir.resolve(NAME);
        try {
            if (!disk.exists(file)) {
                return Optional.empty();
            }
            String text = SmallFiles.readText(disk, file);
            if (text.chars().allMatch(c -> c == 0)) {
                return Optional.empty();
            }
            String[] lines = text.split("\n", -1);
            if (!lines[0].equals("version: 0") || lines.length < 2 || !lines[1].startsWith("topic_id: ")) {
                throw new StorageException(file, "malformed; expected 'version: 0' and 'topic_id: ID'");
            }
            return Optional.of(Base64Uuid.decode(lines[1].substring("topic_id: ".length())));
        } catch (IOException e) {
            throw new StorageException(file, "cannot be read", e);
        } catch (IllegalArgumentException e) {
            throw new StorageException(file, "malformed topic_id: " + e.getMessage());
        }
    }
}
