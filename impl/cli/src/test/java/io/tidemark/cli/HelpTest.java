package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.contract.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class HelpTest {
    private static final Installation INSTALLATION =
            new Installation(Cli.ROOT, Optional.empty(), Installation.NODE_MAIN);

    static Stream<String> names() {
        return Stream.of(
                "drill",
                "cluster",
                "server",
                "format",
                "kafka",
                "spec",
                "simulate",
                "trace",
                "history",
                "doctor",
                "completion",
                "help");
    }

    @Test
    void listsEachCommandOnce() {
        assertThat(Commands.all()).hasSize((int) names().count());
        assertThat(Cli.run("--help").out())
                .contains(names().map(name -> "\n  " + name + " ").toList());
    }

    @ParameterizedTest
    @MethodSource("names")
    void showsAnExampleAndTheExitCodes(String name) {
        String help = Cli.run(name, "--help").out();
        assertThat(help)
                .contains(
                        "\nExample:\n  ", "\nExit codes:\n  0 ", "\n  2 ", "\n  5 ", "\n  70 ", "\n  130 ", "\n  143 ");
        assertThat(help.substring(help.indexOf("\nExample:"))).contains("./tidemark " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "kafka"})
    void optionsThatACommandRefusesAreNotShown(String name) {
        assertThat(Cli.run(name, "--help").out())
                .doesNotContain("--format=", "--out=")
                .contains("--quiet");
        assertThat(Cli.run("cluster", "--help").out()).contains("--format=", "--out=");
    }

    @Test
    void theListOfCommandsHasEveryExitCode() {
        String help = Cli.run("--help").out();
        for (ExitCode code : ExitCode.values()) {
            assertThat(help).contains("\n  " + code.code() + " ");
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void helpIsACommandToo(String name) {
        assertThat(Cli.run("help", name).out())
                .isEqualTo(Cli.run(name, "--help").out());
    }

    @Test
    void helpAloneIsTheListOfCommands() {
        assertThat(Cli.run("help").out()).isEqualTo(Cli.run("--help").out());
    }

    /** Each command and subcommand, as it is typed after {@code tidemark}. */
    static Stream<String> commands() {
        return below(top());
    }

    private static Stream<String> below(CommandLine line) {
        return Stream.concat(
                Stream.of(line.getCommandSpec().qualifiedName().replaceFirst("tidemark ?", "")),
                line.getSubcommands().values().stream().flatMap(HelpTest::below));
    }

    /** What is broken inside a word, as a key at its dot, is no longer the same word. */
    @ParameterizedTest
    @MethodSource("commands")
    void linesAreBrokenBetweenWordsAlone(String command) {
        List<String> words = List.of(help(command, 1_000).split("\\s+"));
        for (int width : List.of(60, 80)) {
            assertThat(help(command, width).split("\\s+"))
                    .as("%d columns", width)
                    .containsExactlyElementsOf(words);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpFitsTheTerminal(String command) {
        for (int width : List.of(60, 80)) {
            String help = help(command, width);
            int example = help.indexOf("\nExample:");
            assertThat(help.substring(0, example).lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
            assertThat(help.substring(example).strip().lines())
                    .as("a command to copy stays on one line")
                    .hasSize(2);
        }
    }

    @Test
    void whatGoesOnHangsUnderWhatItGoesOnWith() {
        assertThat(help("server", 60)).startsWith("""
                        Usage: tidemark server [-h] [--debug] [--no-color] [--quiet]
                                               --config=FILE [--trace=FILE]
                        Run one node in the foreground, with Kafka's own keys in
                        FILE.
                        """).contains("""
                              --debug         Stack traces and details on standard
                                              error.
                        """).contains("""
                          2     usage: unknown command or option, bad or
                                contradictory value
                        """);
    }

    @Test
    void coloursTakeNoRoom() {
        CommandLine check = top().getSubcommands().get("spec").getSubcommands().get("check");
        String coloured = HelpText.of(check, Ansi.ON, 60);
        assertThat(coloured).contains("\u001B");
        assertThat(Wrap.plain(coloured)).doesNotContain("\u001B").isEqualTo(HelpText.of(check, Ansi.OFF, 60));
    }

    private static String help(String command, int width) {
        List<String> words = Stream.concat(Stream.of(command.split(" ")), Stream.of("--help", "--no-color"))
                .filter(word -> !word.isEmpty())
                .toList();
        return Cli.with(INSTALLATION, words, new Terminal(true, true, width), session -> Main.run(words, session))
                .out();
    }

    private static CommandLine top() {
        List<CommandLine> made = new ArrayList<>();
        Cli.with(INSTALLATION, List.of(), session -> {
            made.add(Commands.create(session));
            return ExitCode.OK;
        });
        return made.get(0);
    }

    @Test
    void startsWithThreeCommands() {
        assertThat(Cli.run().out().lines().filter(line -> line.startsWith("  ./tidemark ")))
                .hasSize(3);
    }

    @Test
    void theVersionNamesAllParts() {
        assertThat(Cli.run("--version").out().lines().map(line -> line.replaceFirst(" {2,}.*", "")))
                .containsExactly("tidemark", "commit", "spec", "TLC", "kafka-clients", "Java");
        assertThat(Cli.run("--version").out()).contains("Java           " + System.getProperty("java.version"));
    }

    @Test
    void coloursAreForTerminals() {
        assertThat(Cli.run("--help").out()).doesNotContain("\u001B");
    }

    @Test
    void aToolsArgumentsAreTheTools() {
        // --help after the tool's name is not ours: with a name that does not exist nothing is fetched or started.
        assertThat(Cli.run("kafka", "no-such-tool-at-all", "--help").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void commandsShareNoState() {
        assertThat(Commands.all()).doesNotContainAnyElementsOf(Commands.all()).allMatch(Command.class::isInstance);
    }
}
