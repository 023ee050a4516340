package io.tidemark.spec.tlc;

import io.tidemark.spec.SpecException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One TLC in a JVM of its own. It ends with this JVM, however that ends; its work directory ends with it. */
public final class TlcProcess {
    /**
     * How far a search is.
     *
     * @param depth states from the initial one
     * @param behaviours that were tried at random; 0 where TLC does not say
     */
    public record Progress(long generated, long distinct, long queue, int depth, long behaviours, Duration elapsed) {}

    /** Told about once a second, on a thread of the run. */
    public interface Listener {
        /** The process is there. */
        default void started(ProcessHandle process) {}

        default void progress(Progress progress) {}

        /** A module has printed a line. */
        default void printed(String line) {}

        /** Nothing to tell. */
        Listener NONE = new Listener() {};
    }

    private static final Duration GRACE = Duration.ofSeconds(3);
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-tlc"));
    }

    private TlcProcess() {}

    /**
     * Runs TLC to its end. An interrupt ends the process first.
     *
     * @param soleTemporal the only temporal property of the configuration, null if there is none or more
     */
    public static TlcResult run(TlcCommand command, @Nullable String soleTemporal, Listener listener)
            throws InterruptedException {
        long began = System.nanoTime();
        Process process = start(command);
        RUNNING.add(process);
        TlcOutput output = new TlcOutput(command.options().simulate(), listener::printed);
        try {
            listener.started(process.toHandle());
            Thread out = reader("tlc-out", process.inputReader(StandardCharsets.UTF_8), line -> {
                synchronized (output) {
                    output.line(line);
                }
            });
            Thread err = reader(
                    "tlc-err",
                    process.errorReader(StandardCharsets.UTF_8),
                    line -> tell(
                            line,
                            now -> {
                                synchronized (output) {
                                    output.seen(now);
                                }
                                listener.progress(now);
                            },
                            Duration.ofNanos(System.nanoTime() - began)));
            String ended = await(process, output, command.options().limit(), began);
            out.join();
            err.join();
            synchronized (output) {
                return output.result(
                        process.exitValue(),
                        ended,
                        soleTemporal,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            }
        } finally {
            process.destroyForcibly();
            process.waitFor();
            RUNNING.remove(process);
            delete(command.work());
        }
    }

    private static Process start(TlcCommand command) {
        command.makeDirectories();
        try {
            return new ProcessBuilder(command.line())
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
        } catch (IOException e) {
            delete(command.work());
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT,
                    command.work().toString(),
                    "TLC cannot be started: " + e.getMessage(),
                    "a Java runtime and a writable directory");
        }
    }

    /** Until the process is gone; why it was ended from here, null if it was not. */
    private static @Nullable String await(Process process, TlcOutput output, @Nullable Duration limit, long began)
            throws InterruptedException {
        long exhaustedAt = 0;
        while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            if (limit != null && now - began > limit.toNanos()) {
                process.destroyForcibly().waitFor();
                return "no end within " + limit.toSeconds() + " s";
            }
            boolean exhausted;
            synchronized (output) {
                exhausted = output.exhausted();
            }
            if (exhausted && exhaustedAt == 0) {
                exhaustedAt = now;
            } else if (exhausted && now - exhaustedAt > GRACE.toNanos()) {
                process.destroyForcibly().waitFor();
            }
        }
        return null;
    }

    private static Thread reader(String name, BufferedReader lines, Consumer<String> to) {
        Thread thread = new Thread(
                () -> {
                    try (lines) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            to.accept(line);
                        }
                    } catch (IOException e) {
                        // The process was ended while it was read; what it said so far counts.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void tell(String line, Consumer<Progress> to, Duration elapsed) {
        if (line.startsWith(TlcMain.PROGRESS)) {
            List<Long> figures = Stream.of(
                            line.substring(TlcMain.PROGRESS.length()).split(" ", -1))
                    .filter(word -> word.matches("\\d+"))
                    .map(Long::valueOf)
                    .toList();
            if (figures.size() >= 4) {
                to.accept(new Progress(
                        figures.get(0),
                        figures.get(1),
                        figures.get(2),
                        figures.get(3).intValue(),
                        figures.size() > 4 ? figures.get(4) : 0,
                        elapsed));
            }
        }
    }

    /** Takes a directory away, as far as that is possible. */
    public static void delete(Path dir) {
        try (Stream<Path> files = Files.walk(dir)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // It lies among what may be thrown away.
        }
    }
}
