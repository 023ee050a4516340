package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A copy of the launcher whose path has spaces, with a Maven and a Java that are shell scripts and stand before the
 * machine's own.
 */
final class LauncherSandbox {
    private static final String MAVEN = """
            #!/bin/sh
            echo mvn >>"$CALLS"
            echo '[INFO] Building Tidemark cli 0.1.0-SNAPSHOT      [10/10]'
            [ -z "${FAKE_MAVEN_WAIT:-}" ] || while [ ! -e "$FAKE_MAVEN_WAIT" ]; do sleep 0.05; done
            [ -z "${FAKE_MAVEN_STATUS:-}" ] || { echo "${FAKE_MAVEN_ERROR:-[ERROR] cannot resolve x}"; exit "$FAKE_MAVEN_STATUS"; }
            for module in cli node; do
              mkdir -p "impl/$module/target/launcher"
              echo "$module" >"impl/$module/target/launcher/tidemark-$module-1.jar"
              printf '%s' "${FAKE_CLASS_PATH:-$PWD/impl/node/target/launcher/tidemark-node-1.jar}" >"impl/$module/target/launcher/classpath"
            done
            """;
    private static final String JAVA = """
            #!/bin/sh
            [ "$1" != -version ] || { echo "openjdk version \\"${FAKE_JAVA_VERSION:-17.0.1}\\" 2024" >&2; exit 0; }
            case " $* " in *ArchiveClassesAtExit*) exit 0 ;; esac
            echo java >>"$CALLS"
            for argument; do last=$argument; done
            [ "$last" != input ] || cat
            [ "$last" != columns ] || for argument; do case $argument in -Dtidemark.columns=*) echo "${argument#*=}" ;; esac; done
            if [ "$last" = wait ]; then
              trap 'echo HUP >>"$CALLS"; exit 230' HUP
              trap 'echo TERM >>"$CALLS"; exit 243' TERM
              echo waiting >>"$CALLS"
              while :; do sleep 0.05; done
            fi
            exit "${FAKE_JAVA_STATUS:-100}"
            """;
    private static final List<String> POSIX = List.of(
            "sh",
            "cat",
            "cp",
            "date",
            "dirname",
            "find",
            "ls",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "tr",
            "uname");
    private static final long LIMIT_SECONDS = 180;

    final Path dir;
    final Path checkout;
    final Path bin;
    final Map<String, String> environment = new TreeMap<>();
    private final Path calls;
    private int started;

    /** How a start ended. */
    record Run(int status, String out, String err) {}

    /** A start that may still run. */
    record Started(Process process, Path out, Path err) {
        String errors() {
            return read(err);
        }

        Run end() throws InterruptedException {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("ends in time")
                    .isTrue();
            return new Run(process.exitValue(), read(out), read(err));
        }
    }

    LauncherSandbox(Path dir) throws IOException {
        this.dir = dir;
        checkout = Files.createDirectories(dir.resolve("a check out"));
        bin = Files.createDirectories(dir.resolve("bin"));
        calls = dir.resolve("calls");
        Files.copy(Cli.ROOT.resolve("tidemark"), checkout.resolve("tidemark"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(source().getParent());
        Files.writeString(source(), "class Main {}");
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        // As in a checkout of yesterday.
        for (Path path = source(); !path.equals(checkout); path = path.getParent()) {
            modifiedSecondsFromNow(path, -86_400);
        }
        modifiedSecondsFromNow(checkout.resolve("pom.xml"), -86_400);
        script("mvn", MAVEN);
        script("java", JAVA);
        script("javac", "#!/bin/sh\n");
    }

    /** From now on the machine's own Java runs what this build has compiled. */
    void withTheRealCommand() throws IOException {
        // Modules without classes have no directory, and a launcher whose jars are gone builds again.
        environment.put(
                "FAKE_CLASS_PATH",
                Arrays.stream(System.getProperty("java.class.path").split(":"))
                        .filter(entry -> Files.exists(Path.of(entry)))
                        .collect(Collectors.joining(":")));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Files.createDirectories(checkout.resolve("docs"));
    }

    /** From now on PATH has what POSIX has, and of Java and Maven only what stands in {@link #bin}. */
    void withoutTheMachinesOwn() throws IOException {
        for (String tool : POSIX) {
            script(tool, "#!/bin/sh\nexec " + machines(tool) + " \"$@\"\n");
        }
        environment.put("PATH", bin.toString());
    }

    /** From now on the clock stands still, but that {@code sleep 1} moves it on by this. */
    void withSecondsOf(int seconds) throws IOException {
        Path clock = Files.writeString(dir.resolve("clock"), "1000000000\n");
        script("date", """
                #!/bin/sh
                [ "$1" != +%%s ] || exec cat '%s'
                exec %s "$@"
                """.formatted(clock, machines("date")));
        script("sleep", """
                #!/bin/sh
                if [ "$1" = 1 ]; then
                  echo $(($(cat '%1$s') + %2$s)) >'%1$s.new' && mv '%1$s.new' '%1$s'
                  set -- 0.05
                fi
                exec %3$s "$@"
                """.formatted(clock, seconds, machines("sleep")));
    }

    /** From now on whoever sleeps does so until the file is there. */
    void sleepsUntil(Path gate) throws IOException {
        script("sleep", """
                #!/bin/sh
                until [ -e '%s' ]; do %s 0.05; done
                """.formatted(gate, machines("sleep")));
    }

    private static String machines(String tool) {
        return (Files.exists(Path.of("/bin", tool)) ? "/bin/" : "/usr/bin/") + tool;
    }

    Path source() {
        return checkout.resolve("impl/cli/src/main/java/Main.java");
    }

    /** What Maven and Java were started for, in order. */
    List<String> called() {
        return Files.exists(calls) ? read(calls).lines().toList() : List.of();
    }

    Run run(String... arguments) throws Exception {
        return start(arguments).end();
    }

    Started start(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("tidemark").toString()));
        command.addAll(List.of(arguments));
        return start(command, dir, Path.of("/dev/null"));
    }

    Started start(List<String> command, Path in, Path input) throws IOException {
        started++;
        Path out = dir.resolve("out-" + started);
        Path err = dir.resolve("err-" + started);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectInput(input.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_HOME", "JAVA_TOOL_OPTIONS"));
        builder.environment().put("PATH", bin + ":/bin:/usr/bin");
        builder.environment().put("CALLS", calls.toString());
        builder.environment().putAll(environment);
        return new Started(builder.start(), out, err);
    }

    static void kill(String signal, Process process) throws IOException, InterruptedException {
        kill(signal, process.pid());
    }

    /** @param to a process; a whole process group where it is negative */
    static void kill(String signal, long to) throws IOException, InterruptedException {
        assertThat(signal(signal, to)).isZero();
    }

    /** Whether no process is left in the group. */
    static boolean noneIn(long group) {
        try {
            return signal("0", -group) != 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills what is left in the group. */
    static void endGroup(long group) throws IOException, InterruptedException {
        // It may have ended by itself meanwhile.
        int unused = signal("KILL", -group);
    }

    /** @return what {@code kill} ends with: 0 where there was somebody to signal */
    static int signal(String signal, long to) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + signal, "--", Long.toString(to))
                .start()
                .waitFor();
    }

    static void modifiedSecondsFromNow(Path path, long seconds) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(seconds)));
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void script(String name, String text) throws IOException {
        Files.setPosixFilePermissions(
                Files.writeString(bin.resolve(name), text), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether this JVM, and so each child, was started with SIGHUP ignored. */
    static boolean hangupIgnored() throws IOException {
        return ignored(1);
    }

    /** Whether this JVM, and so each child, was started with SIGINT ignored. */
    static boolean interruptIgnored() throws IOException {
        return ignored(2);
    }

    private static boolean ignored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) != 0);
    }
}
