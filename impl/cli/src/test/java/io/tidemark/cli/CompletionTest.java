package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void theScriptParses(String shell) throws Exception {
        Path script = Files.writeString(
                dir.resolve(shell), Cli.run("completion", shell).out());
        // bash's grammar covers what both scripts use.
        assertThat(Shell.ask(Duration.ofSeconds(20), List.of("bash", "-n", script.toString())))
                .contains("");
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        Path script = Files.writeString(
                dir.resolve("bash"), Cli.run("completion", "bash").out());
        String complete = "exec 2>/dev/null; source '" + script
                + "'; COMP_WORDS=(tidemark clus); COMP_CWORD=1; _complete_tidemark;"
                + " echo \"${COMPREPLY[@]}\"; COMP_WORDS=(tidemark cluster --nod); COMP_CWORD=2; _complete_tidemark;"
                + " echo \"${COMPREPLY[@]}\"";
        assertThat(Shell.ask(Duration.ofSeconds(20), List.of("bash", "-c", complete))
                        .orElseThrow()
                        .lines())
                .containsExactly("cluster", "--nodes");
    }
}
