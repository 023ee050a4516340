package io.tidemark.cli.process;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/** A process that looks like a node from outside. Keys: {@code fake.status} ends it at once, {@code fake.deaf} ignores SIGTERM. */
public final class FakeNode {
    private FakeNode() {}

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(arguments[1]))) {
            properties.load(in);
        }
        System.out.println("fake node " + properties.getProperty("node.id"));
        String status = properties.getProperty("fake.status");
        if (status != null) {
            System.err.println("refused: " + arguments[1]);
            Runtime.getRuntime().halt(Integer.parseInt(status));
        }
        if (properties.containsKey("fake.deaf")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        System.out.println("[KafkaServer id=" + properties.getProperty("node.id") + "] " + NodeProcess.READY);
        new CountDownLatch(1).await();
    }

    /** How it is started. */
    public static NodeJvm jvm() {
        return new NodeJvm(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                FakeNode.class.getName(),
                java.util.List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    }

    /** Marks the nodes as formatted, for there is nothing to format. */
    public static void format(ClusterLayout layout) throws java.io.IOException {
        for (NodeDirectory node : layout.nodes()) {
            Files.createDirectories(node.data());
            Files.writeString(node.data().resolve("meta.properties"), "cluster.id=" + layout.clusterId() + "\n");
        }
    }
}
