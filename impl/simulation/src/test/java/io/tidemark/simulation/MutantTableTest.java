package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The invariants have teeth: each mutant of the code breaks one on the seed that {@code docs/code-mutants.md} names, and
 * that is a seed of the one distribution of {@code simulate}. {@code -Dtidemark.mutants=1000} looks for such a seed of each whose
 * own no longer shows it and writes the table: whoever changes the order in which things happen needs that.
 */
class MutantTableTest {
    /** How many the swarm may miss. */
    private static final int WEAK = 2;

    @TempDir
    Path directory;

    /** Those of which a seed is known: a weak one shows nothing. */
    static Iterable<MutantTable.Row> rows() throws IOException {
        return MutantTable.read().values().stream()
                .filter(row -> row.seed() > 0)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void breaksItsInvariant(MutantTable.Row row) throws IOException {
        Mutant mutant = Objects.requireNonNull(Mutant.all().get(row.name()), "a mutant of that name");
        try (MutantTrial trial = new MutantTrial(mutant, directory)) {
            assertThat(trial.broken(row.seed()))
                    .as(
                            "what %s breaks on seed %d; where another order of steps hides it there, look whether what is found"
                                    + " instead is as good: -Dtest=MutantTableTest -Dtidemark.mutants=1000 -Dtidemark.mutant=%s",
                            row.name(), row.seed(), row.name())
                    .isEqualTo(row.invariant());
        }
    }

    /** The page has nothing that its command would not write of these rows. */
    @Test
    void thePageIsWhatIsGenerated() throws IOException {
        assertThat(MutantTable.page()).isEqualTo(MutantTable.pageOf(MutantTable.read()));
    }

    @Test
    void everyMutantHasARow() throws IOException {
        assertThat(MutantTable.read().keySet()).isEqualTo(Mutant.all().keySet());
    }

    /** Who makes one more weak has to say so here, and why in {@code mutants.txt}. */
    @Test
    void fewAreWeakAndEachIsSoForAReason() throws IOException {
        TreeSet<String> weak = new TreeSet<>();
        MutantTable.read().values().stream().filter(row -> row.seed() == 0).forEach(row -> weak.add(row.name()));
        assertThat(weak).isEqualTo(MutantFile.weak().keySet());
        assertThat(weak).hasSizeLessThanOrEqualTo(WEAK);
    }

    @Test
    void everyMutantOfTheSpecificationHasATwinOrAReason() throws IOException {
        TreeSet<String> specs = new TreeSet<>();
        for (String manifest : new String[] {"spec/manifest.tsv", "spec/manifest-quorum.tsv"}) {
            for (String[] row : Mutant.table(manifest)) {
                if (row[2].equals("mutant") && !row[6].equals("PASSED")) {
                    specs.add(row[0]);
                }
            }
        }
        TreeSet<String> twins = new TreeSet<>(MutantFile.noTwins().keySet());
        Mutant.all().values().stream()
                .filter(mutant -> mutant.of().equals("spec"))
                .forEach(mutant -> twins.add(mutant.name()));
        assertThat(twins).isEqualTo(specs);
    }

    @Test
    void theTableIsWritten() throws IOException {
        long seeds = Long.getLong("tidemark.mutants", 0);
        if (seeds > 0) {
            MutantTable.generate(seeds, directory, System.getProperty("tidemark.mutant", ""));
        }
    }
}
