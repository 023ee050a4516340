package io.tidemark.storage;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/**
 * {@code meta.properties}: whose log directory this is.
 *
 * @param nodeId {@code node.id}, at least 0
 * @param clusterId {@code cluster.id}
 * @param directoryId {@code directory.id}; a wiped disk gets a new one, so that it is not taken for the voter it was
 */
public record MetaProperties(int nodeId, String clusterId, UUID directoryId) {
    static final String NAME = "meta.properties";

    static Optional<MetaProperties> read(Disk disk, Path root) throws IOException {
        Path file = root.resolve(NAME);
        if (!disk.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(SmallFiles.readText(disk, file)));
            String version = required(file, properties, "version");
            if (!version.equals("1")) {
                throw new StorageException(file, "version=" + version + "; only 1 is supported");
            }
            return Optional.of(new MetaProperties(
                    nodeId(file, required(file, properties, "node.id")),
                    required(file, properties, "cluster.id"),
                    Base64Uuid.decode(required(file, properties, "directory.id"))));
        } catch (IllegalArgumentException e) {
            throw new StorageException(file, "malformed: " + e.getMessage());
        }
    }

    private static int nodeId(Path file, String text) {
        try {
            int id = Integer.parseInt(text);
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException reportedBelow) {
            // The same message for both.
        }
        throw new StorageException(file, "node.id=" + text + "; expected a number of at least 0");
    }

    private static String required(Path file, Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null || value.isBlank()) {
            throw new StorageException(file, key + " is missing");
        }
        return value.trim();
    }

    void write(Disk disk, Path root) throws IOException {
        SmallFiles.replace(
                disk,
                root.resolve(NAME),
                "#\ncluster.id=" + clusterId + "\ndirectory.id=" + Base64Uuid.encode(directoryId) + "\nnode.id="
                        + nodeId + "\nversion=1\n");
    }
}
