package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Cli;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.process.NodeJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The settings of the command line as the running cluster tells them. */
class ProcessClusterIT {
    @TempDir
    private Path dir;

    private record Told(int elr, Config topic) {
        String value(String key) {
            return topic.get(key).value();
        }
    }

    private Told cluster(String... options) throws Exception {
        DrillOptions parsed = new DrillOptions();
        new CommandLine(parsed).parseArgs(options);
        DrillConfig config = parsed.config();
        Installation installation = new Installation(Cli.ROOT, Optional.empty(), Installation.NODE_MAIN);
        Session session = new Session(List.of(), System.out, System.err, installation, new Terminal(false, false, 80));
        NodeJvm jvm = NodeJvm.of(installation, System.getenv());
        try (ProcessCluster cluster =
                new ProcessCluster(dir.resolve("c"), config, jvm, System.err, DrillConfig.START_LIMIT)) {
            cluster.start(session.progress());
            try (DrillTopic topic = new DrillTopic(cluster.bootstrap());
                    Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
                topic.create(config);
                Map<String, FinalizedVersionRange> features =
                        admin.describeFeatures().featureMetadata().get().finalizedFeatures();
                FinalizedVersionRange elr = features.get("eligible.leader.replicas.version");
                ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, DrillConfig.TOPIC);
                Config told =
                        admin.describeConfigs(List.of(resource)).all().get().get(resource);
                return new Told(elr == null ? 0 : elr.maxVersionLevel(), told);
            }
        }
    }

    @Test
    void whatIsAskedForReachesTheCluster() throws Exception {
        Told told = cluster("--nodes=1", "--elr=off", "--unclean=true", "--flush=every-message");
        assertThat(told.elr()).isZero();
        assertThat(told.value("unclean.leader.election.enable")).isEqualTo("true");
        assertThat(told.value("flush.messages")).isEqualTo("1");
        assertThat(told.value("min.insync.replicas")).isEqualTo("1");
    }

    @Test
    void theDefaultsAreThoseOfNewClusters() throws Exception {
        Told told = cluster("--nodes=2", "--min-isr=2");
        assertThat(told.elr()).isEqualTo(1);
        assertThat(told.value("unclean.leader.election.enable")).isEqualTo("false");
        assertThat(told.value("flush.messages")).isEqualTo("9223372036854775807");
        assertThat(told.value("min.insync.replicas")).isEqualTo("2");
    }
}
