package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Loopback ports of a cluster: node {@code i} serves clients at base + i and the quorum at base + 100 + i. They lie
 * below the range from which the kernel takes the ports of outgoing connections, so that they are still free when a
 * node comes back.
 */
final class ClusterPorts {
    /** How far the quorum's port is from the clients'. */
    static final int QUORUM_OFFSET = 100;

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 31_000;
    private static final int ATTEMPTS = 200;

    private ClusterPorts() {}

    /** A base from which all ports of so many nodes are free now. */
    static int freeBase(int nodes) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int base = ThreadLocalRandom.current().nextInt(LOWEST / 10, HIGHEST / 10) * 10;
            if (IntStream.rangeClosed(1, nodes).allMatch(i -> isFree(base + i) && isFree(base + QUORUM_OFFSET + i))) {
                return base;
            }
        }
        throw new CliException(
                "ports",
                "no free loopback ports between " + LOWEST + " and " + HIGHEST,
                "--port N with free ports above it",
                ExitCode.ENVIRONMENT,
                "NO_PORTS",
                null);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
