package io.tidemark.history.knossos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.EngineResult;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Knossos itself, where {@code KNOSSOS_CLASSPATH} says where it is or the build has the profile {@code knossos}. Prints
 * the tables of {@code docs/knossos.md}.
 */
class RealKnossosTest {
    private static final Budget BUDGET =
            new Budget(Duration.ofSeconds(Long.getLong("tidemark.knossos.seconds", 60)), 2L << 30, Long.MAX_VALUE);

    private static KnossosEngine engine(Algorithm algorithm) {
        try {
            return new KnossosEngine(algorithm, KnossosClassPath.find(null, System.getenv(KnossosClassPath.VARIABLE)));
        } catch (KnossosClassPath.MissingException e) {
            return abort("Knossos: " + e.getMessage() + "; " + KnossosClassPath.HOW_TO_GET);
        }
    }

    private static CheckOptions options(HistoryModel model) {
        return CheckOptions.of(model).withBudget(BUDGET);
    }

    @ParameterizedTest
    @EnumSource(HistoryModel.class)
    void itAgreesWithTheSearchOnRandomHistories(HistoryModel model) throws IOException {
        KnossosEngine knossos = engine(Algorithm.COMPETITION);
        Map<Outcome, Integer> counts = new TreeMap<>();
        int seed = 0;
        for (Fault fault : Fault.values()) {
            List<Operation> history;
            try {
                history = HistoryGenerator.generate(new GeneratorSpec(model, seed++, 30, 3, 2, 2, fault));
            } catch (IllegalArgumentException e) {
                // The fault is not of this model.
                continue;
            }
            HistoryResult result = HistoryChecker.check(
                    HistorySource.of(history),
                    model,
                    options -> options.withBudget(BUDGET),
                    List.of(new WglEngine(), knossos));
            EngineResult answer = result.engines().get(1);
            counts.merge(answer.outcome(), 1, Integer::sum);
            if (answer.outcome() != Outcome.UNKNOWN) {
                assertThat(answer.outcome())
                        .as("%s, %s: %s", model, fault, result)
                        .isEqualTo(result.engines().get(0).outcome());
            }
        }
        System.out.println(model.label() + ": " + counts);
        assertThat(counts).containsKeys(Outcome.VALID, Outcome.INVALID);
    }

    static Stream<Arguments> histories() {
        return Stream.of(Algorithm.values())
                .flatMap(algorithm -> Stream.of("knossos", "porcupine").map(set -> Arguments.of(algorithm, set)));
    }

    /** Never a wrong verdict; where the budget does not suffice the line says so. */
    @ParameterizedTest
    @MethodSource("histories")
    void noKnownVerdictIsContradicted(Algorithm algorithm, String set) throws IOException {
        String root = System.getProperty("tidemark.histories", "");
        assumeTrue(!root.isEmpty(), "left out: without -Dtidemark.histories=DIR, the histories of " + set);
        KnossosEngine knossos = engine(algorithm);
        WglEngine ours = new WglEngine();
        Path dir = Path.of(root, set);
        List<String> wrong = new ArrayList<>();
        List<String> rows = Files.readAllLines(dir.resolve("VERDICTS.tsv"));
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split("\t", -1);
            HistorySource history = HistorySource.of(dir.resolve(cells[0]));
            CheckOptions options = named(cells[1]);
            EngineResult result = knossos.check(history, options);
            EngineResult own = ours.check(history, options);
            System.out.println("verdict\t" + algorithm.engine() + "\t" + set + "\t" + cells[0] + "\t" + result.outcome()
                    + "\t" + result.durationMs() + "\t" + own.outcome() + "\t" + own.durationMs()
                    + (result.cause() == null ? "" : "\t" + result.cause()));
            Outcome expected =
                    cells[2].equals("valid") || cells[2].equals("linearizable") ? Outcome.VALID : Outcome.INVALID;
            if (result.outcome() != expected && result.outcome() != Outcome.UNKNOWN) {
                wrong.add(row + ": " + result);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** A model as the table of verdicts names it. */
    private static CheckOptions named(String name) throws IOException {
        if (name.startsWith("cas-register(0)")) {
            return options(HistoryModel.REGISTER).withInitial(0L);
        }
        if (name.startsWith("etcd-cas-register(init nil; failed cas = observed value != expected")) {
            return options(HistoryModel.CAS_REGISTER);
        }
        if (name.startsWith("multi-register")) {
            String initial = name.substring("multi-register".length());
            return options(HistoryModel.MULTI_REGISTER).withInitial(new EdnReader(new StringReader(initial)).next());
        }
        if (name.startsWith("kv get/put/append per key init \"\" ")) {
            return options(HistoryModel.KV).withPartitioned(!name.endsWith("unpartitioned"));
        }
        throw new IllegalArgumentException("no model is called " + name);
    }
}
