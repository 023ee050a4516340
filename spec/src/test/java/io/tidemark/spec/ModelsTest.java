package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.check.Coverage;
import io.tidemark.spec.check.Switches;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Every model of the manifest's set is a test: of the build, or with {@code -Pnightly} the others. Two TLCs run side by
 * side, each with one worker and directories of its own, and no result is taken from a cache. {@code -Dtidemark.models=false}
 * leaves them out, for who works on something else.
 */
@DisabledIfSystemProperty(
        named = "tidemark.models",
        matches = "false",
        disabledReason = "left out: by -Dtidemark.models=false")
class ModelsTest {
    private static final Path SPEC = Path.of("").toAbsolutePath();

    /** They take every action between them; TLC takes a multiple of the time where it counts. */
    private static final Set<String> COUNTED = Set.of(
            "MCQuorumLed",
            "MCQuorumResigns",
            "PartitionDeletes",
            "PartitionElrPreferred",
            "PartitionFlushOnce",
            "PartitionJoinLoss",
            "PartitionMinIsrFailover",
            "PartitionUncleanTimer",
            "PartitionWipe");

    private final ExecutorService pool = Executors.newFixedThreadPool(2);

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> models() {
        ModelSet set = ModelSet.valueOf(
                System.getProperty("tidemark.spec.set", "build").toUpperCase(Locale.ROOT));
        Checker checker = new Checker(
                        new Modules(SPEC),
                        TlcOptions.standard(),
                        SPEC.resolve("target").resolve("spec"))
                .withoutArguments()
                .countingIn(COUNTED);
        List<Model> models = List.copyOf(Manifest.read(SPEC).models());
        tell(models, set);
        Map<Model, Future<CheckResult>> runs = new LinkedHashMap<>();
        models.stream()
                .filter(model -> model.set() == set)
                .forEach(model -> runs.put(model, pool.submit(() -> told(model, checker))));
        List<DynamicTest> tests = new ArrayList<>();
        runs.forEach((model, run) -> tests.add(DynamicTest.dynamicTest(
                model.name(),
                () -> assertThat(result(run).deviations()).as(model.purpose()).isEmpty())));
        if (set == ModelSet.BUILD) {
            tests.add(DynamicTest.dynamicTest("every action is taken", () -> {
                List<CheckResult> results = new ArrayList<>();
                for (Future<CheckResult> run : runs.values()) {
                    results.add(result(run));
                }
                assertThat(Coverage.untaken(results, Vocabulary.read(SPEC)))
                        .as("taken in no model of the set build")
                        .isEmpty();
            }));
        }
        tests.add(DynamicTest.dynamicTest(
                "every constant is on somewhere",
                () -> assertThat(Switches.neverOn(models))
                        .as("off in every model")
                        .isEmpty()));
        return tests.stream();
    }

    /** A line as soon as it has ended: a set takes minutes. */
    private static CheckResult told(Model model, Checker checker) throws InterruptedException {
        CheckResult result = checker.check(model, true, TlcProcess.Listener.NONE);
        String found = result.violated() == null
                ? result.tlc().verdict().toString()
                : result.tlc().verdict() + " " + result.violated();
        System.out.printf(
                Locale.ROOT,
                "spec: %s %s: %s, %,d states, %s, %.1f s%n",
                result.asExpected() ? "ok" : "NOT AS EXPECTED",
                model.name(),
                found,
                result.tlc().distinct(),
                result.example() == null ? "depth " + result.tlc().depth() : result.steps() + " steps",
                result.tlc().durationMs() / 1_000.0);
        return result;
    }

    /** What this run leaves out, and what nobody has seen to its end: a green build says nothing of either. */
    private static void tell(List<Model> models, ModelSet set) {
        Modules modules = new Modules(SPEC);
        tell("left to the other set (-Pnightly runs nightly)", models.stream().filter(model -> model.set() != set));
        tell(
                "have no full run on record for the present modules",
                models.stream().filter(model -> !modules.onRecord(model)));
        tell(
                "are mutants whose control has no full run on record for the present modules",
                models.stream()
                        .filter(model -> model.kind() == ModelKind.MUTANT)
                        .filter(model -> models.stream()
                                .anyMatch(control ->
                                        control.name().equals(model.control()) && !modules.onRecord(control))));
    }

    private static void tell(String what, Stream<Model> models) {
        List<String> names = models.map(Model::name).toList();
        System.out.println("spec: " + names.size() + " rows " + what + (names.isEmpty() ? "" : ":"));
        names.forEach(name -> System.out.println("  " + name));
    }

    private static CheckResult result(Future<CheckResult> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
