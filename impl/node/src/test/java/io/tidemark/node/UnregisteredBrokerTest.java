package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.node.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of a quorum that has no majority: nobody can register its broker. */
@Timeout(60)
class UnregisteredBrokerTest {
    @TempDir
    Path directory;

    private int quorumPort;
    private final AtomicReference<String> event = new AtomicReference<>("none");

    @Test
    void itsClientsAreRefusedWhileItsPeersAreServed() throws Exception {
        Node node = start("");
        try (Socket peer = connect(quorumPort)) {
            assertThat(peer.isConnected()).isTrue();
            assertThatThrownBy(() -> connect(node.brokerEndpoints().get(0).port()))
                    .isInstanceOf(ConnectException.class);
        } finally {
            node.shutDown();
        }
        assertThat(event).hasValue("none");
    }

    @Test
    void itEndsOnceTheTimeToRegisterIsOver() throws Exception {
        Node node = start("initial.broker.registration.timeout.ms=300");
        try {
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (event.get().equals("none") && System.nanoTime() - deadline < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            assertThat(event.get())
                    .as("no defect of the node")
                    .isEqualTo("refused: broker 1 could not register with the controller within"
                            + " initial.broker.registration.timeout.ms");
        } finally {
            node.shutDown();
        }
    }

    private Node start(String line) throws Exception {
        quorumPort = freePort();
        Path config = directory.resolve("server.properties");
        Files.writeString(config, """
                process.roles=broker,controller
                node.id=1
                log.dirs=%s
                listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=127.0.0.1:%d
                %s
                """.formatted(directory.resolve("data"), quorumPort, quorumPort, line));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String voters = "1@127.0.0.1:%d:AAAAAAAAAAAAAAAAAAABAQ,2@127.0.0.1:%d:AAAAAAAAAAAAAAAAAAACAg"
                .formatted(quorumPort, freePort());
        assertThat(FormatTool.run(
                        new String[] {"-t", "half", "-c", config.toString(), "--initial-controllers", voters},
                        new PrintStream(said),
                        new PrintStream(said)))
                .as(said.toString())
                .isZero();
        return new Node(ServerConfig.load(config), new Node.Events() {
            @Override
            public void started() {
                event.set("started");
            }

            @Override
            public void refused(String reason) {
                event.set("refused: " + reason);
            }

            @Override
            public void failed(String reason, @Nullable Throwable cause) {
                event.set(reason);
            }
        });
    }

    private static Socket connect(int port) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
