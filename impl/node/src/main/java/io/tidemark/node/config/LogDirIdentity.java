package io.tidemark.node.config;

import io.tidemark.storage.Disk;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.StorageException;
import java.util.Optional;

/** Whose a log directory is. */
public final class LogDirIdentity {
    private LogDirIdentity() {}

    /**
     * The identity that the configuration's directory was formatted with.
     *
     * @throws ConfigException where it is not formatted (with what to run), damaged, or another node's
     */
    public static MetaProperties identify(Disk disk, ServerConfig config) throws ConfigException {
        Optional<MetaProperties> found = read(disk, config);
        if (found.isEmpty()) {
            boolean dynamic = config.staticVoters().voters().isEmpty();
            throw new ConfigException(
                    "NOT_FORMATTED",
                    config.logDir().toString(),
                    "is not formatted",
                    "run: tidemark format --cluster-id ID --config " + config.file()
                            + (config.controller() && dynamic ? " --standalone (a quorum of its own)" : ""));
        }
        MetaProperties meta = found.get();
        if (meta.nodeId() != config.nodeId()) {
            throw new ConfigException(
                    "FOREIGN",
                    config.logDir().toString(),
                    "is of node " + meta.nodeId(),
                    "node.id=" + meta.nodeId() + " in " + config.file() + ", or another log.dirs");
        }
        return meta;
    }

    static Optional<MetaProperties> read(Disk disk, ServerConfig config) throws ConfigException {
        try {
            return LogDirectory.readMeta(disk, config.logDir());
        } catch (StorageException e) {
            throw new ConfigException(
                    "FOREIGN",
                    e.path().toString(),
                    "is no meta.properties of Kafka: " + e.getMessage(),
                    "version=1, node.id, cluster.id and directory.id");
        }
    }
}
