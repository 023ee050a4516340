package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code spec explain}: what a name says, who checks it, and what has run. */
class SpecExplainTest extends SpecHarness {
    @Test
    void anExplanationTellsWhatHasRun() {
        assertThat(run("spec explain WithinBound").out())
                .contains(
                        "WithinBound, property of Counter.tla, line 31\n  The number stays within its bound.\n",
                        "  model counter, should hold (its run is of older modules): A number within its bound.\n",
                        "  mutant unbounded, should break WithinBound (never run to its end): The bound is taken away.\n");
        assertThat(run("spec explain counter").out())
                .contains("  bounds: Max = 3\n", "  checks: WithinBound\n", "Nothing is claimed beyond these bounds.");
    }

    @Test
    void anActionsGuardsHaveTheirMutantsBesideThem() throws IOException {
        assertThat(run("spec explain Raise").out())
                .contains("  guard bound: The number stays within its bound. Off in unbounded (breaks WithinBound).\n");
        Path manifest = home.resolve("spec/manifest.tsv");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("(?m)^unbounded\t.*\n", ""));
        assertThat(run("spec explain Raise").out())
                .contains("  guard bound: The number stays within its bound. (no mutant)\n");
    }

    /** Who checks an invariant of running code is told beside what it says, or why nobody does. */
    @Test
    void whoChecksAnInvariantInTheCodeIsTold() throws IOException {
        Path table = home.resolve("spec/invariants.tsv");
        assertThat(run("spec explain WithinBound").out())
                .contains("bound.\n  no class of the code checks it by this name\n  mutant unbounded");
        Files.writeString(
                table,
                Files.readString(table)
                        .replace("WithinBound\t-\t-", "WithinBound\tcore.One, simulation.Two\tat every step")
                        .replace("NeverFalls\t-\t-", "NeverFalls\t-\tthe types of Java"));
        assertThat(run("spec explain WithinBound").out())
                .contains("\n  in the code: core.One, simulation.Two: at every step\n");
        assertThat(run("spec explain NeverFalls").out())
                .contains("\n  no class of the code checks it by this name: the types of Java\n");
        JsonNode found = Schemas.validated(
                        "spec-explain",
                        run("--format json spec explain WithinBound").out())
                .path("definitions")
                .get(0);
        assertThat(found.path("checkedBy")).hasSize(2);
        assertThat(found.path("checkedByReason").asText()).isEqualTo("at every step");
    }

    /** Two modules that define one name: each with the models that check it as it is there. */
    @Test
    void aNameOfTwoModulesIsExplainedInBoth() throws IOException {
        Path spec = home.resolve("spec");
        Files.writeString(spec.resolve("Clock.tla"), """
                ---- MODULE Clock ----
                EXTENDS Integers
                VARIABLE hour
                Init == hour = 0
                Next == hour' = (hour + 1) % 24
                Spec == Init /\\ [][Next]_hour

                \\* The hour is one of the day's.
                WithinBound == hour < 24
                ====
                """);
        Files.writeString(spec.resolve("Clock.cfg"), "SPECIFICATION Spec\nINVARIANT WithinBound\n");
        Files.writeString(
                spec.resolve("manifest.tsv"),
                "clock\tClock\tmodel\tnightly\t-\t-\tPASSED\t-\t?\t?\t-\t?\t?\tA day.\n",
                StandardOpenOption.APPEND);

        String counter = "WithinBound, property of Counter.tla, line 31\n  The number stays within its bound.\n";
        String clock = """
                WithinBound, property of Clock.tla, line 9
                  The hour is one of the day's.
                  model clock, should hold (never run to its end): A day.
                """;
        assertThat(run("spec explain WithinBound").out())
                .startsWith(counter)
                .contains("  model counter, should hold")
                .endsWith(clock);
        assertThat(run("spec explain Clock!WithinBound").out()).isEqualTo(clock);
        assertThat(run("spec explain Counter!WithinBound").out())
                .startsWith(counter)
                .doesNotContain("clock");
        assertThat(run("spec explain Clock!Raise").exitCode()).isEqualTo(ExitCode.USAGE);
        JsonNode document = Schemas.validated(
                "spec-explain", run("--format json spec explain WithinBound").out());
        assertThat(document.path("definitions")).hasSize(2);
        assertThat(document.path("elsewhere").get(0).asText()).isEqualTo("Clock.tla, line 9");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Raise       | Someone raises the number, up to its bound.
            bound       | mutant unbounded, should break WithinBound (never run to its end): The bound is taken away.
            WithinBound | The number stays within its bound.
            falls       | mutant falls, should break NeverFalls (never run to its end): The number falls.
            """)
    void namesAreExplained(String name, String text) throws IOException {
        assertThat(run("spec explain " + name).out()).contains(text);
        Schemas.validated(
                "spec-explain", run("--format json spec explain " + name).out());
    }
}
