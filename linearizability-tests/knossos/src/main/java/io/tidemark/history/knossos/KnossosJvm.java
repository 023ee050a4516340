package io.tidemark.history.knossos;

import io.tidemark.history.engine.Budget;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of Knossos' own, limited in memory and time. A search of Knossos' does not end when it is asked to: its process is
 * killed.
 */
final class KnossosJvm {
    /** What {@code -XX:+ExitOnOutOfMemoryError} ends with. */
    private static final int OUT_OF_MEMORY = 3;

    private static final int POLL_MS = 20;
    private static final int LAST_WORDS = 4096;
    private static final long MIB = 1 << 20;
    /** Clojure and Knossos by themselves. */
    private static final long HEAP_AT_LEAST = 64 * MIB;

    /**
     * @param answers those that came before the end
     * @param cause why there may be more to say: the limit that ended it, or how it died; null where it ended by itself
     */
    record End(List<PartAnswer> answers, @Nullable String cause) {
        End {
            answers = List.copyOf(answers);
        }
    }

    private KnossosJvm() {}

    /**
     * Runs {@link KnossosMain} to its end, or to the end of the budget.
     *
     * @param classPath Knossos', in front of this JVM's own
     * @param moreOptions of the JVM
     * @param arguments of the main class
     * @param directory for its output
     * @param until the moment at which it is killed, by {@link System#nanoTime}
     */
    static End run(
            String classPath,
            List<String> moreOptions,
            List<String> arguments,
            Path directory,
            Budget budget,
            long until,
            BooleanSupplier cancelled)
            throws IOException {
        Path answers = directory.resolve("answers");
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command(classPath, moreOptions, arguments, budget))
                .redirectOutput(answers.toFile())
                .redirectError(log.toFile())
                .start();
        String killed;
        try {
            killed = await(process, budget, until, cancelled);
        } finally {
            // Its children too, had it any; and nothing of it runs on while its files are read.
            process.destroyForcibly().onExit().join();
            process.getOutputStream().close();
        }
        List<PartAnswer> told = new ArrayList<>();
        for (String line : wholeLines(answers)) {
            told.add(PartAnswer.parse(line));
        }
        return new End(told, killed != null ? killed : death(process.exitValue(), log, budget));
    }

    private static List<String> command(
            String classPath, List<String> moreOptions, List<String> arguments, Budget budget) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx" + Math.max(HEAP_AT_LEAST, budget.bytes()) / MIB + "m",
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-Djava.awt.headless=true",
                "-Dfile.encoding=UTF-8"));
        command.addAll(moreOptions);
        String own = System.getProperty("java.class.path");
        command.addAll(List.of(
                "-cp", classPath.isEmpty() ? own : classPath + File.pathSeparator + own, KnossosMain.class.getName()));
        command.addAll(arguments);
        return command;
    }

    private static @Nullable String await(Process process, Budget budget, long until, BooleanSupplier cancelled) {
        try {
            while (!process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                if (cancelled.getAsBoolean()) {
                    return "cancelled";
                }
                if (System.nanoTime() - until > 0) {
                    return "the time budget of " + budget.time().toMillis() + " ms did not suffice";
                }
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "cancelled";
        }
    }

    private static @Nullable String death(int status, Path log, Budget budget) throws IOException {
        return switch (status) {
            case 0 -> null;
            case OUT_OF_MEMORY -> outOfMemory(budget);
            default -> "the JVM of Knossos ended with status " + status + lastWords(log);
        };
    }

    static String outOfMemory(Budget budget) {
        return "the memory budget of " + Math.max(HEAP_AT_LEAST, budget.bytes()) + " bytes did not suffice";
    }

    /** A line that a kill cut short is none. */
    private static List<String> wholeLines(Path file) throws IOException {
        String text = Files.readString(file);
        int end = text.lastIndexOf('\n');
        return end < 0 ? List.of() : text.substring(0, end).lines().toList();
    }

    /** The last line that says something, for a message. */
    private static String lastWords(Path log) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - LAST_WORDS));
            byte[] bytes = new byte[LAST_WORDS];
            int read = Math.max(0, file.read(bytes));
            return new String(bytes, 0, read, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                    .reduce((first, second) -> second)
                    .map(line -> ": " + line.strip())
                    .orElse("");
        }
    }
}
