package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code spec check}: which models run, and what is said of what they found. */
class SpecCheckTest extends SpecHarness {
    @Test
    void theBuildSetFailsWhereAnActionIsNeverTaken() throws IOException {
        Cli run = check("--format json");
        JsonNode document = Schemas.validated("spec-check", run.out());
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(document.path("untakenActions")).hasSize(1);
        assertThat(document.path("untakenActions").get(0).asText()).isEqualTo("Counter.Never");
        assertThat(document.path("summary").path("total").asInt()).isEqualTo(3);
        assertThat(document.path("summary").path("asExpected").asInt()).isEqualTo(3);
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("ACTION_NEVER_TAKEN");
        JsonNode mutant = document.path("models").get(1);
        assertThat(mutant.path("violated").asText()).isEqualTo("WithinBound");
        assertThat(mutant.path("counterexample").path("steps").asInt()).isEqualTo(4);
        assertThat(home.resolve(".tidemark/spec")
                        .resolve(mutant.path("counterexample").path("file").asText()))
                .exists();
    }

    /** Its models need not take what those of the build take; what is as expected ends with 0. */
    @Test
    void theNightlySetNeedNotTakeEveryAction() {
        Cli run = check("--nightly");
        assertThat(run.out())
                .contains("note: the build's models must take every action: spec check, or --all for both\n")
                .endsWith("HOLDS: 2 of 2 models are as expected; nothing is claimed beyond the bounds\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(check("--all").exitCode())
                .as("Never is taken in neither set")
                .isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void oneModelOnlyReportsIt() {
        Cli run = check("counter");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("PASSED", "invariant WithinBound: HOLDS")
                .contains("  bounds: Max = 3\n", "  never taken:\n    Never\n")
                .doesNotContain("Counter.Never")
                .endsWith("HOLDS: 1 of 1 models are as expected; nothing is claimed beyond the bounds\n");
        assertThat(check("counter rises").out()).contains("taken in none of these models: Counter.Never");
        Cli again = check("counter");
        assertThat(again.out()).contains(" s  (remembered: found, and timed, at ");
        assertThat(again.out().replaceAll("\\s+", " "))
                .contains("as expected (1 remembered, 0 run now; --force runs them anew); nothing is claimed");
        assertThat(check("counter --force").out()).doesNotContain("remembered");
    }

    @Test
    void aLargeModelSaysThatItsActionsWereNotCounted() throws IOException {
        Path manifest = home.resolve("spec/manifest.tsv");
        Files.writeString(manifest, Files.readString(manifest).replace("\tPASSED\t-\t13\t", "\tPASSED\t-\t300001\t"));
        assertThat(check("counter").out())
                .contains("  actions were not counted, which takes a multiple of time and memory")
                .doesNotContain("never taken");
        assertThat(check("counter -- -coverage 10000").out())
                .contains("  never taken:\n    Never\n")
                .doesNotContain("not counted");
    }

    @Test
    void aGuardIsSwitchedOffAndItBreaks() throws IOException {
        Cli run = check("counter --without bound");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out())
                .contains("1. Raise(a): Someone raises the number, up to its bound.", "n: 0 -> 1")
                .contains("  bounds: Max = 3; reduced: without bound\n")
                .contains("  VIOLATED WithinBound, as guards.tsv says of bound\n")
                .endsWith("VIOLATED: 1 of 1 models broke without the guard, which is what it is for (exit status 1: a"
                        + " property\n    broke); nothing is claimed beyond the bounds\n");
        JsonNode document = Schemas.validated(
                "spec-check", check("counter --without bound --format json").out());
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("GUARD_OFF");
        assertThat(document.path("models").get(0).path("bounds").path("inWords").asText())
                .isEqualTo("Max = 3; reduced: without bound");
        Path saved;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve(".tidemark/spec/counterexamples"))) {
            saved = files.iterator().next();
        }
        InputStream in = System.in;
        System.setIn(new ByteArrayInputStream("n\np\n3\nx\n99\nq\nn\n".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run("spec step " + saved).out().lines().filter(line -> line.matches("(\\d\\.|\\().*")))
                    .containsExactly(
                            "0. Init",
                            "(step 0 of 4; n next, p previous, NUMBER, q quit)",
                            "1. Raise(a): Someone raises the number, up to its bound.",
                            "(step 1 of 4; n next, p previous, NUMBER, q quit)",
                            "0. Init",
                            "(step 0 of 4; n next, p previous, NUMBER, q quit)",
                            "3. Raise(a): Someone raises the number, up to its bound.",
                            "(step 3 of 4; n next, p previous, NUMBER, q quit)",
                            "(n next, p previous, NUMBER, q quit)",
                            "(this is the last step)");
        } finally {
            System.setIn(in);
        }
        assertThat(Schemas.validated(
                                "spec-step",
                                run("--format json spec step " + saved).out())
                        .path("steps"))
                .hasSize(5);
    }

    @Test
    void aGuardThatIsNotMissedIsSaidToBeSo() throws IOException {
        Cli run = check("counter --without bound --set CONSTRAINT=Init");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("note: counter: nothing broke without bound at these bounds; unbounded shows it missed"
                        + " (WithinBound breaks in Counter; spec check unbounded)")
                .contains("HOLDS: 1 of 1 models hold without the guard, and show nothing of it;");
        JsonNode document = Schemas.validated(
                "spec-check",
                check("counter --without bound --set CONSTRAINT=Init --format json")
                        .out());
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("GUARD_NOT_MISSED");
    }

    @Test
    void constantsAndPropertiesMayDiffer() {
        assertThat(check("counter --set Max=1 --property NeverFalls").exitCode())
                .isEqualTo(ExitCode.VIOLATED);
        Cli run = check("counter --set Max=1 --property WithinBound");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains(" 7 states");
    }

    @Test
    void aModuleOfTheUsersOwnIsChecked() {
        Path stops = home.resolve("spec/Stops.tla");
        Cli run = check(stops.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out()).contains("DEADLOCK deadlock", "Here nothing can happen any more.");
        assertThat(check(stops + " -- -deadlock").exitCode()).isEqualTo(ExitCode.OK);
        Cli vacuous = check(stops + " --without bound");
        assertThat(vacuous.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(vacuous.err()).contains("Stops never consults the guard bound");
        assertThat(check(home.resolve("spec/Ill").toString()).exitCode()).isEqualTo(ExitCode.INPUT);
    }

    @Test
    void timeThatRunsOutIsUnknown() {
        Cli run = check("--timeout 2s " + home.resolve("spec/Endless.tla"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out()).contains("UNKNOWN", "no end within 2 s").doesNotContain("--heap");
    }

    @Test
    void aSearchThatWasEndedHasTheFiguresThatWereKnownLast() throws IOException {
        JsonNode model = Schemas.validated(
                        "spec-check",
                        check("--timeout 3s --format json " + home.resolve("spec/Endless.tla"))
                                .out())
                .path("models")
                .get(0);
        assertThat(model.path("distinctStates").asLong()).isPositive();
        assertThat(model.path("depth").asLong()).isPositive();
    }

    @Test
    void whoseMemoryRanOutIsToldWhatToDo() {
        Cli run = run("spec check --heap 24m " + home.resolve("spec/Wide.tla"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains(
                        "more memory may be enough: --heap 4g, or what the machine has; counting actions takes most of it");
    }

    @Test
    void whatWasFoundIsWrittenIntoTheManifest() throws IOException {
        assertThat(check("falls --record").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(home.resolve("spec/manifest.tsv")))
                .containsPattern("falls\t.*\trises but Max\t\\d+\t-\t2\t\\d+\t\\d{4}-\\d\\d-\\d\\d/[0-9a-f]{16}\t");
    }

    @Test
    void aDryRunShowsTheCommandAndRunsNothing() throws IOException {
        Cli run = check("unbounded --dry-run -- -seed 7");
        assertThat(run.out()).contains("-Xmx128m", "-metadir", "-fp 0", "-seed 7 -config unbounded.generated.cfg ");
        assertThat(Files.readString(home.resolve(".tidemark/spec/config/unbounded.generated.cfg")))
                .contains("Off = {\"bound\"}", "INVARIANTS WithinBound");
        assertThat(home.resolve(".tidemark/spec/run")).isDirectoryNotContaining("glob:**/states");
        Schemas.validated(
                "spec-commands", check("unbounded --dry-run --format json").out());
    }

    @Test
    void whatADryRunShowsRunsAsItStands() throws Exception {
        Process shown = new ProcessBuilder(
                        "sh", "-c", check("counter --dry-run").out())
                .redirectErrorStream(true)
                .start();
        String said = new String(shown.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shown.waitFor()).as(said).isZero();
        assertThat(said).contains("Model checking completed. No error has been found");
    }

    @Test
    void whatTheUserHasSetStandsInTheBounds() throws IOException {
        assertThat(check("counter --set Max=0").out()).contains("  bounds: Max = 0; set by you: Max = 0\n");
        JsonNode bounds = Schemas.validated(
                        "spec-check", check("counter --set Max=0 --format json").out())
                .path("models")
                .get(0)
                .path("bounds");
        assertThat(bounds.path("changed").get(0).asText()).isEqualTo("Max = 0");
    }

    @Test
    void randomBehavioursAreCounted() {
        Cli run = check("counter --simulate -- num=5 -depth 5");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out().replaceAll("\\s+", " "))
                .containsPattern(
                        "found INCOMPLETE \\(simulation: nothing exhausted, 5 behaviours \\([1-9]\\d* states\\), no"
                                + " verdict beyond them\\)")
                .containsPattern(" [1-9]\\d* states depth")
                .doesNotContain("completion message", "TLC:")
                .contains("UNKNOWN: nothing broke in random behaviours, and without a full search there is no verdict");
    }
}
