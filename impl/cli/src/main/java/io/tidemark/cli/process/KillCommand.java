package io.tidemark.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends signals by {@code kill}, for {@link Process} has no SIGSTOP; one door for all of them keeps their order. A signal to
 * our whole process group strikes a {@code kill} that is on its way, too: another one follows.
 */
final class KillCommand {
    private static final int ATTEMPTS = 10;
    private static final long PAUSE_MILLIS = 20;

    private final List<String> command;

    /** @param command takes the signal as {@code -NAME}, and the process id */
    KillCommand(List<String> command) {
        this.command = command;
    }

    /**
     * Sends the signal, unless the process is gone. An interrupt ends it, and stays set.
     *
     * @param name without SIG
     * @param alive whether the process is still there to be reached
     * @throws IllegalStateException if the command has failed ten times, and the process still lives
     * @throws UncheckedIOException if the command cannot be run
     */
    void send(String name, long pid, BooleanSupplier alive) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of("-" + name, Long.toString(pid)));
        try {
            for (int attempt = 1; alive.getAsBoolean(); attempt++) {
                try {
                    int status = run(line);
                    if (status == 0) {
                        return;
                    }
                    if (attempt == ATTEMPTS && alive.getAsBoolean()) {
                        throw new IllegalStateException(String.join(" ", line) + " ended with " + status);
                    }
                } catch (IOException e) {
                    // What the JVM starts a process with can be struck, too, before it has become the command.
                    if (attempt == ATTEMPTS) {
                        throw new UncheckedIOException("kill cannot be run", e);
                    }
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int run(List<String> line) throws IOException, InterruptedException {
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
