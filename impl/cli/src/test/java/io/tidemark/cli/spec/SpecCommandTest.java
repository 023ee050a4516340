package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list, and what is refused before TLC is asked. */
class SpecCommandTest extends SpecHarness {
    @Test
    void theListTellsWhatWasExpectedAndWhatWasFound() throws IOException {
        assertThat(run("spec list").out().lines())
                .containsExactly(
                        "name        expected  recorded       set      distinct  purpose",
                        "-- model: the specification as it should be, within small bounds: everything holds",
                        "counter     PASSED    older modules  build          13  A number within its bound.",
                        "-- mutant: a guard or another part is taken away, and the property that it serves breaks",
                        "unbounded   VIOLATED  never          build           ?  The bound is taken away.",
                        "falls       VIOLATED  never          nightly         ?  The number falls.",
                        "-- reach: a situation that must be possible, written as the claim that it never comes, which breaks",
                        "reach-both  VIOLATED  never          build           ?  Both raise.",
                        "-- control: what a mutant is compared with: the same bounds, nothing taken away, and it holds",
                        "rises       PASSED    never          nightly         ?  Nothing may rise, so nothing falls.",
                        "5 rows: 0 recorded, 4 never run to the end, 1 of older modules");
        assertThat(run("spec list --wide").out().lines().toList().get(0))
                .isEqualTo(
                        "name        kind     set      expected              recorded       on          distinct  depth"
                                + "  purpose");
        JsonNode document =
                Schemas.validated("spec-list", run("--format json spec list").out());
        assertThat(document.path("models")).hasSize(5);
        assertThat(document.path("models").get(0).path("found").asText()).isEqualTo("older modules");
        assertThat(document.path("guards").get(0).path("name").asText()).isEqualTo("bound");
        assertThat(run("spec list --guards").out())
                .isEqualTo("guard  action  rule\nbound  Raise   The number stays within its bound.\n");
    }

    @Test
    void aFileThatIsNoModuleIsFour() throws IOException {
        Path file = Files.writeString(home.resolve("README.md"), "# Read me");
        Cli run = run("spec check " + file);
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).contains(file + ": is no TLA+ module (.tla); ");
        assertThat(run("spec check " + home.resolve("None.tla")).err()).contains("None.tla: no such file; ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spec                                | spec: no subcommand; spec list, spec check, spec explain or spec step
            spec chek                           | spec: unknown command 'chek'; did you mean check?
            spec check countr                   | spec check: unknown model 'countr'; did you mean counter?
            spec check --without bond           | spec check --without: unknown guard 'bond'; did you mean bound?
            spec check --without no-guard       | spec check --without: unknown guard 'no-guard'; see ./tidemark spec list --guards
            spec list --guards --actions        | spec list: two lists; one of --guards, --actions and --invariants
            spec explain OUN                    | spec explain: unknown name 'OUN'; did you mean one of WithinBound, bound, counter, unbounded?
            spec check counter --set Mix=1      | spec check --set: unknown constant 'Mix'; did you mean Max?
            spec check counter --set Max        | spec check: bad value in --set Max; CONST=VALUE or CONST<-OPERATOR
            spec check counter --property None  | spec check --property: no property None in Counter.tla; a definition of it
            spec check counter --heap big       | spec check: bad value in --heap big; a size such as 512m or 4g
            spec check counter --workers 0      | spec check: bad value in --workers 0; 1 to 256
            spec check counter --timeout 9      | spec check: --timeout 9; a time as 90s, 10m or 1h
            spec check counter --all            | spec check: two selections; MODEL..., --all, --nightly or --mutants
            spec explain Rise                   | spec explain: unknown name 'Rise'; did you mean Raise?
            """)
    void wrongUsageIsTwo(String line, String message) {
        Cli run = run(line);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).isEqualTo("tidemark: " + message + "\n");
    }

    @Test
    void aMissingJarIsFive() {
        assertThat(check("counter --tla2tools " + home.resolve("none.jar")).exitCode())
                .isEqualTo(ExitCode.ENVIRONMENT);
    }
}
