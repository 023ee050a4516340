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

/** A property that nothing happens of is no evidence: it is told, and where the command line is the reason it has no verdict. */
class SpecVacuousTest extends SpecHarness {
    @Test
    void aPropertyOfWhatNeverHappensIsVacuous() throws IOException {
        assertThat(check("rises").out()).contains("property NeverFalls: HOLDS (vacuous: Lower is never taken)");
        JsonNode property = Schemas.validated(
                        "spec-check", check("rises --format json").out())
                .path("models")
                .get(0)
                .path("properties")
                .get(0);
        assertThat(property.path("result").asText()).isEqualTo("HOLDS");
        assertThat(property.path("vacuous").asText()).isEqualTo("Lower is never taken");
    }

    /** It stands so in the manifest: it is told and counted, and no more. */
    @Test
    void aRowWhosePropertiesAreVacuousAsItStandsIsCounted() {
        Cli run = check("rises");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).containsPattern(" s  1 of 1 vacuous\n");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("HOLDS: 1 of 1 models are as expected; 1 of 1 properties vacuous: nothing happened that they"
                        + " speak of; nothing is claimed");
        assertThat(check("counter").out()).doesNotContain("vacuous");
    }

    @ParameterizedTest
    @CsvSource({
        "counter --set Max=0, every property is vacuous",
        "rises --property NeverFalls, every property is vacuous",
        "counter --set Max=0 --property WithinBound --property ReachBoth, with --set Max=0 nothing happens that these"
                + " properties speak of",
        "falls --set Max=0 --property NeverFalls --property ReachBoth, with --set Max=0 nothing happens that these"
                + " properties speak of"
    })
    void whatTheCommandLineEmptiesIsNoVerdict(String line, String why) throws IOException {
        Cli run = check(line);
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out()).startsWith("UNKNOWN    ");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains(why)
                .contains("UNKNOWN: 0 of 1 models are as expected; 1 of ")
                .contains(" vacuous: nothing happened that they speak of, and so 1 of 1 models without a verdict");
        JsonNode document =
                Schemas.validated("spec-check", check(line + " --format json").out());
        assertThat(document.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.path("exitCode").asInt()).isEqualTo(3);
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("VACUOUS");
        assertThat(document.path("models").get(0).path("asExpected").asBoolean())
                .isFalse();
        assertThat(document.path("summary").path("incomplete").asInt()).isEqualTo(1);
    }

    /** What says nothing as it stands cannot be emptied; of a large model that is known once it has been searched. */
    @Test
    void whatWasVacuousBeforeIsNotEmptied() {
        String line = "rises --set CONSTRAINT=Init --property NeverFalls --property ReachBoth";
        assertThat(check(line).exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(check("rises").exitCode()).isEqualTo(ExitCode.OK);
        Cli run = check(line);
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("1 of 2 properties vacuous");
    }

    @Test
    void aModuleOfTheUsersOwnThatSaysNothingIsNoVerdict() throws IOException {
        Path config = Files.writeString(
                home.resolve("empty.cfg"),
                "SPECIFICATION Spec\nCONSTANTS\n Max = 0\n Off = {}\nCHECK_DEADLOCK FALSE\nINVARIANT WithinBound\n");
        Cli run = check(home.resolve("spec/Counter.tla") + " --config " + config);
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out()).contains("every property is vacuous");
    }
}
