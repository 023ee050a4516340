package io.tidemark.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Operation;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.generate.Fault;
import io.tidemark.history.generate.GeneratorSpec;
import io.tidemark.history.generate.HistoryGenerator;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.wgl.WglEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines that can decide the same histories agree; about half of the histories are invalid. */
class DifferentialTest {
    private static final int OPERATIONS = 60;
    private static final int PROCESSES = 5;
    private static final int CRASHES = 4;
    private static final int LOGS = 4000;
    private static final int OBJECTS = 120;

    /** What a broker alone shows, and what no reader reports. */
    private static final Set<AnomalyType> OF_REPLICAS = EnumSet.of(
            AnomalyType.REPLICA_DIFFERS, AnomalyType.REPLICA_SHORT, AnomalyType.REPLICA_MISSING, AnomalyType.UNSEEN);

    private static List<Fault> faultsOf(HistoryModel model) {
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            try {
                new GeneratorSpec(model, 0, 1, 1, 0, 1, fault);
                faults.add(fault);
            } catch (IllegalArgumentException e) {
                // Not of this model.
            }
        }
        return faults;
    }

    @ParameterizedTest
    @EnumSource(
            value = HistoryModel.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOG", "REGISTER"})
    void theSearchSaysWhatTheDefinitionSays(HistoryModel model) throws IOException {
        WglEngine search = new WglEngine();
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        List<Fault> faults = faultsOf(model);
        for (int seed = 0; seed < OBJECTS; seed++) {
            Fault fault = seed % 5 == 0 ? Fault.NONE : faults.get(seed % faults.size());
            int operations = 10 + seed * 7 % (OPERATIONS - 10);
            List<Operation> history =
                    HistoryGenerator.generate(new GeneratorSpec(model, seed, operations, PROCESSES, CRASHES, 1, fault));
            EngineResult result = search.check(HistorySource.of(history), CheckOptions.of(model));
            assertThat(result.outcome())
                    .as("seed %s, %s, %s", seed, fault, result.findings())
                    .isEqualTo(Oracle.linearizable(history) ? Outcome.VALID : Outcome.INVALID);
            for (Finding finding : result.findings()) {
                assertThat(Oracle.linearizable(upToTheWitness(history, finding)))
                        .as("seed %s: the history up to the witness' end", seed)
                        .isFalse();
            }
            counts.merge(result.outcome(), 1, Integer::sum);
        }
        System.out.println(model.label() + ": " + counts);
        assertThat(counts.get(Outcome.INVALID)).as("%s", counts).isBetween(OBJECTS * 30 / 100, OBJECTS * 70 / 100);
    }

    /** What came later does not count, but for what tells that an operation had no effect. */
    private static List<Operation> upToTheWitness(List<Operation> history, Finding finding) {
        long last = finding.operations().get(finding.operations().size() - 1);
        Set<Long> open = new HashSet<>();
        List<Operation> kept = new ArrayList<>();
        for (Operation op : history) {
            boolean ends = op.type() != Operation.Type.INVOKE && open.remove(op.process());
            if (op.index() <= last || (ends && op.type() == Operation.Type.FAIL)) {
                kept.add(op);
            }
            if (op.index() <= last && op.type() == Operation.Type.INVOKE) {
                open.add(op.process());
            }
        }
        return kept;
    }

    @Test
    void theLogCheckAndTheSearchAgreeOnLogs() throws IOException {
        Map<String, Integer> anomalies = new TreeMap<>();
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        List<Fault> faults = faultsOf(HistoryModel.LOG);
        for (int seed = 0; seed < LOGS; seed++) {
            Fault fault = seed % 2 == 0 ? Fault.NONE : faults.get(seed / 2 % faults.size());
            List<Operation> history = HistoryGenerator.generate(
                    new GeneratorSpec(HistoryModel.LOG, seed, OPERATIONS, PROCESSES, CRASHES, 2, fault));
            boolean strong = seed % 4 < 2;
            HistoryResult result = HistoryChecker.check(
                    HistorySource.of(history),
                    HistoryModel.LOG,
                    options -> options.withStrongReads(strong),
                    List.of(new LogEngine(), new WglEngine()));
            EngineResult log = result.engines().get(0);
            boolean broken = log.findings().stream().anyMatch(Finding::againstOrder);
            assertThat(result.engines().get(1).outcome())
                    .as("seed %s, %s, %s", seed, fault, log.findings())
                    .isEqualTo(broken ? Outcome.INVALID : Outcome.VALID);
            assertThat(result.outcome()).isEqualTo(log.outcome());
            log.findings().forEach(finding -> anomalies.merge(finding.type(), 1, Integer::sum));
            counts.merge(log.outcome(), 1, Integer::sum);
        }
        System.out.println("log: " + counts + " " + anomalies);
        assertThat(counts.get(Outcome.INVALID)).isBetween(LOGS * 30 / 100, LOGS * 70 / 100);
        for (AnomalyType type : EnumSet.complementOf(EnumSet.copyOf(OF_REPLICAS))) {
            assertThat(anomalies.getOrDefault(type.label(), 0)).as(type.label()).isGreaterThanOrEqualTo(50);
        }
    }
}
