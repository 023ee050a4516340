package io.tidemark.node.config;

import io.tidemark.storage.Disk;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.StorageException;
import java.util.Optional;
import java.util.Set;

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
            throw new ConfigException(
                    "NOT_FORMATTED", config.logDir().toString(), "is not formatted", howToFormat(config));
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

    /** A command to paste; where the node cannot be the whole cluster, with the cluster's id still to be put in. */
    private static String howToFormat(ServerConfig config) {
        String format = Launcher.called() + " format --config " + Launcher.word(config.file()) + " --cluster-id ";
        String random = Launcher.called() + " format random-uuid";
        Set<Integer> voters = config.staticVoters().voters().keySet();
        if (config.controller() && voters.isEmpty()) {
            return "for a quorum of its own run: " + format + "$(" + random + ") --standalone";
        }
        return config.controller() && voters.equals(Set.of(config.nodeId()))
                ? "run: " + format + "$(" + random + ")"
                : "run: " + format + "ID, where ID is that of the cluster's other nodes, or in a new cluster what '"
                        + random + "' prints, once for all nodes";
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
