package io.tidemark.node;

import io.tidemark.node.config.ServerConfig;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts a node of its own on loopback and stops it in order, so that the class data archive that the launcher has the JVM
 * write at its end ({@code -XX:ArchiveClassesAtExit}) holds what a start needs. Without the archive everything works.
 */
public final class Rehearsal {
    private static final long LIMIT_SECONDS = 30;

    private Rehearsal() {}

    /** {@code args}: one directory, which need not exist and may be deleted afterwards. */
    public static void main(String[] args) {
        System.setProperty("logback.configurationFile", "io/tidemark/node/logback-node.xml");
        try {
            run(Path.of(args[0]));
            System.exit(0);
        } catch (Exception e) {
            // No archive of half a start.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(Path dir) throws Exception {
        Files.createDirectories(dir);
        Path config = dir.resolve("server.properties");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // In a properties file a backslash is an escape.
        String data = dir.toAbsolutePath().resolve("data").toString().replace("\\", "\\\\");
        Files.writeString(config, """
                process.roles=broker,controller
                node.id=1
                log.dirs=%s
                listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=127.0.0.1:%d
                broker.heartbeat.interval.ms=100
                """.formatted(data, port, port));
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        if (FormatTool.run(new String[] {"-t", "rehearsal", "-c", config.toString(), "--standalone"}, nowhere, nowhere)
                != 0) {
            throw new IllegalStateException("cannot format");
        }
        CompletableFuture<Void> started = new CompletableFuture<>();
        Node node = new Node(ServerConfig.load(config), new Node.Events() {
            @Override
            public void started() {
                started.complete(null);
            }

            @Override
            public void refused(String reason) {
                failed(reason, null);
            }

            @Override
            public void failed(String reason, @Nullable Throwable cause) {
                started.completeExceptionally(new IllegalStateException(reason, cause));
            }
        });
        started.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        node.shutDown();
    }
}
