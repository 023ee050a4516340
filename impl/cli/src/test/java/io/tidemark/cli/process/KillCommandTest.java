package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sent is written down by a script in the place of {@code kill}. */
class KillCommandTest {
    private static final String TELL = "echo \"$@\" >> \"$0.sent\"\n";
    private static final String STRUCK = "kill -TERM $$\n";

    @TempDir
    Path dir;

    private KillCommand command(String script) throws IOException {
        Files.writeString(dir.resolve("kill"), script);
        return new KillCommand(List.of("/bin/sh", dir.resolve("kill").toString()));
    }

    private List<String> sent() throws IOException {
        Path sent = dir.resolve("kill.sent");
        return Files.exists(sent) ? Files.readAllLines(sent) : List.of();
    }

    @Test
    void sendsOnce() throws IOException {
        command(TELL).send("STOP", 7, () -> true);
        assertThat(sent()).containsExactly("-STOP 7");
    }

    @Test
    void whereTheFirstIsStruckTheSecondArrives() throws IOException {
        command("[ -e \"$0.struck\" ] || { : > \"$0.struck\"; " + STRUCK + "}\n" + TELL)
                .send("TERM", 7, () -> true);
        assertThat(dir.resolve("kill.struck")).exists();
        assertThat(sent()).containsExactly("-TERM 7");
    }

    @Test
    void whatNeverArrivesIsAnErrorThatNamesTheStatus() throws IOException {
        KillCommand command = command(TELL + STRUCK);
        assertThatThrownBy(() -> command.send("CONT", 7, () -> true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("kill -CONT 7 ended with 143");
        assertThat(sent()).hasSize(10).containsOnly("-CONT 7");
    }

    @Test
    void aProcessThatIsGoneIsSentNothingMore() throws IOException {
        command(TELL).send("KILL", 7, () -> false);
        assertThat(sent()).isEmpty();
        Path told = dir.resolve("kill.sent");
        command(TELL + "exit 1").send("KILL", 7, () -> Files.notExists(told));
        assertThat(sent()).as("gone after the first").hasSize(1);
    }

    @Test
    void aCommandThatCannotBeStartedIsTold() {
        KillCommand missing = new KillCommand(List.of(dir.resolve("missing").toString()));
        assertThatThrownBy(() -> missing.send("TERM", 7, () -> true))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("kill cannot be run");
    }

    /** So it ends where what the JVM starts a process with was struck. */
    @Test
    void whereTheFirstCouldNotBeStartedTheSecondArrives() throws IOException {
        command("#!/bin/sh\n" + TELL);
        Path kill = dir.resolve("kill");
        int[] asked = {0};
        new KillCommand(List.of(kill.toString()))
                .send("STOP", 7, () -> ++asked[0] == 1 || kill.toFile().setExecutable(true));
        assertThat(asked[0]).as("the first attempt found nothing to run").isGreaterThan(1);
        assertThat(sent()).containsExactly("-STOP 7");
    }
}
