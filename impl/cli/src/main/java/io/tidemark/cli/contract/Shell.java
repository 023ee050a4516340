package io.tidemark.cli.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Short look-ups in other programs. */
public final class Shell {
    private Shell() {}

    /** How a question to another program ended. */
    public enum End {
        /** With status 0, in time. */
        ANSWERED,
        /** With another status, in time. */
        REFUSED,
        /** Not in time: the program was there and was killed. */
        LATE,
        /** The program could not be started. */
        ABSENT
    }

    /**
     * What came of a question to another program.
     *
     * @param output what it printed on both streams; empty where it was late or absent
     */
    public record Answer(End end, String output) {}

    /** What the command printed on both streams, if it ended with 0 in time. */
    public static Optional<String> ask(Duration limit, List<String> command) throws InterruptedException {
        Answer answer = answer(limit, command);
        return answer.end() == End.ANSWERED ? Optional.of(answer.output()) : Optional.empty();
    }

    /** What the command printed on both streams, and how it ended; it is killed at the limit. */
    public static Answer answer(Duration limit, List<String> command) throws InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
        } catch (IOException e) {
            return new Answer(End.ABSENT, "");
        }
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getInputStream().readNBytes(65_536), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                return "";
            }
        });
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Answer(End.LATE, "");
            }
            return new Answer(process.exitValue() == 0 ? End.ANSWERED : End.REFUSED, output.join());
        } finally {
            process.destroyForcibly();
        }
    }
}
