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
    void aRowBuildsOnItsBase() {
        Model mutant = Manifest.read(Tiny.DIR).model("unbounded");
        assertThat(mutant.kind()).isEqualTo(ModelKind.MUTANT);
        assertThat(mutant.moduleName()).isEqualTo("Counter");
        assertThat(mutant.base()).isEqualTo("counter");
        assertThat(mutant.config().off()).containsExactly("bound");
        assertThat(mutant.config().constants()).containsEntry("Max", "= 3");
        assertThat(mutant.expected()).isEqualTo(new Expectation("WithinBound", null, 5));
    }

    @Test
    void whatMustBreakIsCheckedAlone() {
        ModelConfig reach = Manifest.read(Tiny.DIR).model("reach-both").config();
        assertThat(reach.invariants()).containsExactly("ReachBoth");
        assertThat(reach.properties()).isEmpty();
        assertThat(Manifest.read(Tiny.DIR).model("falls").config().properties()).containsExactly("NeverFalls");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x model build Counter - - VIOLATED - - - p      | expected is VIOLATED; PASSED, or VIOLATED and a property
            x model soon Counter - - PASSED - - - p         | set is soon; one of build, nightly, user
            x model user Counter - - PASSED - - - p         | the set user is for models outside of the manifest; build or nightly
            x mutant build Counter - - PASSED - - - p       | a mutant that expects PASSED; VIOLATED and the property
            x mutant build Counter - - VIOLATED_A - - - p   | no property A in Counter.tla; a definition of it
            x mutant build Counter - - VIOLATED_ReachBoth - - - p | a mutant without a control; as base a row that expects PASSED at the same bounds
            x model build Nowhere - - PASSED - - - p        | base Nowhere is neither a row nor a module; a name, or models/NAME.tla with its .cfg
            x model build Counter Max - PASSED - - - p      | Max is no override; NAME=VALUE or NAME<-OPERATOR, parted by ;
            x model build Counter - - PASSED many - - p     | distinct and depth are numbers: For input string: "many"; a number, or -
            x model build Counter - - PASSED - - today p    | ran is today; DATE/HASH as spec check --record writes it, or -
            """)
    void badRowsAreToldWithTheirLine(String row, String message) throws IOException {
        for (String file : new String[] {"Counter.tla", "Counter.cfg"}) {
            Files.copy(Tiny.DIR.resolve(file), dir.resolve(file));
        }
        Path file = Files.writeString(
                dir.resolve("manifest.tsv"),
                String.join("\t", Manifest.COLUMNS) + "\n"
                        + row.strip().replace(' ', '\t').replace('_', ' ') + "\n");
        assertThatThrownBy(() -> Manifest.read(dir)).hasMessage(file + ":2: " + message);
    }
}
