package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher by itself: what it builds, when, and what it makes of a JVM's end. */
class LauncherTest {
    private static final Path NO_INPUT = Path.of("/dev/null");

    @TempDir
    Path dir;

    private LauncherSandbox sandbox;

    @BeforeEach
    void copy() throws IOException {
        sandbox = new LauncherSandbox(dir);
    }

    @Test
    void buildsOnceThenStartsAtOnce() throws Exception {
        LauncherSandbox.Run first = sandbox.run("doctor");
        assertThat(first.status()).isZero();
        assertThat(first.err())
                .contains("tidemark: building: Maven starts; log: " + sandbox.checkout + "/.tidemark/build.log");
        assertThat(first.out()).isEmpty();
        assertThat(sandbox.run("doctor").err()).isEmpty();
        assertThat(sandbox.called()).containsExactly("mvn", "java", "java");
    }

    @Test
    void buildsAgainOnlyAfterAChange() throws Exception {
        sandbox.run();
        LauncherSandbox.modifiedSecondsFromNow(sandbox.source(), 1);
        sandbox.run();
        assertThat(sandbox.called()).containsExactly("mvn", "java", "mvn", "java");
        LauncherSandbox.modifiedSecondsFromNow(sandbox.source(), -1000);
        sandbox.run();
        Files.writeString(sandbox.checkout.resolve("README.md"), "not a source");
        sandbox.run();
        assertThat(sandbox.called().stream().filter("mvn"::equals)).hasSize(2);
    }

    @Test
    void buildsAgainWhenAJarIsGone() throws Exception {
        Path jar = Files.createFile(dir.resolve("library.jar"));
        sandbox.environment.put("FAKE_CLASS_PATH", jar.toString());
        sandbox.run();
        Files.delete(jar);
        sandbox.run();
        assertThat(sandbox.called().stream().filter("mvn"::equals)).hasSize(2);
    }

    @Test
    void keepsItsOwnCopyOfTheJars() throws Exception {
        sandbox.run();
        String build =
                Files.readString(sandbox.checkout.resolve(".tidemark/current")).strip();
        Path lib = sandbox.checkout.resolve(".tidemark/lib/" + build);
        assertThat(Files.readString(lib.resolve("cli.classpath")))
                .isEqualTo(lib + "/tidemark-cli-1.jar:" + lib + "/tidemark-node-1.jar");
        assertThat(lib.resolve("tidemark-node-1.jar")).exists();
    }

    @Test
    void runsThroughASymbolicLinkFromAnotherDirectory() throws Exception {
        Path links = Files.createDirectories(dir.resolve("links"));
        Files.createSymbolicLink(links.resolve("one"), Path.of("../a check out/tidemark"));
        Files.createSymbolicLink(links.resolve("tm"), Path.of("one"));
        assertThat(sandbox.start(List.of(links.resolve("tm").toString()), dir, NO_INPUT)
                        .end()
                        .status())
                .isZero();
        assertThat(sandbox.called()).containsExactly("mvn", "java");
        assertThat(sandbox.start(List.of("sh", "tidemark"), sandbox.checkout, NO_INPUT)
                        .end()
                        .status())
                .isZero();
        assertThat(sandbox.called()).containsExactly("mvn", "java", "java");
    }

    @Test
    void twoAtOnceBuildOnce() throws Exception {
        Path gate = dir.resolve("gate");
        sandbox.environment.put("FAKE_MAVEN_WAIT", gate.toString());
        LauncherSandbox.Started first = sandbox.start("one");
        LauncherSandbox.await(() -> sandbox.called().contains("mvn"));
        LauncherSandbox.Started second = sandbox.start("two");
        LauncherSandbox.await(() -> second.errors()
                .contains(
                        "waiting for another build (process " + first.process().pid() + ")"));
        Files.createFile(gate);
        assertThat(first.end().status()).isZero();
        assertThat(second.end().status()).isZero();
        assertThat(sandbox.called()).containsExactlyInAnyOrder("mvn", "java", "java");
        assertThat(sandbox.checkout.resolve(".tidemark/lock")).doesNotExist();
    }

    /** On a busy machine a sleep takes longer than was asked; here one of a second takes seven. */
    @Test
    void progressCountsSecondsByTheClock() throws Exception {
        Path gate = dir.resolve("gate");
        sandbox.environment.put("FAKE_MAVEN_WAIT", gate.toString());
        sandbox.withSecondsOf(7);
        LauncherSandbox.Started build = sandbox.start();
        LauncherSandbox.await(() -> build.errors().lines().count() >= 5);
        Files.createFile(gate);
        assertThat(build.end().status()).isZero();
        List<String> lines = build.errors().lines().skip(1).limit(4).toList();
        assertThat(lines).last().asString().startsWith("tidemark: building [10/10] cli, ");
        List<Integer> seconds = lines.stream()
                .map(line -> Integer.valueOf(line.replaceFirst(".*, (\\d+) s", "$1")))
                .toList();
        int first = seconds.get(0);
        assertThat(seconds)
                .as("a line as soon as 10 s more have passed")
                .containsExactly(first, first + 14, first + 28, first + 42);
    }

    /** Before it sleeps for the first time. */
    @Test
    void aStartThatWaitsSaysSoAtOnce() throws Exception {
        Path gate = dir.resolve("gate");
        sandbox.environment.put("FAKE_MAVEN_WAIT", gate.toString());
        LauncherSandbox.Started first = sandbox.start();
        LauncherSandbox.await(() -> sandbox.called().contains("mvn"));
        sandbox.sleepsUntil(gate);
        LauncherSandbox.Started second = sandbox.start();
        LauncherSandbox.await(() -> second.errors().contains("waiting for another build (process "));
        Files.createFile(gate);
        assertThat(first.end().status()).isZero();
        assertThat(second.end().status()).isZero();
    }

    @Test
    void aDeadBuildersLockIsTakenOver() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path lock = Files.createDirectories(sandbox.checkout.resolve(".tidemark/lock"));
        Files.writeString(lock.resolve("pid"), dead.pid() + "\n");
        assertThat(sandbox.run().status()).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void subtractsAHundredAndTrustsNothingElse() throws Exception {
        int[][] rows = {
            {100, 0},
            {101, 1},
            {102, 2},
            {103, 3},
            {104, 4},
            {105, 5},
            {170, 70},
            {230, 130},
            {243, 143},
            {1, 5},
            {127, 5},
            {0, 70},
            {2, 70},
            {3, 70},
            {134, 70},
            {137, 70},
            {199, 70}
        };
        for (int[] row : rows) {
            sandbox.environment.put("FAKE_JAVA_STATUS", "" + row[0]);
            assertThat(sandbox.run("drill").status()).as("for %d", row[0]).isEqualTo(row[1]);
        }
    }

    @Test
    void aJvmThatDiesLeavesADocumentToo() throws Exception {
        sandbox.environment.put("FAKE_JAVA_STATUS", "137");
        JsonNode error = Schemas.validated(
                "error", sandbox.run("doctor", "--format", "json").out());
        assertThat(error.path("exitCode").asInt()).isEqualTo(70);
        assertThat(sandbox.run("--format", "text", "kafka", "x", "--format", "json")
                        .out())
                .isEmpty();
    }

    @Test
    void aFailedBuildIsFiveAndIsTriedAgain() throws Exception {
        sandbox.environment.put("FAKE_MAVEN_STATUS", "1");
        LauncherSandbox.Run run = sandbox.run("--format=json", "doctor");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.err()).contains("/.tidemark/build.log: the build failed: cannot resolve x; ");
        JsonNode error = Schemas.validated("error", run.out());
        assertThat(error.path("error").path("code").asText()).isEqualTo("BUILD_FAILED");
        sandbox.environment.remove("FAKE_MAVEN_STATUS");
        assertThat(sandbox.run().status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Could not transfer artifact a:b:pom:1 from/to central (https://repo.maven.apache.org/maven2):"
                        + " repo.maven.apache.org: Temporary failure in name resolution",
                "Unknown host repo.maven.apache.org: Name or service not known",
                "Cannot access central (https://repo.maven.apache.org/maven2) in offline mode"
            })
    void aFirstBuildWithoutNetworkSaysSo(String reason) throws Exception {
        sandbox.environment.put("FAKE_MAVEN_STATUS", "1");
        sandbox.environment.put(
                "FAKE_MAVEN_ERROR",
                "[ERROR] Some problems were encountered while processing the POMs:\n[ERROR] Non-resolvable import POM: "
                        + reason);
        LauncherSandbox.Run run = sandbox.run("doctor");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.err())
                .endsWith("/.tidemark/build.log: Maven cannot reach its repository; the first build needs the network,"
                        + " later ones do not\n");
    }

    @Test
    void oneLineNamesAllThatIsMissing() throws Exception {
        sandbox.withoutTheMachinesOwn();
        Files.delete(sandbox.bin.resolve("mvn"));
        LauncherSandbox.Run withoutMaven = sandbox.run();
        assertThat(withoutMaven.status()).isEqualTo(5);
        assertThat(withoutMaven.err())
                .startsWith("tidemark: environment: missing: Maven ")
                .hasLineCount(1);
        Files.delete(sandbox.bin.resolve("java"));
        LauncherSandbox.Run withoutBoth = sandbox.run();
        assertThat(withoutBoth.status()).isEqualTo(5);
        assertThat(withoutBoth.err()).matches("tidemark: environment: missing: a JDK .* and Maven .*; install .*\n");
        assertThat(sandbox.called()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1.8.0_392,5", "11.0.2,5", "17,0", "21.0.1,0", "26-ea,0"})
    void theJdkIsAtLeastSeventeen(String version, int expected) throws Exception {
        sandbox.environment.put("FAKE_JAVA_VERSION", version);
        LauncherSandbox.Run run = sandbox.run();
        assertThat(run.status()).isEqualTo(expected);
        if (expected == 5) {
            assertThat(run.err())
                    .contains("missing: a JDK 17 or newer (java is version ")
                    .hasLineCount(1);
        }
    }

    @Test
    void aRuntimeWithoutCompilerIsNotEnough() throws Exception {
        sandbox.withoutTheMachinesOwn();
        Files.delete(sandbox.bin.resolve("javac"));
        assertThat(sandbox.run().err())
                .startsWith("tidemark: environment: missing: a JDK (java is a runtime without javac)");
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "HUP,130"})
    void handsSignalsOnAndWaits(String signal, int expected) throws Exception {
        List<String> command = new ArrayList<>();
        if (LauncherSandbox.hangupIgnored()) {
            // Under nohup; a shell cannot catch a signal that it inherits as ignored.
            command.addAll(List.of("env", "--default-signal=HUP"));
        }
        command.addAll(List.of(sandbox.checkout.resolve("tidemark").toString(), "wait"));
        LauncherSandbox.Started process = sandbox.start(command, dir, NO_INPUT);
        LauncherSandbox.await(() -> sandbox.called().contains("waiting"));
        LauncherSandbox.kill(signal, process.process());
        assertThat(process.end().status()).isEqualTo(expected);
        assertThat(sandbox.called()).endsWith(signal);
    }

    @Test
    void aSignalEndsTheBuild() throws Exception {
        sandbox.environment.put("FAKE_MAVEN_WAIT", dir.resolve("never").toString());
        LauncherSandbox.Started process = sandbox.start();
        LauncherSandbox.await(() -> sandbox.called().contains("mvn"));
        LauncherSandbox.kill("TERM", process.process());
        assertThat(process.end().status()).isEqualTo(143);
        assertThat(sandbox.checkout.resolve(".tidemark/lock")).doesNotExist();
        assertThat(sandbox.called()).containsExactly("mvn");
    }

    /** As a terminal does it: the whole foreground gets the signal. Only a command that ends by it ends the loop. */
    @ParameterizedTest
    @CsvSource({"build,mvn,false", "wait,waiting,false", "build,mvn,true", "wait,waiting,true"})
    void anInterruptEndsALoopInAShellToo(String stage, String begun, boolean nohup) throws Exception {
        if (stage.equals("build")) {
            sandbox.environment.put("FAKE_MAVEN_WAIT", dir.resolve("never").toString());
        }
        String loop = "for i in 1 2; do '" + sandbox.checkout + "/tidemark' " + stage + "; echo went on; done";
        List<String> command = new ArrayList<>(List.of("setsid", "bash", "-c", loop));
        if (LauncherSandbox.interruptIgnored()) {
            // As a build in the background is started: its children would not get the signal at all.
            command.addAll(0, List.of("env", "--default-signal=INT"));
        }
        if (nohup) {
            command.addAll(0, List.of("env", "--ignore-signal=HUP"));
        }
        LauncherSandbox.Started process = sandbox.start(command, dir, NO_INPUT);
        LauncherSandbox.await(() -> sandbox.called().contains(begun));
        long group = process.process().pid();
        LauncherSandbox.kill("INT", -group);
        assertThat(process.end())
                .extracting(LauncherSandbox.Run::status, LauncherSandbox.Run::out)
                .containsExactly(130, "");
        LauncherSandbox.await(() -> LauncherSandbox.noneIn(group));
        assertThat(sandbox.checkout.resolve(".tidemark/lock")).doesNotExist();
        assertThat(sandbox.called()).containsOnlyOnce("mvn");
    }

    @Test
    void standardInputReachesTheCommand() throws Exception {
        sandbox.run();
        Path input = Files.writeString(dir.resolve("in"), "three words here");
        List<String> command = List.of(sandbox.checkout.resolve("tidemark").toString(), "input");
        assertThat(sandbox.start(command, dir, input).end().out()).isEqualTo("three words here");
    }

    @Test
    void aTerminalHasTheColumnsThatAreAskedFor() throws Exception {
        sandbox.run();
        String line = "stty cols 70; '" + sandbox.checkout + "/tidemark' columns";
        List<String> command = List.of("script", "-qec", line, "/dev/null");
        sandbox.environment.put("SHELL", "/bin/sh");
        sandbox.environment.put("COLUMNS", "");
        assertThat(sandbox.start(command, dir, NO_INPUT).end().out().strip()).isEqualTo("70");
        sandbox.environment.put("COLUMNS", "60");
        assertThat(sandbox.start(command, dir, NO_INPUT).end().out().strip()).isEqualTo("60");
    }

    @Test
    void startsTheRealCommand() throws Exception {
        sandbox.withTheRealCommand();
        LauncherSandbox.Run version = sandbox.run("--version");
        assertThat(version.status()).isZero();
        assertThat(version.out()).startsWith("tidemark       ");
        LauncherSandbox.Run usage = sandbox.run("--format", "json", "no-such-command");
        assertThat(usage.status()).isEqualTo(2);
        Schemas.validated("error", usage.out());
        // A closed pipe ends quietly.
        List<String> head = List.of("sh", "-c", "'" + sandbox.checkout + "/tidemark' --help | sed 1q");
        LauncherSandbox.Run piped = sandbox.start(head, dir, NO_INPUT).end();
        assertThat(piped.err()).isEmpty();
        assertThat(piped.out()).startsWith("Usage: ").hasLineCount(1);
    }
}
