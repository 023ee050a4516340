package io.tidemark.history.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.wgl.WglEngine;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The histories that Knossos and Porcupine test themselves with, each with its verdict in a {@code VERDICTS.tsv}: file,
 * model, expected. {@code -Dtidemark.histories=DIR} says where they are.
 */
class SharedHistoriesTest {
    private static final int FILES_AT_LEAST = 50;

    /** A model as the table names it. */
    private record Named(HistoryModel model, @Nullable Object initial, boolean partitioned) {
        static Named of(String name) throws IOException {
            if (name.startsWith("cas-register(0)")) {
                // In Knossos a failed cas tells nothing.
                return new Named(HistoryModel.REGISTER, 0L, true);
            }
            if (name.startsWith("etcd-cas-register(init nil; failed cas = observed value != expected")) {
                return new Named(HistoryModel.CAS_REGISTER, null, true);
            }
            if (name.startsWith("multi-register")) {
                String initial = name.substring("multi-register".length());
                return new Named(HistoryModel.MULTI_REGISTER, new EdnReader(new StringReader(initial)).next(), true);
            }
            if (name.startsWith("kv get/put/append per key init \"\" ")) {
                return new Named(HistoryModel.KV, null, !name.endsWith("unpartitioned"));
            }
            throw new IllegalArgumentException("no model is called " + name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"knossos", "porcupine"})
    void everyVerdictIsTheKnownOne(String set) throws IOException {
        String root = System.getProperty("tidemark.histories", "");
        assumeTrue(!root.isEmpty(), "left out: without -Dtidemark.histories=DIR, the histories of " + set);
        Path dir = Path.of(root, set);
        List<String> wrong = new ArrayList<>();
        Map<String, Integer> verdicts = new TreeMap<>();
        List<String> rows = Files.readAllLines(dir.resolve("VERDICTS.tsv"));
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split("\t");
            Named named = Named.of(cells[1]);
            HistoryResult result = HistoryChecker.check(
                    HistorySource.of(dir.resolve(cells[0])),
                    named.model,
                    options -> options.withInitial(named.initial).withPartitioned(named.partitioned),
                    List.of(new WglEngine()));
            Outcome expected = switch (cells[2]) {
                case "valid", "linearizable" -> Outcome.VALID;
                case "invalid", "not-linearizable" -> Outcome.INVALID;
                default -> throw new IllegalArgumentException("no verdict is called " + cells[2]);
            };
            verdicts.merge(cells[2], 1, Integer::sum);
            if (result.outcome() != expected) {
                wrong.add(row + ": " + result);
            }
        }
        System.out.println(set + ": " + verdicts + ", not met: " + wrong.size());
        assertThat(wrong).isEmpty();
        assertThat(verdicts.values().stream().mapToInt(i -> i).sum()).isGreaterThan(FILES_AT_LEAST);
    }
}
