package io.tidemark.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets processes that stand still go on when this JVM is gone, however it ended, so that they notice and end themselves.
 * A shell waits for the end of a pipe that only this JVM holds open, then sends SIGCONT, which does no harm to whoever
 * may have got one of the process ids since. Belongs to one thread.
 */
public final class Waker implements AutoCloseable {
    private static final String SCRIPT =
            "trap '' HUP INT TERM; while read -r pid; do all=\"$all $pid\"; done; [ -z \"$all\" ] || kill -CONT $all";

    private static final long END_SECONDS = 5;

    private @Nullable Process shell;

    /** From now on the process is looked after; call it before the process is stopped. */
    public void lookAfter(long pid) {
        try {
            Process waiting = shell;
            if (waiting == null) {
                waiting = new ProcessBuilder(List.of("/bin/sh", "-c", SCRIPT))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                shell = waiting;
            }
            waiting.getOutputStream().write((pid + "\n").getBytes(StandardCharsets.US_ASCII));
            waiting.getOutputStream().flush();
        } catch (IOException e) {
            // Without a shell a drill that is killed may leave a stopped process: no reason not to drill.
            return;
        }
    }

    /** Ends the shell; what it looked after goes on. */
    @Override
    public void close() {
        Process waiting = shell;
        shell = null;
        if (waiting == null) {
            return;
        }
        try {
            waiting.getOutputStream().close();
            if (!waiting.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                waiting.destroyForcibly();
            }
        } catch (IOException e) {
            waiting.destroyForcibly();
        } catch (InterruptedException e) {
            waiting.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
