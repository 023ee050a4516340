package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HelpTest {
    static Stream<String> names() {
        return Stream.of("drill", "cluster", "server", "format", "kafka", "spec", "doctor", "completion");
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
