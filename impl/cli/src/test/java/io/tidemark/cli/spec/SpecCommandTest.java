package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.contract.Wrap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands over the small specification of the module {@code spec}'s tests, with the real TLC. */
class SpecCommandTest {
    @TempDir
    Path home;

    @BeforeEach
    void copySpecification() throws IOException {
        Path spec = Files.createDirectory(home.resolve("spec"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Cli.ROOT.resolve("spec/src/test/resources/tiny"))) {
            for (Path file : files) {
                Files.copy(file, spec.resolve(file.getFileName()));
            }
        }
    }

    private Cli run(String line) {
        return Cli.run(new Installation(home, Optional.empty(), Installation.NODE_MAIN), line.split(" "));
    }

    private Cli check(String line) {
        return run("spec check --heap 128m " + line);
    }

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
        assertThat(run.out()).contains("UNKNOWN", "no end within 2 s");
    }

    @Test
    void whatWasFoundIsWrittenIntoTheManifest() throws IOException {
        assertThat(check("falls --record").exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(home.resolve("spec/manifest.tsv")))
                .containsPattern("falls\t.*\trises\t\\d+\t-\t2\t\\d+\t\\d{4}-\\d\\d-\\d\\d/[0-9a-f]{16}\t");
    }

    @Test
    void aDryRunShowsTheCommandAndRunsNothing() throws IOException {
        Cli run = check("unbounded --dry-run -- -seed 7");
        assertThat(run.out()).contains("-Xmx128m", "-metadir", "-fp 0", "-seed 7 -config unbounded.generated.cfg ");
        assertThat(Files.readString(home.resolve(".tidemark/spec/config/unbounded.generated.cfg")))
                .contains("Off = {\"bound\"}", "INVARIANTS WithinBound");
        assertThat(home.resolve(".tidemark/spec/run")).doesNotExist();
        Schemas.validated(
                "spec-commands", check("unbounded --dry-run --format json").out());
    }

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
    void aNarrowScreenGetsFewerColumns() {
        Table table = new Table("name", "found", ">size", "purpose");
        table.row("a-name-that-is-far-too-long-for-a-column", "never", 12, "What it is for, in one sentence.");
        assertThat(table.within(100)).isEqualTo("""
                        name                            found  size  purpose
                        a-name-that-is-far-too-long-for-a-column
                                                        never    12  What it is for, in one sentence.
                        """);
        assertThat(table.within(65).lines().toList().get(2))
                .isEqualTo("                                never    12  What it is for, i...");
        assertThat(table.within(50).lines().toList().get(2)).isEqualTo("                                never    12");
        assertThat(table.within(40).lines().toList().get(2)).isEqualTo("                                never");
    }

    @Test
    void aListIsFoldedAndLosesNothing() {
        Table table = new Table("guard", "action", "rule");
        table.row("vote-once", "HandleVote", "One vote in an epoch, which is on disk before the answer.");
        assertThat(table.folded(50)).isEqualTo("""
                        guard      action      rule
                        vote-once  HandleVote  One vote in an epoch, which
                                               is on disk before the
                                               answer.
                        """);
        assertThat(table.folded(40)).isEqualTo("""
                        guard  action  rule
                        vote-once  HandleVote  One vote in an
                            epoch, which is on disk before the
                            answer.
                        """);
        assertThat(table.folded(Wrap.NOWHERE)).isEqualTo(table.toString());
    }

    @Test
    void nothingIsCutButOnATerminal() {
        Table table = new Table("name", "purpose");
        String name = "a-name-that-is-far-too-long-for-a-column";
        String purpose = "What it is for, ".repeat(20) + "in one sentence.";
        table.row(name, purpose);
        assertThat(table.within(Wrap.cutting(new Terminal(false, false, 120))))
                .endsWith("\n" + name + "  " + purpose + "\n");
        assertThat(table.within(Wrap.cutting(new Terminal(true, false, 120))).lines())
                .allMatch(line -> line.length() <= 120)
                .anyMatch(line -> line.endsWith("..."));
    }

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
