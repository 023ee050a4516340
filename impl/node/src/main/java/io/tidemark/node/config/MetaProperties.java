package io.tidemark.node.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Kafka's {@code meta.properties}, version 1: whose a log directory is.
 *
 * @param clusterId as given to the format tool
 * @param directoryId tells a wiped disk from the one before (KIP-853, KIP-858)
 */
public record MetaProperties(int nodeId, String clusterId, UUID directoryId) {
    public static final String FILE = "meta.properties";

    /** What its file holds. */
    String text() {
        return "#\nversion=1\nnode.id=" + nodeId + "\ncluster.id=" + clusterId + "\ndirectory.id="
                + Uuids.text(directoryId) + "\n";
    }

    static boolean isFormatted(Path logDir) {
        return Files.exists(logDir.resolve(FILE));
    }

    /**
     * Reads the file of the configuration's log directory, and checks that it is this node's.
     *
     * @throws ConfigException where it is missing (with what to run), damaged, or another node's
     */
    public static MetaProperties load(ServerConfig config) throws ConfigException {
        Path path = config.logDir().resolve(FILE);
        if (!Files.exists(path)) {
            throw new ConfigException(
                    "NOT_FORMATTED",
                    config.logDir().toString(),
                    "is not formatted",
                    "run: tidemark format --cluster-id $(tidemark format random-uuid) --config " + config.file()
                            + (config.controller()
                                            && config.staticVoters().voters().isEmpty()
                                    ? " --standalone"
                                    : ""));
        }
        MetaProperties meta = read(path);
        if (meta.nodeId() != config.nodeId()) {
            throw new ConfigException(
                    "FOREIGN",
                    path.toString(),
                    "is of node " + meta.nodeId(),
                    "node.id=" + meta.nodeId() + " in " + config.file() + ", or another log.dirs");
        }
        return meta;
    }

    static MetaProperties read(Path path) throws ConfigException {
        PropertiesFile file = PropertiesFile.read(path);
        if (!value(file, "version").equals("1")) {
            throw damaged(file, "version");
        }
        try {
            return new MetaProperties(
                    Integer.parseInt(value(file, "node.id")),
                    value(file, "cluster.id"),
                    Uuids.parse(value(file, "directory.id")).orElseThrow(() -> damaged(file, "directory.id")));
        } catch (NumberFormatException e) {
            throw damaged(file, "node.id");
        }
    }

    private static String value(PropertiesFile file, String key) throws ConfigException {
        PropertiesFile.Entry entry = file.entries().get(key);
        if (entry == null || entry.value().isBlank()) {
            throw damaged(file, key);
        }
        return entry.value().trim();
    }

    private static ConfigException damaged(PropertiesFile file, String key) {
        PropertiesFile.Entry entry = file.entries().get(key);
        return new ConfigException(
                "FOREIGN",
                file.where(key),
                entry == null ? "has no " + key : key + "=" + entry.value(),
                "version=1, a node.id, a cluster.id and a directory.id, as the format tool writes them");
    }

    /** Writes the file so that it is whole or not there. */
    void write(Path logDir) throws IOException {
        DurableFiles.write(logDir.resolve(FILE), text().getBytes(StandardCharsets.UTF_8));
    }
}
