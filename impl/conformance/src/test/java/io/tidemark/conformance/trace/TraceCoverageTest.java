package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.tlc.TlcOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole traces of seeds, of the shapes that {@code simulate} draws for them, are behaviours of the specification, and together
 * they take every action that the core has. {@code -Dtidemark.traces=20} for so many seeds, which is the nightly's; the build
 * follows parts of two, in the other tests here.
 */
class TraceCoverageTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final int SEEDS = Integer.getInteger("tidemark.traces", 0);
    private static final int FAULTS_MS = Integer.getInteger("tidemark.traces.ms", 10_000);

    @TempDir
    Path work;

    @Test
    void anActionThatNoTraceTakesIsNamed() {
        List<Vocabulary.ActionRow> rows = Vocabulary.read(SPEC).actions();
        TreeSet<String> all = new TreeSet<>(TraceCoverage.untaken(rows, List.of()));
        assertThat(all)
                .contains("HandleVoteRequest", "HandleAlterPartition", "HandleFetch", "Resign")
                .doesNotContain("Crash", "MetadataRead", "HandleChangeVoter");
        List<String> taken = new ArrayList<>(all);
        taken.remove("Resign");
        taken.remove("HandleFetch");
        assertThat(TraceCoverage.untaken(rows, taken)).containsExactly("HandleFetch", "Resign");
        taken.add("LateFetch");
        assertThat(TraceCoverage.untaken(rows, taken)).containsExactly("Resign");
    }

    @Test
    @EnabledIfSystemProperty(
            named = "tidemark.traces",
            matches = "[1-9]\\d*",
            disabledReason = "left out: without -Dtidemark.traces=SEEDS, an hour")
    void wholeTracesAreBehavioursAndTakeEveryAction() throws InterruptedException {
        TraceValidator validator = new TraceValidator(SPEC, work, TlcOptions.standard());
        TreeSet<String> taken = new TreeSet<>();
        List<String> rejected = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            TraceFile trace =
                    TraceFile.parse("seed " + seed, SimTrace.of(Plan.of(seed, Shape.of(seed), Aim.all(), FAULTS_MS)));
            TraceValidator.Result result = validator.validate(trace, 1, Integer.MAX_VALUE, line -> {});
            taken.addAll(result.actions().keySet());
            if (result.rejected() != null) {
                rejected.add("seed " + seed + ": " + result.rejected());
            }
        }
        assertThat(rejected).isEmpty();
        assertThat(TraceCoverage.untaken(Vocabulary.read(SPEC).actions(), taken))
                .as("actions that no trace takes")
                .isEmpty();
    }
}
