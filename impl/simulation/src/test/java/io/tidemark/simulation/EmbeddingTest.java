package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.StepListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The example of {@code docs/embedding.md}: it is this code, it runs, and what it checks can fail. */
class EmbeddingTest {
    // example
    /** Asks for producer ids for as long as the run lasts: no id may be given twice, whatever fails. */
    static final class ProducerIds implements Workload {
        final SortedSet<Long> given = new TreeSet<>();

        @Override
        public void start(SimulatedCluster cluster) {
            int node = cluster.random().nextInt(1, cluster.nodes() + 1);
            cluster.ask(node, new ClientRequest.InitProducerId(), answer -> {
                if (answer instanceof ClientResponse.ProducerId id && id.error() == ErrorCode.NONE) {
                    cluster.require(given.add(id.producerId()), "ProducerIdsUnique", id + " was given before");
                }
                cluster.after(20, () -> start(cluster));
            });
        }
    }

    /** Sees every step of a node: no high watermark may pass the end of its log. */
    static final class HwWithinLog implements StepListener {
        @Override
        public void partition(TopicPartition id, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
            if (core.view().hw() > core.view().logEnd()) {
                throw new Violation("HwWithinLog", id + ": " + core.view().hw());
            }
        }
    }

    static Simulation.Result run(long seed, Workload workload) {
        return Simulation.of(Plan.of(seed), false, node -> new HwWithinLog(), workload)
                .run();
    }
    // end

    @Test
    void theExampleRuns() {
        ProducerIds workload = new ProducerIds();
        assertThat(run(1, workload).acknowledged()).isPositive();
        assertThat(workload.given).hasSizeGreaterThan(100);
    }

    @Test
    void whatItChecksCanFail() {
        ProducerIds workload = new ProducerIds();
        run(1, workload);
        ProducerIds again = new ProducerIds();
        again.given.addAll(workload.given);
        assertThatThrownBy(() -> run(1, again))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("ProducerIdsUnique: ");
    }

    @Test
    void theDocumentHasThisCode() throws IOException {
        Path root = Path.of(System.getProperty("tidemark.root", "../.."));
        String source = Files.readString(
                root.resolve("impl/simulation/src/test/java/io/tidemark/simulation/EmbeddingTest.java"));
        String example = source.substring(source.indexOf("    // example\n") + 15, source.indexOf("    // end\n"))
                .stripTrailing()
                .stripIndent()
                .strip();
        assertThat(Files.readString(root.resolve("docs/embedding.md"))).contains("```java\n" + example + "\n```");
        assertThat(example.lines().filter(line -> !line.isBlank()).count()).isLessThanOrEqualTo(33);
    }
}
