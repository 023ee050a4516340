package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.check.Coverage;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every model of the manifest's set is a test: of the build, or with {@code -Pnightly} the others. Two TLCs run side by
 * side, and no result is taken from a cache.
 */
class ModelsTest {
    private static final Path SPEC = Path.of("").toAbsolutePath();

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
                .withoutArguments();
        Map<Model, Future<CheckResult>> runs = new LinkedHashMap<>();
        Manifest.read(SPEC).models().stream()
                .filter(model -> model.set() == set)
                .forEach(model ->
                        runs.put(model, pool.submit(() -> checker.check(model, true, TlcProcess.Listener.NONE))));
        Stream<DynamicTest> each = runs.entrySet().stream()
                .map(run -> DynamicTest.dynamicTest(
                        run.getKey().name(),
                        () -> assertThat(result(run.getValue()).deviations())
                                .as(run.getKey().purpose())
                                .isEmpty()));
        return runs.isEmpty()
                ? each
                : Stream.concat(each, Stream.of(DynamicTest.dynamicTest("every action is taken", () -> {
                    List<CheckResult> results = new ArrayList<>();
                    for (Future<CheckResult> run : runs.values()) {
                        results.add(result(run));
                    }
                    assertThat(Coverage.untaken(results, Vocabulary.read(SPEC)))
                            .as("taken in no model of the set " + set.word())
                            .isEmpty();
                })));
    }

    private static CheckResult result(Future<CheckResult> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
