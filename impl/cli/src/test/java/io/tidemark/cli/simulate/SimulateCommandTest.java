package io.tidemark.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.simulation.Fault;
import io.tidemark.simulation.Outcome;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Summary;
import io.tidemark.simulation.Target;
import io.tidemark.simulation.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulateCommandTest {
    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0.04, 0.04", "0.4, 0.40", "0.996, 1.0", "3.26, 3.3", "9.96, 10", "'1234.6', '1,235'"})
    void aSlowMachinesFactorIsNotZero(double times, String said) {
        assertThat(SimulateReport.factor(times)).isEqualTo(said);
    }

    @Test
    void seedsThatHold() throws IOException {
        Cli run = Cli.run("simulate", "--seeds", "1..4", "--for", "10s", "--jobs", "2", "--format", "json");
        JsonNode document = Schemas.validated("simulate", run.out());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(document.path("verdict").asText()).isEqualTo("HOLDS");
        assertThat(document.path("seeds").path("run").asInt()).isEqualTo(4);
        assertThat(document.path("shape").isNull()).isTrue();
        assertThat(document.path("events").asLong()).isGreaterThan(10_000);
        assertThat(document.path("failures")).isEmpty();
    }

    /** However many jobs, and in text as in JSON. */
    @Test
    void theSameSeedsAreTheSameRuns() throws IOException {
        JsonNode one = Schemas.validated(
                "simulate",
                Cli.run("simulate", "--seeds", "5..7", "--for", "5s", "--jobs", "1", "--format", "json")
                        .out());
        Cli three = Cli.run("simulate", "--seeds", "5..7", "--for", "5s", "--jobs", "3");
        assertThat(three.out())
                .startsWith(String.format(
                        Locale.ROOT,
                        "HOLDS: 3 of 3 seeds from 5, 0 failed; %,d records acknowledged, ",
                        one.path("acknowledged").asLong()))
                .containsPattern("^HOLDS.*, \\d+ of \\d+ faults effective\n")
                .contains("\ntrace hash    " + one.path("traceHash").asText() + "\n")
                .contains("\nfaults        effective of injected: ", "\nnot tested    ");
        assertThat(three.err()).startsWith("simulate: ");
    }

    /** Unclean elections with power losses: what was lost stands in the first line, with the ground, and a seed to look at. */
    @Test
    void anAllowedLossIsInTheHeadline() throws IOException {
        String line = "simulate --seeds 1..6 --for 20s --acks 1 --unclean true --faults power-loss@all";
        JsonNode document = Schemas.validated(
                "simulate", Cli.run((line + " --format json").split(" ")).out());
        JsonNode losses = document.path("allowedLosses");
        assertThat(losses.path("records").asInt()).isPositive();
        String first = losses.path("firstSeed").asText();
        Cli run = Cli.run(line.split(" "));
        assertThat(run.out().lines().findFirst().orElseThrow().replace(",", ""))
                .startsWith("HOLDS: 6 of 6 seeds from 1 0 failed; " + document.path("acknowledged")
                        + " records acknowledged ")
                .contains(" faults effective; " + losses.path("records") + " of " + document.path("acknowledged")
                        + " acknowledged lost in " + losses.path("seeds") + " seed")
                .contains(" as the settings allow (acks=1 in " + losses.path("seeds") + " seed");
        assertThat(run.out())
                .contains("\nlost in seed  " + first + ", for one: ./tidemark simulate --seed " + first
                        + " --for 20s --acks 1 --unclean true --faults power-loss@all\n");
        Cli one = Cli.run(("simulate --seed " + first + " --for 20s --acks 1 --unclean true --faults power-loss@all"
                        + " --format json")
                .split(" "));
        assertThat(Schemas.validated("simulate", one.out())
                        .path("allowedLosses")
                        .path("firstSeed")
                        .asText())
                .isEqualTo(first);
    }

    /** Where everything is kept, the headline speaks of no loss. */
    @Test
    void withoutALossTheHeadlineHasNone() {
        Cli run = Cli.run("simulate --seeds 1..2 --for 5s --acks all --unclean false --faults none".split(" "));
        assertThat(run.out())
                .containsPattern("^HOLDS: 2 of 2 seeds from 1, 0 failed; [0-9,]+ records acknowledged, no faults\n")
                .contains("\nfaults        none\n")
                .doesNotContain("lost in seed");
    }

    @Test
    void aFaultThatWasNamedMustHaveAnEffect() throws IOException {
        Cli run = Cli.run(
                "simulate",
                "--seed",
                "3",
                "--for",
                "1s",
                "--faults",
                "wipe-disk",
                "--brokers",
                "3",
                "--controllers",
                "3",
                "--format",
                "json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        JsonNode reasons = Schemas.validated("simulate", run.out()).path("reasons");
        assertThat(reasons.get(0).path("code").asText()).isEqualTo("FAULT_WITHOUT_EFFECT");
    }

    @Test
    void shapesAreHeldFixed() throws IOException {
        JsonNode document = Schemas.validated(
                "simulate",
                Cli.run(
                                "simulate",
                                "--seed",
                                "9",
                                "--for",
                                "2s",
                                "--faults",
                                "none",
                                "--controllers",
                                "3",
                                "--brokers",
                                "4",
                                "--partitions",
                                "5",
                                "--rf",
                                "2",
                                "--min-isr",
                                "1",
                                "--acks",
                                "1",
                                "--unclean",
                                "true",
                                "--elr",
                                "off",
                                "--flush",
                                "every-message",
                                "--voters",
                                "static",
                                "--racks",
                                "2",
                                "--format",
                                "json")
                        .out());
        assertThat(document.path("shape").asText())
                .startsWith(
                        "3 combined nodes, 1 brokers, 5 partitions x 2, min.insync.replicas 1, acks 1, ELR off, unclean"
                                + " true, flush every-message, static voters, 2 racks");
        assertThat(document.path("faults")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "--seed 1 --seeds 1..2 @ simulate: --seed and --seeds; one of the two",
                "--seeds 5..3 @ simulate: --seeds 5..3, a reversed range; --seeds 3..5",
                "--seeds 1..10000001 @ simulate: --seeds 1..10000001; a range of at most 10000000 seeds",
                "--seeds five @ simulate: --seeds five; a range as 1..300",
                "--for 0s @ simulate: --for 0s; 1s to 24h",
                "--jobs 0 @ simulate: --jobs 0; 1 to 64",
                "--controllers 2 @ simulate: --controllers 2; 1, 3 or 5",
                "--controllers 5 --brokers 3 @ simulate: --brokers 3 with --controllers 5; at least as many brokers as"
                        + " combined nodes",
                "--acks 2 @ simulate: --acks 2; all, 1 or 0",
                "--only-turns 1 @ simulate: --only-turns or --only-partitions; --seed",
                "--seed 1 --only-turns 999 @ simulate: --only-turns 999; 1 to"
            })
    void whatMakesNoSenseIsRefused(String line, String error) {
        Cli run = Cli.run(("simulate " + line.strip()).split(" "));
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("tidemark: " + error.strip());
    }

    /** This seed draws one replica: with what it is to hold, it has as many as must be in sync. */
    @Test
    void asManyReplicasAreDrawnAsMustBeInSync() throws IOException {
        String line = "simulate --seed 9920022 --for 2s --faults none --min-isr 2 --format json";
        assertThat(Schemas.validated("simulate", Cli.run(line.split(" ")).out())
                        .path("shape")
                        .asText())
                .contains(" x 2, min.insync.replicas 2,");
    }

    @Test
    void anUnknownFaultIsToldWithTheNearest() throws IOException {
        Cli run = Cli.run("simulate", "--faults", "power-los", "--format", "json");
        JsonNode error = Schemas.validated("error", run.out()).path("error");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(error.path("nearest").asText()).isEqualTo("power-loss");
    }

    @Test
    void faultsAreListed() throws IOException {
        JsonNode document = Schemas.validated(
                "faults",
                Cli.run("simulate", "--list-faults", "--format", "json").out());
        assertThat(document.path("faults")).hasSize(Fault.values().length);
        assertThat(texts(document.path("targets"))).contains("rack=R");
    }

    // ---- Failures

    private static final UnaryOperator<Plan> MUTANT = plan -> new Plan(
            plan.seed(),
            plan.shape().withGuards(Guards.without(Guard.ACK_AFTER_HW)),
            plan.wire(),
            plan.forMs(),
            plan.turns(),
            plan.written());

    /** Something in the middle of the run throws: there is no node 0. */
    private static final UnaryOperator<Plan> BROKEN = plan -> plan.withTurns(List.of(
            new Turn(2_000, Fault.SLOW_DISK, Target.ONE, 1),
            new Turn(5_000, Fault.KILL, new Target(Target.Who.NODE, 0), 1)));

    private static Cli mutant(String... arguments) {
        return changed(MUTANT, SimulateRun.MINIMISE_LIMIT, arguments);
    }

    private static Cli changed(UnaryOperator<Plan> change, Duration minimiseLimit, String... arguments) {
        List<String> words = List.of(arguments);
        return Cli.with(new Installation(Cli.ROOT, Optional.empty(), Installation.NODE_MAIN), words, session -> {
            SimulateCommand command = new SimulateCommand(change, minimiseLimit);
            CommandLine line = new CommandLine(command);
            line.addMixin("common", session.options());
            line.parseArgs(words.subList(1, words.size()).toArray(new String[0]));
            try {
                return command.run(session);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aFailureIsToldMadeSmallAndCanBeRunAgain() throws IOException {
        Cli run = mutant("simulate", "--seeds", "1..6", "--acks", "all", "--format", "json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        JsonNode document = Schemas.validated("simulate", run.out());
        assertThat(document.path("verdict").asText()).isEqualTo("VIOLATED");
        JsonNode failure = document.path("failures").get(0);
        assertThat(failure.path("check").asText()).isEqualTo("AckedCommitted");
        assertThat(failure.path("kind").asText()).isEqualTo("invariant");
        String replay = failure.path("replay").asText();
        assertThat(replay).isEqualTo("./tidemark simulate --seed " + failure.path("seed") + " --acks all");
        JsonNode small = failure.path("minimised");
        assertThat(small.path("turns").size()).isLessThanOrEqualTo(15);
        assertThat(small.path("cutShort").asBoolean()).isFalse();
        assertThat(texts(failure.path("story")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("null").doesNotContainPattern("\\w\\[\\w+="));
        assertThat(document.path("reasons").get(0).path("message").asText())
                .matches("\\d of 6 seeds failed: .*AckedCommitted in \\d.*");

        Cli again =
                mutant(small.path("replay").asText().replace("./tidemark ", "").split(" "));
        assertThat(again.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(again.out())
                .startsWith("VIOLATED: 1 of 1 seeds from " + failure.path("seed") + ", 1 failed; ")
                .contains(
                        "\n  1 of 1 seeds failed: AckedCommitted in 1\n",
                        "AckedCommitted at event ",
                        "\n  its last steps:\n");
    }

    @Test
    void aSearchThatWasCutShortSaysSo() throws IOException {
        String[] line = "simulate --seeds 1..6 --acks all --format json".split(" ");
        JsonNode failure = Schemas.validated(
                        "simulate", changed(MUTANT, Duration.ZERO, line).out())
                .path("failures")
                .get(0);
        JsonNode small = failure.path("minimised");
        assertThat(small.path("cutShort").asBoolean()).isTrue();
        Cli text = changed(
                MUTANT,
                Duration.ZERO,
                "simulate",
                "--seed",
                failure.path("seed").asText(),
                "--acks",
                "all");
        assertThat(text.out())
                .contains("\n  needs at most " + small.path("turns").size() + " of " + small.path("from")
                        + " turns (the time to make it small was up before all were tried): ");
    }

    /** No promise was broken, but what ran is: a defect, with the counts up to there, and nothing that nobody counted. */
    @Test
    void anExceptionIsADefectAndKeepsItsCounts() throws IOException {
        String line = "simulate --seed 1 --acks all";
        Cli run = changed(BROKEN, Duration.ofMinutes(1), (line + " --format json").split(" "));
        assertThat(run.exitCode()).isEqualTo(ExitCode.DEFECT);
        JsonNode document = Schemas.validated("simulate", run.out());
        assertThat(document.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("DEFECT");
        assertThat(document.path("failures").get(0).path("kind").asText()).isEqualTo("exception");
        assertThat(document.path("acknowledged").asInt()).isPositive();
        assertThat(document.path("faults").get(0).path("fault").asText()).isEqualTo("slow-disk");
        assertThat(document.path("faults").get(0).path("injected").asInt()).isOne();
        assertThat(document.path("actions")).isNotEmpty();
        assertThat(document.path("allowedLosses").path("compared").asInt()).isZero();
        Cli text = changed(BROKEN, Duration.ofMinutes(1), line.split(" "));
        assertThat(text.out())
                .startsWith("UNKNOWN: 1 of 1 seeds from 1, 1 failed; ")
                .contains(
                        "\n  1 of 1 seeds failed: IndexOutOfBoundsException, an exception: a defect of the product or of the"
                                + " simulator, in 1\n",
                        " acknowledged; how many of them were lost is unknown: no seed came to its end\n");
    }

    /** A broken promise is the worse news, whatever else happened. */
    @Test
    void aViolationBesideAnExceptionIsAViolation() {
        Outcome.Failure exception = new Outcome.Failure("NullPointerException", "exception", "", 0);
        Outcome.Failure broken = new Outcome.Failure("AckedDurable", "invariant", "", 0);
        SimulateVerdict verdict = SimulateVerdict.of(new Summary(), List.of(exception, broken, exception), List.of());
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(verdict.reasons())
                .containsExactly(new SimulateVerdict.Reason(
                        "FAILED",
                        "3 of 0 seeds failed: AckedDurable in 1; NullPointerException, an exception: a defect of the product"
                                + " or of the simulator, in 2"));
    }

    @Test
    void whatWasInterruptedIsUnknown() {
        SimulateVerdict verdict = SimulateVerdict.interrupted(new Summary(), 5, ExitCode.INTERRUPTED);
        assertThat(verdict.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(verdict.reasons())
                .containsExactly(new SimulateVerdict.Reason("INTERRUPTED", "0 of 5 seeds were run"));
    }
}
