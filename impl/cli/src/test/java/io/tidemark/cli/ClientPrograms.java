package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Programs that are clients of a cluster, each run to its end.
 *
 * @param dir where their input and output is kept
 * @param bootstrap the cluster's brokers
 * @param limit how long one may run
 */
record ClientPrograms(Path dir, String bootstrap, Duration limit) {
    static void needKcat() {
        boolean there = Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kcat")));
        assumeTrue(there, "kcat: apt-get install kcat");
    }

    /** What kcat printed on standard output. */
    String kcat(String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("kcat", "-b", bootstrap));
        command.addAll(List.of(arguments));
        return run(input, command);
    }

    /** What {@code ./tidemark kafka TOOL ...} printed on standard output. */
    String kafka(String input, String tool, String... arguments) throws Exception {
        List<String> command = CommandProcess.line("kafka", tool, "--bootstrap-server", bootstrap);
        command.addAll(List.of(arguments));
        return run(input, command);
    }

    private String run(String input, List<String> command) throws Exception {
        Path in = Files.writeString(Files.createTempFile(dir, "in", ""), input);
        Path out = Files.createTempFile(dir, "out", "");
        Path err = Files.createTempFile(dir, "err", "");
        Process process = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("%s ends in time", command).isTrue();
        int status = process.exitValue();
        // Main ends with 100 + code, for the launcher.
        assertThat(status == 0 || status == 100)
                .as("%s: %d %s", command, status, Files.readString(err))
                .isTrue();
        return Files.readString(out);
    }
}
