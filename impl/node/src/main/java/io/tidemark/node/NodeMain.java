package io.tidemark.node;

import io.tidemark.node.config.ConfigException;
import io.tidemark.node.config.ServerConfig;
import io.tidemark.node.net.NetServer;
import io.tidemark.storage.StorageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code NodeMain --config FILE}: one node until it is told to end. The log goes to standard output, at the level of
 * {@code -Dtidemark.log.level}; what stops the node is one line on standard error too. {@code -Dtidemark.parent=PID} ends it
 * with that process. {@code -Dtidemark.trace=FILE} (relative to the configuration's directory) has every step told there.
 */
public final class NodeMain {
    private static final int USAGE = 2;
    private static final int INPUT = 4;
    private static final int ENVIRONMENT = 5;
    private static final int DEFECT = 70;

    private NodeMain() {}

    public static void main(String[] args) {
        main(args, Alteration.NONE);
    }

    static void main(String[] args, Alteration alteration) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "io/tidemark/node/logback-node.xml");
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            stop(DEFECT, "thread " + thread.getName() + ": " + e + "; above is where");
        });
        endWithParent(System.getProperty("tidemark.parent"));
        if (args.length != 2 || !args[0].equals("--config")) {
            stop(USAGE, "usage: --config FILE");
        }
        try {
            run(Path.of(args[1]), alteration);
        } catch (ConfigException e) {
            e.errors().forEach(error -> System.err.println("tidemark: " + error));
            stop(INPUT, null);
        } catch (NetServer.BindException e) {
            stop(ENVIRONMENT, e.getMessage() + "; a free port of this machine");
        } catch (StorageException e) {
            stop(e);
        }
    }

    /**
     * Ends with the process that started this node for itself alone: one that is killed cannot end its nodes.
     *
     * @param pid null where the node is on its own
     */
    private static void endWithParent(@Nullable String pid) {
        if (pid == null) {
            return;
        }
        var unused = ProcessHandle.of(Long.parseLong(pid))
                .map(ProcessHandle::onExit)
                .orElseGet(() -> CompletableFuture.completedFuture(ProcessHandle.current()))
                .thenRun(() -> stop(ENVIRONMENT, "process " + pid + ", for which this node ran, is gone"));
    }

    private static void run(Path file, Alteration alteration) throws ConfigException, NetServer.BindException {
        ServerConfig config = ServerConfig.load(file);
        Logger log = LoggerFactory.getLogger(NodeMain.class);
        config.warnings().forEach(log::warn);
        Node.Events events = new Node.Events() {
            @Override
            public void started() {
                log.info("Kafka Server started (tidemark node {})", config.nodeId());
            }

            @Override
            public void refused(String reason) {
                log.error("Node {} stops: {}", config.nodeId(), reason);
                stop(ENVIRONMENT, "node " + config.nodeId() + " stops: " + reason);
            }

            @Override
            public void failed(String reason, @Nullable Throwable cause) {
                log.error("Node {} stops: {}", config.nodeId(), reason, cause);
                stop(DEFECT, "node " + config.nodeId() + " stops: " + reason + "; the log has more");
            }
        };
        String trace = System.getProperty("tidemark.trace");
        Node node = new Node(
                config,
                events,
                alteration,
                trace == null ? null : file.toAbsolutePath().resolveSibling(trace));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(node, log), "shutdown"));
    }

    private static void shutDown(Node node, Logger log) {
        try {
            log.info("Shutting down");
            node.shutDown();
            log.info("Shut down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("The shutdown was cut short", e);
        }
    }

    private static void stop(StorageException e) {
        Throwable cause = e.getCause();
        String message = String.valueOf(e.getMessage());
        if (message.contains("cannot be locked")) {
            stop(ENVIRONMENT, e.path().getParent() + ": is in use by another process; end it first");
        } else if (cause instanceof AccessDeniedException) {
            stop(ENVIRONMENT, message + "; a directory that can be read and written");
        } else if (cause instanceof IOException) {
            stop(DEFECT, message + "; a disk that works");
        } else {
            stop(INPUT, message + "; a directory as this node left it");
        }
    }

    /** Ends at once: a shutdown in order would need the very thing that is broken. */
    private static void stop(int code, @Nullable String line) {
        if (line != null) {
            System.err.println("tidemark: " + line);
        }
        System.err.flush();
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }
}
