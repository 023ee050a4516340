package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.check.CheckResult.PropertyVerdict;
import io.tidemark.spec.model.Expectation;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.tlc.TlcJar;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Itf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which a run of TLC can end, with the real TLC. */
class VerdictTest {
    @TempDir
    Path state;

    @Test
    void passedHasItsFiguresAndCounts() throws InterruptedException {
        CheckResult result = Tiny.check(Tiny.model("Counter"), state);
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.PASSED);
        assertThat(result.asExpected()).isTrue();
        assertThat(result.exhaustive()).isTrue();
        assertThat(result.tlc().queue()).isZero();
        assertThat(result.tlc().distinct()).isEqualTo(13);
        assertThat(result.tlc().depth()).isEqualTo(5);
        assertThat(result.steps()).isZero();
        assertThat(result.tlc().actions())
                .extracting(ActionCount::name)
                .containsExactlyInAnyOrder("Raise", "Lower", "Never");
        assertThat(result.tlc().actions())
                .filteredOn(count -> count.taken() == 0)
                .extracting(ActionCount::name)
                .containsExactly("Never");
        assertThat(result.properties()).containsExactly(new PropertyVerdict("WithinBound", "invariant", "HOLDS", null));
        assertThat(result.file()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "Stops, DEADLOCK, deadlock, 3",
        "BadAssume, ASSUMPTION_FAILED, , 0",
        "Ill, PARSE_ERROR, , 0",
        "Evaluates, EVALUATION_ERROR, , 3",
        "Lasso, VIOLATED, Rests, 4"
    })
    void whatGoesWrongHasAWord(String module, Verdict verdict, String violated, int states)
            throws InterruptedException {
        CheckResult result = Tiny.check(Tiny.model(module), state);
        assertThat(result.tlc().verdict()).isEqualTo(verdict);
        assertThat(result.violated()).isEqualTo(violated);
        assertThat(result.example() == null ? 0 : result.example().steps().size())
                .isEqualTo(states);
        assertThat(result.asExpected()).isFalse();
        assertThat(result.tlc().detail()).isNotBlank();
    }

    @Test
    void aBehaviourThatGoesRoundIsALoop() throws InterruptedException {
        CheckResult result = Tiny.check(Tiny.model("Lasso"), state);
        assertThat(result.example().loop()).isEqualTo(1);
    }

    @Test
    void theStepsHaveTheirArguments() throws InterruptedException {
        CheckResult result = Tiny.check(Tiny.checking("Counter", "ReachBoth"), state);
        assertThat(result.example().steps())
                .extracting(Counterexample.Step::call)
                .hasSize(3)
                .contains("Init", "Raise(a)", "Raise(b)");
        assertThat(Itf.read(result.file())).isEqualTo(result.example());
    }

    @Test
    void propertiesOfStatesAndOfStepsAreToldApart() throws InterruptedException {
        CheckResult step = Tiny.check(Tiny.checking("Counter", "NeverFalls"), state);
        assertThat(step.violated()).isEqualTo("NeverFalls");
        assertThat(step.properties()).containsExactly(new PropertyVerdict("NeverFalls", "property", "VIOLATED", null));
        CheckResult reach = Tiny.check(Tiny.checking("Counter", "WithinBound", "ReachBoth"), state);
        assertThat(reach.violated()).isEqualTo("ReachBoth");
        assertThat(reach.properties())
                .containsExactly(
                        new PropertyVerdict("WithinBound", "invariant", "UNDECIDED", null),
                        new PropertyVerdict("ReachBoth", "invariant", "VIOLATED", null));
    }

    @Test
    void aWrongConfigurationIsAParseError() throws InterruptedException {
        Model model = Tiny.model("Counter");
        CheckResult result =
                Tiny.check(model.with(model.config().checking(List.of("NoSuch"), List.of()), model.expected()), state);
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.PARSE_ERROR);
        assertThat(result.tlc().detail()).contains("NoSuch");
    }

    // Where memory runs out differs from run to run: in a worker, in the main thread, while TLC prints.
    @RepeatedTest(3)
    void aHeapThatIsTooSmallIsIncomplete() throws InterruptedException {
        Checker checker = new Checker(Tiny.modules(), Tiny.options().withHeap("24m"), state);
        CheckResult result = checker.check(Tiny.model("Wide"), false, TlcProcess.Listener.NONE);
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(result.tlc().detail()).containsIgnoringCase("memory");
        assertThat(result.tlc().outOfMemory()).isTrue();
        assertThat(cached()).isEmpty();
    }

    @Test
    void aSimulationThatTriedNothingSaysSo() throws InterruptedException {
        TlcOptions simulating =
                new TlcOptions(TlcJar.ofThisRelease(), 1, "128m", Duration.ofMillis(1), true, false, false, List.of());
        CheckResult result = new Checker(Tiny.modules(), simulating, state)
                .check(Tiny.model("Counter"), false, TlcProcess.Listener.NONE);
        assertThat(result.deviations())
                .containsExactly("expected PASSED, found INCOMPLETE (simulation: no behaviour was"
                        + " tried, no end within 0 s)");
        assertThat(result.exhaustive()).isFalse();
    }

    @Test
    void aKilledTlcIsIncomplete() throws InterruptedException {
        AtomicReference<ProcessHandle> process = new AtomicReference<>();
        AtomicReference<TlcProcess.Progress> last = new AtomicReference<>();
        CheckResult result = new Checker(Tiny.modules(), Tiny.options(), state)
                .check(Tiny.model("Endless"), false, new TlcProcess.Listener() {
                    @Override
                    public void started(ProcessHandle handle) {
                        process.set(handle);
                    }

                    @Override
                    public void progress(TlcProcess.Progress progress) {
                        last.set(progress);
                        process.get().destroyForcibly();
                    }
                });
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(result.tlc().detail()).contains("status 137", "without a word");
        assertThat(result.tlc().outOfMemory()).isFalse();
        assertThat(result.tlc().generated()).isPositive();
        assertThat(result.tlc().distinct())
                .as("what was known last")
                .isEqualTo(last.get().distinct());
        assertThat(result.tlc().queue()).isEqualTo(last.get().queue());
        assertThat(result.tlc().depth()).isEqualTo(last.get().depth()).isPositive();
        assertThat(result.properties()).allMatch(verdict -> verdict.result().equals("UNDECIDED"));
        assertThat(cached()).isEmpty();
        assertThat(state.resolve("run")).isEmptyDirectory();
    }

    @Test
    void whatTlcRefusesIsToldInItsWords() throws InterruptedException {
        TlcOptions standard = Tiny.options();
        TlcOptions options =
                new TlcOptions(standard.jar(), 1, "128m", null, false, false, false, List.of("-nosuchoption"));
        CheckResult result = new Checker(Tiny.modules(), options, state)
                .check(Tiny.model("Counter"), false, TlcProcess.Listener.NONE);
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(result.tlc().detail()).contains("unrecognized option: -nosuchoption");
    }

    @Test
    void aFileWithoutTlcIsRefused() throws IOException {
        Path text = Files.writeString(state.resolve("text.jar"), "no jar");
        assertThatThrownBy(() -> TlcJar.given(text)).hasMessage(text + ": is no jar; a tla2tools.jar");
        Path other = state.resolve("other.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(other))) {
            jar.putNextEntry(new ZipEntry("x"));
        }
        assertThatThrownBy(() -> TlcJar.given(other)).hasMessage(other + ": has no tlc2.TLC; a tla2tools.jar");
        Path none = state.resolve("none.jar");
        assertThatThrownBy(() -> TlcJar.given(none)).hasMessage(none + ": no such file; a tla2tools.jar");
    }

    @Test
    void actionsOfLargeModelsMayGoUncounted() throws InterruptedException {
        Checker checker = new Checker(Tiny.modules(), Tiny.options(), state).countingInSmallModels();
        Model unknown = Tiny.model("Counter");
        assertThat(checker.check(unknown, true, TlcProcess.Listener.NONE).tlc().actions())
                .isEmpty();
        Model small = Manifest.read(Tiny.DIR).model("counter");
        assertThat(checker.check(small, true, TlcProcess.Listener.NONE).tlc().actions())
                .hasSize(3);
    }

    /** Counters fill TLC's heap where the states would not: the largest models took four times their time. */
    @Test
    void aModelByItselfIsCountedUpToABound() {
        Checker checker = new Checker(Tiny.modules(), Tiny.options(), state);
        assertThat(checker.command(counterOfStates(300_000)).line()).contains("-coverage");
        assertThat(checker.command(counterOfStates(300_001)).line()).doesNotContain("-coverage");
    }

    private static Model counterOfStates(long distinct) {
        Model counter = Tiny.model("Counter");
        return new Model(
                counter.name(),
                counter.kind(),
                counter.set(),
                counter.module(),
                counter.config(),
                null,
                List.of(),
                new Expectation(null, distinct, null, null),
                null,
                "",
                counter.where());
    }

    @Test
    void whoAsksTlcForCountsGetsThem() throws InterruptedException {
        TlcOptions usual = Tiny.options();
        TlcOptions asked =
                new TlcOptions(usual.jar(), 1, usual.heap(), null, false, true, false, List.of("-coverage", "10000"));
        Checker checker = new Checker(Tiny.modules(), asked, state).countingInSmallModels();
        assertThat(checker.check(Tiny.model("Counter"), true, TlcProcess.Listener.NONE)
                        .tlc()
                        .actions())
                .hasSize(3);
    }

    @Test
    void timeThatRunsOutIsIncomplete() throws InterruptedException {
        Checker checker = new Checker(Tiny.modules(), Tiny.options().withLimit(Duration.ofSeconds(2)), state);
        CheckResult result = checker.check(Tiny.model("Endless"), false, TlcProcess.Listener.NONE);
        assertThat(result.tlc().verdict()).isEqualTo(Verdict.INCOMPLETE);
        assertThat(result.tlc().detail()).contains("no end within 2 s");
    }

    @Test
    void anInterruptLeavesNoChild() throws InterruptedException {
        AtomicReference<ProcessHandle> process = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                new Checker(Tiny.modules(), Tiny.options(), state)
                        .check(Tiny.model("Endless"), false, new TlcProcess.Listener() {
                            @Override
                            public void started(ProcessHandle handle) {
                                process.set(handle);
                            }
                        });
            } catch (InterruptedException e) {
                // As asked.
            }
        });
        thread.start();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (process.get() == null && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        thread.join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.isAlive()).isFalse();
        assertThat(process.get().isAlive()).isFalse();
    }

    @Test
    void aResultIsKeptUntilSomethingChanges() throws InterruptedException, IOException {
        CheckResult first = Tiny.check(Tiny.checking("Counter", "ReachBoth"), state);
        CheckResult second = Tiny.check(Tiny.checking("Counter", "ReachBoth"), state);
        assertThat(first.cached()).isFalse();
        assertThat(second.cached()).isTrue();
        assertThat(second.checkedAt()).isEqualTo(first.checkedAt());
        assertThat(second.tlc()).isEqualTo(first.tlc());
        assertThat(second.example()).isEqualTo(first.example());
        assertThat(cached()).hasSize(1);
        Tiny.check(Tiny.checking("Counter", "NeverFalls"), state);
        assertThat(cached()).hasSize(2);
    }

    private List<Path> cached() {
        try (Stream<Path> files = Files.list(state.resolve("cache"))) {
            return files.toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
