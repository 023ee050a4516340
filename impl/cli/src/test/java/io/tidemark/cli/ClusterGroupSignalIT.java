package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM to all at once, as {@code timeout} and supervisors send it: launcher, command and every node. The command gets it
 * more than once, from outside and by the launcher, and each node too; whoever took a later one for impatience would kill
 * nodes that are closing their logs.
 */
class ClusterGroupSignalIT {
    private static final int NODES = 3;

    @TempDir
    Path dir;

    private LauncherSandbox sandbox;
    private Path cluster;

    @BeforeEach
    void copy() throws Exception {
        sandbox = new LauncherSandbox(dir);
        sandbox.withTheRealCommand();
        cluster = dir.resolve("cluster");
    }

    @Test
    void everyNodeEndsInOrder() throws Exception {
        List<String> command =
                List.of("setsid", "-w", sandbox.checkout + "/tidemark", "cluster", "--dir", cluster.toString());
        LauncherSandbox.Started started = sandbox.start(command, dir, Path.of("/dev/null"));
        long group = started.process().pid();
        try {
            LauncherSandbox.await(() -> Files.exists(cluster.resolve("bootstrap"))
                    || !started.process().isAlive());
            assertThat(started.process().isAlive()).as(started.errors()).isTrue();
            // Logs that have something to close.
            createTopic();
            assertThat(marks()).as("each says that its node has stopped").noneMatch(Files::exists);
            // Again and again, as one that is still pending when the launcher's comes is one with it.
            LauncherSandbox.kill("TERM", -group);
            do {
                // It may have ended by itself meanwhile.
                int unused = LauncherSandbox.signal("TERM", -group);
            } while (!started.process().waitFor(200, TimeUnit.MILLISECONDS));
            LauncherSandbox.Run run = started.end();
            assertThat(run.status()).as(run.err()).isEqualTo(143);
            assertThat(run.out())
                    .as("the line for clients and nothing else")
                    .isEqualTo(Files.readString(cluster.resolve("bootstrap")));
            assertThat(run.err())
                    .containsOnlyOnce("tidemark: ending the cluster")
                    .doesNotContain("was killed");
            assertThat(LauncherSandbox.noneIn(group)).as("nothing is left").isTrue();
        } finally {
            LauncherSandbox.endGroup(group);
        }
        assertThat(marks()).allMatch(Files::exists);
    }

    private void createTopic() throws Exception {
        String bootstrap = Files.readString(cluster.resolve("bootstrap")).strip();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("closed", 12, (short) NODES)))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private List<Path> marks() {
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(id -> cluster.resolve("node-" + id + "/data/.kafka_cleanshutdown"))
                .toList();
    }
}
