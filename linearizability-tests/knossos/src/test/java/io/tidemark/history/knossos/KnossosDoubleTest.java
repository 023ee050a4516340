package io.tidemark.history.knossos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.generate.Fault;
import io.tidemark.history.generate.GeneratorSpec;
import io.tidemark.history.generate.HistoryGenerator;
import io.tidemark.history.wgl.WglEngine;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The bridge, its JVM and its limits against a double of Knossos, {@code knossos-double} in the test class path, which
 * searches plainly or behaves badly on demand. {@link RealKnossosTest} has the real one.
 */
class KnossosDoubleTest {
    private static final String DOUBLE = "knossos-double";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String VALID = """
            {:process 0 :type :invoke :f :write :value 1} {:process 1 :type :invoke :f :read :value nil}
            {:process 1 :type :ok :f :read :value 1} {:process 0 :type :ok :f :write :value 1}
            """;
    private static final String INVALID = VALID.replace(":f :read :value 1", ":f :read :value 2");

    private static KnossosEngine engine(String behaviour) {
        return new KnossosEngine(
                Algorithm.COMPETITION, "", DOUBLE, List.of("-Dknossos.double=" + behaviour, "-XX:TieredStopAtLevel=1"));
    }

    private static List<Operation> history(String text) throws IOException {
        List<Operation> operations = new ArrayList<>();
        HistoryReader.read(new StringReader(text), operations::add);
        return operations;
    }

    private static EngineResult check(String behaviour, String text, CheckOptions options) throws IOException {
        return engine(behaviour).check(HistorySource.of(history(text)), options);
    }

    private static CheckOptions options(Duration time, long bytes) {
        return CheckOptions.of(HistoryModel.REGISTER).withBudget(new Budget(time, bytes, Long.MAX_VALUE));
    }

    private static EngineResult check(String behaviour, String text) throws IOException {
        return check(behaviour, text, options(LONG, 256 << 20));
    }

    @Test
    void whatCanBeIsValid() throws IOException {
        EngineResult result = check("search", VALID);
        assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.VALID);
        assertThat(result.engine()).isEqualTo("knossos");
        assertThat(result.cause()).isNull();
        assertThat(result.findings()).isEmpty();
        assertThat(result.peakBytes()).isPositive();
    }

    @Test
    void whatCannotBeIsInvalidWithTheOperationAtWhichItEnds() throws IOException {
        EngineResult result = check("search", VALID + INVALID);
        assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.INVALID);
        Finding finding = result.findings().get(0);
        assertThat(finding.type()).isEqualTo("not-linearizable");
        assertThat(finding.againstOrder()).isTrue();
        assertThat(finding.minimal()).isFalse();
        assertThat(finding.operations()).containsExactly(0L, 3L, 5L, 6L);
        assertThat(finding.explanation())
                .isEqualTo("process 1 read 2 (operations 5 and 6), but no order of what came before explains it; where"
                        + " Knossos' orders end, the register holds 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prints|VALID|",
                "leaves a search|VALID|",
                "time-out|UNKNOWN|Knossos gave up: timeout",
                "low memory|UNKNOWN|the memory budget of 268435456 bytes did not suffice",
                "throws|UNKNOWN|Knossos threw clojure.lang.ExceptionInfo: no such luck {}",
                "says nothing|UNKNOWN|Knossos threw java.lang.IllegalStateException: the answer is no verdict: nil",
                "says something else|UNKNOWN|Knossos threw java.lang.IllegalStateException: the answer is no verdict:"
                        + " {:valid? :maybe}",
                "exits|UNKNOWN|the JVM of Knossos ended with status 7",
            })
    void everyAnswerHasItsVerdict(String behaviour, Outcome outcome, String cause) throws IOException {
        EngineResult result = check(behaviour, VALID);
        assertThat(result.outcome()).as("%s", result).isEqualTo(outcome);
        assertThat(result.cause()).isEqualTo(cause);
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void anInvalidityWithoutAnOperationIsStillOne() throws IOException {
        EngineResult result = check("tells no operation", VALID);
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings().get(0).operations()).isEmpty();
        assertThat(result.findings().get(0).explanation()).isEqualTo("no order of the operations explains the history");
    }

    @ParameterizedTest
    @CsvSource({"breaks the model", "breaks the model in a thread"})
    void aModelThatThrowsEndsIt(String behaviour) throws IOException {
        EngineResult result = check(behaviour, VALID);
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.cause()).startsWith("the model threw java.lang.ArrayIndexOutOfBoundsException");
    }

    @Test
    void aHeapThatDoesNotSufficeEndsIt() throws IOException {
        EngineResult result = check("takes all memory", VALID, options(LONG, 1 << 20));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.cause()).isEqualTo("the memory budget of 67108864 bytes did not suffice");
    }

    @Test
    void aSearchThatNeverEndsIsKilledAtTheLimit() throws IOException {
        long before = processes();
        long start = System.nanoTime();
        EngineResult result = check("never ends", VALID, options(Duration.ofSeconds(3), 256 << 20));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.cause()).isEqualTo("the time budget of 3000 ms did not suffice");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(20));
        assertThat(processes()).isEqualTo(before);
    }

    @Test
    void aCancelledSearchIsKilled() throws IOException {
        long before = processes();
        AtomicInteger asked = new AtomicInteger();
        EngineResult result =
                check("never ends", VALID, options(LONG, 256 << 20).withCancelled(() -> asked.incrementAndGet() > 20));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.cause()).isEqualTo("cancelled");
        assertThat(processes()).isEqualTo(before);
    }

    @Test
    void anInterruptedSearchIsKilledAndTheInterruptKept() throws IOException {
        Thread.currentThread().interrupt();
        EngineResult result = check("never ends", VALID);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.cause()).isEqualTo("cancelled");
    }

    /** What was found before the end counts: the first part, and not that the second was not reached. */
    @Test
    void anInvalidPartDecidesWhateverTheOthersDo() throws IOException {
        String key = """
                {:process 0 :type :invoke :f :get :key "KEY" :value nil} {:process 0 :type :ok :f :get :key "KEY" :value "SEEN"}
                """;
        String valid = key.replace("KEY", "a").replace("SEEN", "");
        String invalid = key.replace("KEY", "b").replace("SEEN", "x");
        CheckOptions kv = CheckOptions.of(HistoryModel.KV).withBudget(new Budget(LONG, 256 << 20, Long.MAX_VALUE));
        assertThat(check("never ends, after the first part", invalid + valid, kv)
                        .outcome())
                .isEqualTo(Outcome.INVALID);
        EngineResult open = check(
                "never ends, after the first part",
                valid + invalid,
                kv.withBudget(new Budget(Duration.ofSeconds(4), 256 << 20, Long.MAX_VALUE)));
        assertThat(open.cause()).isEqualTo("the time budget of 4000 ms did not suffice");
    }

    @Test
    void nothingIsLeftBehind() throws IOException {
        List<Path> before = directories();
        check("search", VALID);
        check("exits", VALID);
        assertThat(directories()).isEqualTo(before);
    }

    private static List<Path> directories() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName().toString().startsWith("tidemark-knossos-"))
                    .sorted()
                    .toList();
        }
    }

    private static long processes() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }

    /** Every model gets across: a history that cannot be is none for the double either. */
    @ParameterizedTest
    @EnumSource(HistoryModel.class)
    void itAgreesWithTheSearchInEveryModel(HistoryModel model) throws IOException {
        HistoryResult result = HistoryChecker.check(
                HistorySource.of(invalid(model)),
                model,
                options -> options.withBudget(new Budget(LONG, 256 << 20, Long.MAX_VALUE)),
                List.of(new WglEngine(), engine("search")));
        assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.INVALID);
        assertThat(result.engines().get(1).outcome()).as("%s", result).isEqualTo(Outcome.INVALID);
        assertThat(result.engines().get(1).findings().get(0).operations()).isNotEmpty();
    }

    @Test
    void itAgreesOnALogThatCanBe() throws IOException {
        List<Operation> valid =
                HistoryGenerator.generate(new GeneratorSpec(HistoryModel.LOG, 1, 20, 3, 1, 2, Fault.NONE));
        EngineResult result = engine("search").check(HistorySource.of(valid), CheckOptions.of(HistoryModel.LOG));
        assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.VALID);
        assertThat(result.notes())
                .containsExactly("engine knossos judges the order in the log alone, not that of one"
                        + " client's records and one reader's polls");
    }

    /** The first that is, of those that faults make. */
    private static List<Operation> invalid(HistoryModel model) throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            for (Fault fault : Fault.values()) {
                try {
                    List<Operation> generated =
                            HistoryGenerator.generate(new GeneratorSpec(model, seed, 12, 3, 1, 1, fault));
                    EngineResult result = new WglEngine().check(HistorySource.of(generated), CheckOptions.of(model));
                    if (result.outcome() == Outcome.INVALID) {
                        return generated;
                    }
                } catch (IllegalArgumentException e) {
                    // The fault is not of this model.
                }
            }
        }
        throw new AssertionError("no invalid history of " + model);
    }
}
