package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.node.LossyNodeMain;
import io.tidemark.workload.fault.Target;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The drill says VIOLATED where nodes lose what they acknowledged, and UNKNOWN where its evidence is gone: real nodes,
 * separate processes, one fault each.
 */
class DrillTeethIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path dir;

    /** How a drill ended, and its document, which its schema has accepted. */
    private record Run(ExitCode exitCode, JsonNode document) {
        static Run of(Cli cli) throws IOException {
            return new Run(cli.exitCode(), Schemas.validated("drill", cli.out()));
        }

        String verdict() {
            return document.at("/verdict").asText();
        }

        List<String> reasons() {
            return texts("/reasons", "code");
        }

        List<String> messages() {
            return texts("/reasons", "message");
        }

        private List<String> texts(String list, String key) {
            List<String> texts = new ArrayList<>();
            document.at(list).forEach(each -> texts.add(each.at("/" + key).asText()));
            return texts;
        }

        /** Every record that was lost is named: where it was, in which epoch, who acknowledged it. */
        void namesTheLost() {
            assertThat(document.at("/lost").asLong()).isPositive();
            assertThat(document.at("/lostRecords")).isNotEmpty().allSatisfy(Run::isNamed);
        }

        private static void isNamed(JsonNode place) {
            assertThat(place.at("/partition").isInt()).as(place.toString()).isTrue();
            assertThat(place.at("/offset").isIntegralNumber())
                    .as(place.toString())
                    .isTrue();
            assertThat(place.at("/leaderEpoch").isInt()).as(place.toString()).isTrue();
            assertThat(place.at("/ackedBy").asInt()).as(place.toString()).isBetween(1, 3);
        }
    }

    /** The command as the user gives it, over nodes of the given main class. */
    private Run drill(String node, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("drill", "--format", "json"));
        arguments.addAll(List.of("--dir", dir.resolve("run").toString(), "--for", "1s", "--seed", "7"));
        arguments.addAll(List.of(options));
        return Run.of(Cli.run(new Installation(Cli.ROOT, Optional.empty(), node), arguments.toArray(String[]::new)));
    }

    /** A drill over good nodes that is disturbed while it runs. */
    private Run disturbed(UnaryOperator<Target> disturb, Duration finalReadLimit, String faults) throws IOException {
        DrillCommand command = new DrillCommand();
        new CommandLine(command).parseArgs("--for", "1s", "--seed", "7", "--faults", faults);
        DrillConfig config = command.options.config();
        RunDirectory place = RunDirectory.create(dir.resolve("run"), dir, false);
        Installation installation = new Installation(Cli.ROOT, Optional.empty(), Installation.NODE_MAIN);
        return Run.of(Cli.with(installation, List.of("drill"), session -> {
            session.options().format = CommonOptions.Format.json;
            NodeJvm jvm = NodeJvm.of(installation, System.getenv());
            try (DrillCluster cluster = new DisturbedCluster(
                    new ProcessCluster(place.cluster(), config, jvm, session.err(), DrillConfig.START_LIMIT),
                    disturb)) {
                return DrillCommand.run(session, config, place, cluster, finalReadLimit);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    @Test
    void leaderThatAcknowledgesBeforeItReplicates() throws Exception {
        Run run = drill(LossyNodeMain.AcksEarly.class.getName(), "--faults", "kill@leader");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.reasons()).contains("LOST").doesNotContain("ACKS");
        run.namesTheLost();
    }

    @Test
    void nodesThatForgetTheirLastAppends() throws Exception {
        Run run = drill(LossyNodeMain.Forgets.class.getName(), "--faults", "kill@all");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.reasons()).contains("LOST");
        run.namesTheLost();
    }

    @Test
    void leaderThatServesAboveTheHighWatermark() throws Exception {
        Run run = drill(LossyNodeMain.ReadsAhead.class.getName(), "--faults", "kill@leader");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.reasons()).contains("INCONSISTENT_READS");
        assertThat(run.document().at("/lost").asLong()).isZero();
        assertThat(run.document().at("/anomalies")).isNotEmpty();
        Run.isNamed(run.document().at("/anomalies/0/first"));
    }

    @Test
    void withoutADefectNothingIsLostHoweverSlowTheFollowers() throws Exception {
        Run run = drill(LossyNodeMain.Slow.class.getName(), "--faults", "kill@leader", "--expect", "loss");
        assertThat(run.verdict()).isNotEqualTo("VIOLATED");
        assertThat(run.exitCode())
                .as("the loss is absent only where it was tried enough")
                .isEqualTo(run.verdict().equals("HOLDS") ? ExitCode.VIOLATED : ExitCode.UNKNOWN);
        // Nothing but a starved machine stands before it.
        assertThat(run.reasons().stream().filter(reason -> !reason.equals("STARVED_MACHINE")))
                .startsWith("NO_LOSS");
        assertThat(run.document().at("/lost").asLong()).isZero();
        assertThat(run.document().at("/anomalies")).isEmpty();
    }

    @Test
    void acksOfOneLoseAndTheReportSaysWhy() throws Exception {
        Run run = drill(Installation.NODE_MAIN, "--acks", "1", "--faults", "none");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.verdict()).isEqualTo("VIOLATED");
        assertThat(run.reasons()).contains("LOST", "ACKS");
        assertThat(run.messages())
                .anyMatch(why -> why.startsWith("acks=1 permits lost: the leader acknowledges before"));
        run.namesTheLost();
        long lost = run.document().at("/lost").asLong();
        assertThat(dir.resolve("run/lost.tsv")).content().hasLineCount((int) lost + 1);
        assertThat(run.document().at("/faults/0/lost").asLong())
                .as("there was no other fault")
                .isEqualTo(lost);
    }

    @Test
    void expectedLossEndsWithZero() throws Exception {
        Run run = drill(Installation.NODE_MAIN, "--acks", "1", "--faults", "none", "--expect", "loss");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.verdict()).isEqualTo("VIOLATED");
        assertThat(run.reasons()).startsWith("EXPECTED_LOSS");
    }

    @Test
    void deadProducersAreNoEvidence() throws Exception {
        Run run = disturbed(
                target -> before(target, "kill", () -> producers().forEach(Thread::interrupt)),
                DrillRun.FINAL_READ_LIMIT,
                "kill@leader");
        isUnknown(run, "RUN_FAILED", "the load failed: java.lang.IllegalStateException: producer-");
        isUnknown(run, "TOO_FEW_ACKNOWLEDGED", "records were acknowledged while a fault was active");
    }

    @Test
    void faultsAimedAtADeadNodeAreNoEvidence() throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        Run run = disturbed(
                target -> before(target, "isAlive", () -> {
                    if (!producers().isEmpty() && killed.compareAndSet(false, true)) {
                        target.kill(3);
                    }
                }),
                DrillRun.FINAL_READ_LIMIT,
                "kill@node=3");
        isUnknown(run, "FAULT_WITHOUT_EFFECT", "no kill took effect: node 3 was not running");
    }

    @Test
    void finalReadCutShortIsNoEvidence() throws Exception {
        Run run = disturbed(target -> target, Duration.ZERO, "kill@leader");
        isUnknown(run, "FINAL_READ_INCOMPLETE", "not every partition was read to its end offset");
        isUnknown(run, "REPLICAS_NOT_COMPARED", "0 of 36 replicas");
        assertThat(run.document().at("/workload/finalReadComplete").asBoolean()).isFalse();
    }

    private static void isUnknown(Run run, String code, String message) {
        assertThat(run.exitCode()).as(run.document().toPrettyString()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.verdict()).isEqualTo("UNKNOWN");
        assertThat(run.messages().get(run.reasons().indexOf(code))).contains(message);
    }

    /** The threads that send, in this JVM; none before the load begins. */
    private static List<Thread> producers() {
        Thread[] threads = new Thread[2 * Thread.activeCount()];
        int count = Thread.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> thread.getName().matches("producer-\\d+"))
                .toList();
    }

    /** The target, with something that happens before each call of a method. */
    private static Target before(Target target, String method, Runnable disturbance) {
        return (Target) Proxy.newProxyInstance(
                Target.class.getClassLoader(), new Class<?>[] {Target.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        disturbance.run();
                    }
                    return called.invoke(target, arguments);
                });
    }

    /** A cluster whose nodes are done to and seen through another target than its own. */
    private record DisturbedCluster(DrillCluster cluster, UnaryOperator<Target> disturb) implements DrillCluster {
        @Override
        public void start(Progress progress) throws InterruptedException {
            cluster.start(progress);
        }

        @Override
        public Target target() {
            return disturb.apply(cluster.target());
        }

        @Override
        public String bootstrap() {
            return cluster.bootstrap();
        }

        @Override
        public void stop() throws InterruptedException {
            cluster.stop();
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
