package io.tidemark.cli.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Short look-ups in other programs, and words for a shell. */
public final class Shell {
    private Shell() {}

    /** The text as one word to paste into a shell: quoted where it must be. */
    public static String word(Object text) {
        String word = text.toString();
        return word.matches("[A-Za-z0-9_./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** What the command printed on both streams, if it ended with 0 in time. */
    public static Optional<String> ask(Duration limit, List<String> command) throws InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
        } catch (IOException e) {
            return Optional.empty();
        }
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getInputStream().readNBytes(65_536), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                return "";
            }
        });
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
                return Optional.empty();
            }
            return Optional.of(output.join());
        } finally {
            process.destroyForcibly();
        }
    }
}
