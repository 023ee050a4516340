package io.tidemark.spec.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.Tiny;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {
    @TempDir
    Path dir;

    @Test
    void aRowChangesTheConfigurationOfItsBase() {
        Model mutant = Manifest.read(Tiny.DIR).model("unbounded");
        assertThat(mutant.kind()).isEqualTo(ModelKind.MUTANT);
        assertThat(mutant.moduleName()).isEqualTo("Counter");
        assertThat(mutant.control()).isEqualTo("counter");
        assertThat(mutant.config().off()).containsExactly("bound");
        assertThat(mutant.config().constants()).containsEntry("Max", "= 3");
        assertThat(mutant.config().invariants()).containsExactly("WithinBound");
        assertThat(mutant.expected()).isEqualTo(new Expectation("WithinBound", null, null, 4));
    }

    @Test
    void checkReplacesWhatTheBaseChecks() {
        ModelConfig reach = Manifest.read(Tiny.DIR).model("reach-both").config();
        assertThat(reach.invariants()).containsExactly("ReachBoth");
        assertThat(reach.properties()).isEmpty();
        assertThat(Manifest.read(Tiny.DIR).model("falls").config().properties()).containsExactly("NeverFalls");
    }

    @Test
    void aControlDiffersInWhatTheMutantTakesAwayAndInWhatIsNamed() throws IOException {
        written("x Counter mutant build Max=2;Off={\"bound\"};Raise<-Fall - WithinBound counter_but_Max ? ? ? ? ? p");
        Model mutant = Manifest.read(dir).model("x");
        assertThat(mutant.control()).isEqualTo("counter");
        assertThat(mutant.config().constants()).containsEntry("Max", "= 2").containsEntry("Raise", "<- Fall");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x Counter model build - - A_B - ? ? ? ? ? p                | expected is A B; PASSED, or the name of what is violated
            x Counter model soon - - PASSED - ? ? ? ? ? p              | set is soon; one of build, nightly, user
            x Counter model user - - PASSED - ? ? ? ? ? p              | the set user is for models outside of the manifest; build or nightly
            x Counter reach build - - PASSED - ? ? ? ? ? p             | a reach that expects PASSED; the property that TLC must refute
            x Counter model build - - WithinBound - ? ? ? ? ? p        | a model that expects WithinBound to break; PASSED
            x Counter mutant build - - Other - ? ? ? ? ? p             | it expects Other to break and does not check it; the property in the column check
            x Counter mutant build - - WithinBound - ? ? ? ? ? p       | the control is missing; a row with the same bounds that expects PASSED
            x Counter mutant build - - WithinBound x ? ? ? ? ? p       | the control is x; a row with the same bounds that expects PASSED
            x Counter mutant build - PROPERTY_NeverFalls NeverFalls counter ? ? ? ? ? p | the control counter does not check NeverFalls; a row with the same bounds that checks it
            x Counter mutant build Max=2 - WithinBound counter ? ? ? ? ? p | Max = 2, in the control counter = 3; the same, or the control written counter but Max
            x Counter model build Max=2 - PASSED counter ? ? ? ? ? p   | Max = 2, in the control counter = 3; the same, or the control written counter but Max
            x Counter mutant build Max<-Two - WithinBound counter ? ? ? ? ? p | Max <- Two, in the control counter = 3; the same, or the control written counter but Max
            x Counter mutant build SPECIFICATION=Other - WithinBound counter ? ? ? ? ? p | SPECIFICATION Other, in the control counter Spec; the same, or the control written counter but SPECIFICATION
            x Counter mutant build - - WithinBound counter_but_Max ? ? ? ? ? p | the control counter does not differ in Max; after "but" only constants in which the two differ
            x Counter mutant build - - WithinBound other ? ? ? ? ? p   | the control other is of Lasso; one of Counter
            x Nowhere model build - - PASSED - ? ? ? ? ? p             | no module Nowhere; models/BASE.tla with its .cfg
            x Counter model build Max - PASSED - ? ? ? ? ? p           | Max is no change of a constant; NAME=VALUE or NAME<-OPERATOR, parted by ;
            x Counter model build - - PASSED - many ? ? ? ? p          | distinct is many; a number, ? where no run is on record, - where there is none
            x Counter model build - - PASSED - ? ? ? ? today p         | date is today; DAY/HASH as spec check --record writes it, or ?
            x Counter model build - - PASSED                           | 7 cells; 14, parted by tabs
            """)
    void badRowsAreToldWithTheirLine(String row, String message) throws IOException {
        Path file = written(row);
        assertThatThrownBy(() -> Manifest.read(dir)).hasMessage(file + ":2: " + message);
    }

    /** A manifest of this row and the rows counter and other: blanks part the cells, an underscore is a blank. */
    private Path written(String row) throws IOException {
        for (String file : new String[] {"Counter.tla", "Counter.cfg", "Lasso.tla", "Lasso.cfg"}) {
            Files.copy(Tiny.DIR.resolve(file), dir.resolve(file));
        }
        return Files.writeString(
                dir.resolve("manifest.tsv"),
                String.join("\t", Manifest.COLUMNS) + "\n"
                        + row.strip().replace(' ', '\t').replace('_', ' ') + "\n"
                        + "counter\tCounter\tmodel\tbuild\t-\t-\tPASSED\t-\t?\t?\t?\t?\t?\tp\n"
                        + "other\tLasso\tmodel\tbuild\t-\tINVARIANT WithinBound\tPASSED\t-\t?\t?\t?\t?\t?\tp\n");
    }
}
