package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
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

    @ParameterizedTest
    @MethodSource("names")
    void helpFitsTheTerminal(String name) {
        List<String> words = List.of(name, "--help", "--no-color");
        String help = Cli.with(
                        new Installation(Cli.ROOT, Optional.empty(), Installation.NODE_MAIN),
                        words,
                        new Terminal(true, true, 60),
                        session -> Main.run(words, session))
                .out();
        int example = help.indexOf("\nExample:");
        assertThat(help.substring(0, example).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
        assertThat(help.substring(example).strip().lines())
                .as("a command to copy stays on one line")
                .hasSize(2);
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
