package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.process.DirectoryLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the exit code table that this command alone can reach; the launcher's are in LauncherTest. */
class ExitCodesTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--help",
                "--version",
                "doctor --help",
                "help",
                "help kafka",
                "completion bash",
                "--format json"
            })
    void doneIsZero(String line) {
        Cli run = Cli.run(words(line));
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).isNotBlank();
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', textBlock = """
            doctro @ command line: unknown command 'doctro'; did you mean doctor?
            audit --help @ command line: unknown command 'audit'; see ./tidemark --help
            help audit @ command line: unknown command 'audit'; see ./tidemark --help
            help dril @ command line: unknown command 'dril'; did you mean drill?
            doctor now --help @ doctor: unexpected argument 'now'; see ./tidemark doctor --help
            --version now @ command line: unknown command 'now'; see ./tidemark --help
            zzzzzz @ command line: unknown command 'zzzzzz'; see ./tidemark --help
            --fromat json @ command line: unknown option '--fromat'; did you mean --format?
            doctor --qiet @ doctor: unknown option '--qiet'; did you mean --quiet?
            doctor now @ doctor: unexpected argument 'now'; see ./tidemark doctor --help
            doctor --format jsno @ doctor --format: bad value 'jsno'; one of text, json
            doctor --out html=x.html @ doctor --out html: this command has no such output; one of json
            doctor --out hmtl=x.html @ doctor --out hmtl: no such format; one of json
            doctor --format @ doctor: no value for --format; expected text|json
            doctor --quiet=maybe @ doctor --quiet: bad value 'maybe'; it takes none
            server @ server: missing --config; see ./tidemark server --help
            format @ format: missing --config, --cluster-id; see ./tidemark format --help
            format random-uuid --config x @ format random-uuid: --config means nothing here; no option: it prints a new id and formats nothing
            format random-uid @ format random-uuid: bad value 'random-uid'; one of random-uuid
            completion fish @ completion bash|zsh: bad value 'fish'; one of bash, zsh
            kafka @ kafka: missing TOOL; see ./tidemark kafka --help
            kafka topcis @ kafka: unknown tool 'topcis'; did you mean topics?
            kafka kafka-consle-consumer.sh @ kafka: unknown tool 'kafka-consle-consumer.sh'; did you mean console-consumer?
            cluster --nodes two @ cluster --nodes: bad value 'two'; expected N
            cluster --nodes 0 @ cluster: the cluster would have no node, or too many; 1 to 99 nodes
            cluster --brokers 3 @ cluster: --controllers and --brokers belong together; both, for separate roles
            cluster --property node.id=7 @ cluster: --property node.id is set for each node by this command; another key, or ./tidemark server with a file of your own
            """)
    void wrongUsageIsTwo(String line, String message) {
        Cli run = Cli.run(words(line));
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("tidemark: " + message + "\n");
    }

    @Test
    void anUnreadableConfigurationIsFour() {
        Path config = dir.resolve("server.properties");
        Cli run = Cli.run("server", "--config", config.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).isEqualTo("tidemark: " + config + ": no such file; a node's server.properties\n");
    }

    @Test
    void aFileThatIsNoConfigurationIsFourAndNoProcessIsStarted() throws IOException {
        Path text = Files.writeString(dir.resolve("notes.md"), "# Notes\n\nnode.id=1\nand *more* of them\n");
        Cli run = Cli.run("server", "--config", text.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err())
                .isEqualTo("tidemark: " + text
                        + ":4: begins with 'and' and sets no key; a server.properties of lines KEY=VALUE\n");
        assertThat(dir).isDirectoryNotContaining("glob:**pid*");
    }

    @Test
    void aDirectoryOfSomethingElseIsFourAndStaysAsItWas() throws IOException {
        Files.createFile(dir.resolve("report.txt"));
        Files.createDirectories(dir.resolve("node-1"));
        Cli run = Cli.run("cluster", "--dir", dir.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err())
                .isEqualTo("tidemark: " + dir
                        + ": is not a cluster's directory: it holds report.txt and no cluster.properties;"
                        + " a new or empty one for --dir\n");
        try (Stream<Path> entries = Files.list(dir)) {
            assertThat(entries)
                    .extracting(Path::getFileName)
                    .map(Path::toString)
                    .containsOnly("report.txt", "node-1");
        }
    }

    @Test
    void aNodesDataWithoutTheClustersIdsAreNotOverwritten() throws IOException {
        Files.createDirectories(dir.resolve("node-1").resolve("data"));
        Cli run = Cli.run("cluster", "--dir", dir.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).contains("it holds node-1 and no cluster.properties");
    }

    @Test
    void aPropertyThatNodesRefuseIsFourBeforeOneIsStarted() {
        Cli run = Cli.run("cluster", "--dir", dir.toString(), "--property", "num.partition=3");
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err())
                .matches("tidemark: .*/node-1/server\\.properties:\\d+: num\\.partition is not a key; did you mean"
                        + " num\\.partitions\\?\n");
        assertThat(dir.resolve("node-1").resolve("pid")).doesNotExist();
    }

    @Test
    void aTakenPortIsFive() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int base = socket.getLocalPort() - 1;
            Cli run = Cli.run("cluster", "--nodes", "1", "--port", "" + base, "--dir", dir.toString());
            assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
            assertThat(run.err()).startsWith("tidemark: port " + (base + 1) + ": taken by another program; ");
        }
    }

    @Test
    void aDirectoryInUseIsFive() {
        try (DirectoryLock lock = DirectoryLock.take(dir)) {
            Cli run = Cli.run("cluster", "--dir", lock.dir().toString());
            assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
            assertThat(run.err()).contains(dir + ": another tidemark uses this directory; ");
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsFive() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        Cli run = Cli.run("cluster", "--dir", file.resolve("below").toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(run.err())
                .endsWith("below: cannot be written: not a directory; a directory that this user may write\n");
    }

    @Test
    void aDefectIsSeventyAndItsStackTraceIsKept() throws IOException {
        Cli run = Cli.with(
                new Installation(dir, Optional.empty(), Installation.NODE_MAIN),
                List.of(),
                session -> Main.guarded(
                        () -> {
                            throw new IllegalStateException("two leaders");
                        },
                        session));
        assertThat(run.exitCode()).isEqualTo(ExitCode.DEFECT);
        assertThat(run.err())
                .startsWith(
                        "tidemark: internal error: java.lang.IllegalStateException: two leaders; please report it with ")
                .hasLineCount(1);
        Path trace = Path.of(run.err().strip().replaceFirst(".* with ", ""));
        assertThat(Files.readString(trace)).contains("IllegalStateException: two leaders", "\tat io.tidemark.cli.");
    }

    @Test
    void statusesOfTheProcessAreAHundredHigher() {
        assertThat(ExitCode.values()).extracting(ExitCode::code).containsExactly(0, 1, 2, 3, 4, 5, 70, 130, 143);
        assertThat(ExitCode.VIOLATED.processStatus()).isEqualTo(101);
        assertThat(ExitCode.TERMINATED.processStatus()).isEqualTo(243);
    }

    @ParameterizedTest
    @CsvSource({"0,OK", "1,DEFECT", "2,USAGE", "3,DEFECT", "4,INPUT", "5,ENVIRONMENT", "70,DEFECT", "137,DEFECT"})
    void aNodesStatusNeverReadsAsAVerdict(int status, ExitCode expected) {
        assertThat(ExitCode.ofNode(status)).isEqualTo(expected);
    }

    private static String[] words(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ");
    }
}
