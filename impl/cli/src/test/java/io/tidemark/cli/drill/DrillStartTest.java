package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.process.NodeJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A cluster that does not start: whose fault that is decides between UNKNOWN with a report and an error. */
class DrillStartTest {
    private static final Map<String, String> SMALL = Map.of("KAFKA_HEAP_OPTS", "-Xmx32m");

    @TempDir
    private Path dir;

    /** One node of the given main class, for which the drill waits so long. */
    private Cli drill(Class<?> node, Duration startLimit) {
        DrillOptions options = new DrillOptions();
        new CommandLine(options).parseArgs("--nodes=1", "--seed=7");
        DrillConfig config = options.config();
        RunDirectory place = RunDirectory.create(dir.resolve("run"), dir, false);
        Installation installation = new Installation(Cli.ROOT, Optional.empty(), node.getName());
        return Cli.with(installation, List.of("drill"), session -> {
            session.options().format = CommonOptions.Format.json;
            NodeJvm jvm = NodeJvm.of(installation, SMALL);
            try (DrillCluster cluster = new ProcessCluster(place.cluster(), config, jvm, session.err(), startLimit)) {
                return DrillCommand.run(session, config, place, cluster, DrillRun.FINAL_READ_LIMIT);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } catch (io.tidemark.cli.contract.CliException e) {
                return e.exitCode();
            }
        });
    }

    private static String reason(Cli run) throws Exception {
        JsonNode document = Schemas.validated("drill", run.out());
        assertThat(document.at("/verdict").asText()).isEqualTo("UNKNOWN");
        for (JsonNode reason : document.at("/reasons")) {
            if (reason.at("/code").asText().equals("NOT_STARTED")) {
                return reason.at("/message").asText();
            }
        }
        return "";
    }

    @Test
    void nodesThatAreNotReadyInTimeAreUnknownWithAReport() throws Exception {
        Cli run = drill(Idle.class, Duration.ofSeconds(1));
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(reason(run)).contains("node 1: not ready within 1 s: ");
        assertThat(dir.resolve("run/report.txt")).content().contains("NOT_STARTED");
    }

    @ParameterizedTest
    @CsvSource({"Dies, ended with status 1", "GivesUp, initial.broker.registration.timeout.ms"})
    void aNodeThatDiesOrGivesUpWaitingIsUnknown(String node, String why) throws Exception {
        Cli run = drill(Class.forName(DrillStartTest.class.getName() + "$" + node), DrillConfig.START_LIMIT);
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(reason(run)).contains("node 1: process ").contains(why);
    }

    @ParameterizedTest
    @CsvSource({"Defect, DEFECT", "Environment, ENVIRONMENT"})
    void aDefectOfANodeAndTheEnvironmentKeepTheirCodes(String node, ExitCode code) throws Exception {
        Cli run = drill(Class.forName(DrillStartTest.class.getName() + "$" + node), DrillConfig.START_LIMIT);
        assertThat(run.exitCode()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
    }

    private static void end(String last, int status) {
        System.out.println(last);
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Lives and never serves. */
    static final class Idle {
        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    /** As a JVM that gets no memory. */
    static final class Dies {
        public static void main(String[] arguments) {
            end("no memory", 1);
        }
    }

    static final class GivesUp {
        public static void main(String[] arguments) {
            end("broker 1 could not register within initial.broker.registration.timeout.ms", 70);
        }
    }

    static final class Defect {
        public static void main(String[] arguments) {
            end("internal error", 70);
        }
    }

    static final class Environment {
        public static void main(String[] arguments) {
            end("port 1: taken", 5);
        }
    }
}
