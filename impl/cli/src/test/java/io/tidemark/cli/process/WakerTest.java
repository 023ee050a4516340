package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WakerTest {
    @TempDir
    private Path dir;

    /** Stops the process whose id it is given, looks after it, and never ends. */
    public static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] arguments) throws Exception {
            new Waker().lookAfter(Long.parseLong(arguments[0]));
            new ProcessBuilder("kill", "-STOP", arguments[0]).start().waitFor();
            Files.createFile(Path.of(arguments[1]));
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void whatStandsStillGoesOnWhenTheJvmIsKilled() throws Exception {
        Process stopped = new ProcessBuilder("sleep", "600").start();
        Path done = dir.resolve("stopped");
        Process jvm = new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Sleeper.class.getName(),
                        Long.toString(stopped.pid()),
                        done.toString()))
                .inheritIO()
                .start();
        try {
            NodeProcessTest.await(() -> Files.exists(done) && state(stopped) == 'T');
            jvm.destroyForcibly();
            assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
            NodeProcessTest.await(() -> state(stopped) != 'T');
        } finally {
            jvm.destroyForcibly();
            stopped.destroyForcibly();
        }
    }

    @Test
    void itsOwnEndLeavesNothingBehind() {
        Waker waker = new Waker();
        waker.lookAfter(ProcessHandle.current().pid());
        waker.close();
        waker.close();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .noneMatch(child -> child.info().command().orElse("").endsWith("sh"));
    }

    private static char state(Process process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }
}
