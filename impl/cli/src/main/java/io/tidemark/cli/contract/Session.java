package io.tidemark.cli.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.node.config.IoReason;
import io.tidemark.node.config.Nearest;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the command: its streams and its one result. */
public final class Session {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Set<String> OUT_FORMATS = Set.of("json", "junit", "html", "sarif", "md", "edn");

    private final List<String> command;
    private final PrintStream out;
    private final PrintStream err;
    private final Installation installation;
    private final Terminal terminal;
    private final CommonOptions options = new CommonOptions();
    private final Instant startedAt = Instant.now();
    private @Nullable Instant publishedAt;

    public Session(
            List<String> command, PrintStream out, PrintStream err, Installation installation, Terminal terminal) {
        this.command = List.copyOf(command);
        this.out = out;
        this.err = err;
        this.installation = installation;
        this.terminal = terminal;
    }

    /** The result's stream. Commands that hand a foreign program's output through use it; all others publish. */
    public PrintStream out() {
        return out;
    }

    /** The command line as it was given. */
    public List<String> command() {
        return command;
    }

    public PrintStream err() {
        return err;
    }

    public Installation installation() {
        return installation;
    }

    public Terminal terminal() {
        return terminal;
    }

    public CommonOptions options() {
        return options;
    }

    public Instant startedAt() {
        return startedAt;
    }

    public boolean json() {
        return options.format == CommonOptions.Format.json;
    }

    /** From the command's start to its result, or until now where there is none yet, in milliseconds. */
    public long durationMs() {
        Instant end = publishedAt;
        return ChronoUnit.MILLIS.between(startedAt, end == null ? Instant.now() : end);
    }

    /** Whether standard output may have colours. */
    public boolean colour() {
        return terminal.out() && !options.noColor && System.getenv("NO_COLOR") == null;
    }

    /** A line about what goes on; silent with {@code --quiet}. */
    public void note(String line) {
        if (!options.quiet) {
            err.println(line);
        }
    }

    /** A line that must be seen. */
    public void warn(String line) {
        err.println("tidemark: warning: " + line);
    }

    /** Progress on standard error. */
    public Progress progress() {
        return new Progress(err, terminal.err() && !options.quiet, options.quiet, terminal.columns());
    }

    /**
     * Prints the result, once: the document with {@code --format json}, else the text; and writes the files of
     * {@code --out}.
     *
     * @param others the writers of the formats other than json that this command has
     */
    public ExitCode publish(Report report, Consumer<PrintStream> text, Map<String, Consumer<PrintStream>> others)
            throws InterruptedException {
        if (publishedAt != null) {
            throw new IllegalStateException("a command has one result");
        }
        Instant now = Instant.now();
        publishedAt = now;
        JsonNode document = json() || options.out.containsKey("json")
                ? report.toJson(ToolInfo.of(installation), command, startedAt, now)
                : JsonNodeFactory.instance.nullNode();
        if (json()) {
            print(document);
        } else {
            text.accept(out);
        }
        // What can be shown is shown before a file may fail, and one file's failure leaves the others alone.
        out.flush();
        Map<String, Consumer<PrintStream>> files = new LinkedHashMap<>(others);
        files.put("json", stream -> stream.println(render(document)));
        List<CliException> failed = new ArrayList<>();
        files.forEach((format, content) -> write(format, content).ifPresent(failed::add));
        if (!failed.isEmpty()) {
            failed.stream().skip(1).forEach(error -> err.println("tidemark: " + error.getMessage()));
            throw failed.get(0);
        }
        return report.exitCode();
    }

    /** A result that exists as text and as JSON only. */
    public ExitCode publish(Report report, Consumer<PrintStream> text) throws InterruptedException {
        return publish(report, text, Map.of());
    }

    /** Prints the error: a line on standard error, and the document where one was asked for and none was printed. */
    public ExitCode fail(CliException error) throws InterruptedException {
        err.println("tidemark: " + error.getMessage());
        if (options.debug) {
            error.printStackTrace(err);
        }
        if (json() && publishedAt == null) {
            print(Report.error(error, ToolInfo.of(installation)));
        }
        return error.exitCode();
    }

    /**
     * Refuses {@code --out} formats that the command does not write, and files that cannot be written: before the work,
     * not behind it.
     */
    public void checkOut(String where, Set<String> written) {
        for (String format : options.out.keySet()) {
            if (!written.contains(format)) {
                throw new CliException(
                        where + " --out " + format,
                        OUT_FORMATS.contains(format) ? "this command has no such output" : "no such format",
                        written.isEmpty()
                                ? "leave --out out"
                                : "one of "
                                        + String.join(
                                                ", ", written.stream().sorted().toList()),
                        ExitCode.USAGE,
                        "BAD_VALUE",
                        Nearest.to(format, written));
            }
        }
        options.out.values().forEach(Session::checkWritable);
    }

    private static void checkWritable(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        String wrong = null;
        if (Files.isDirectory(file)) {
            wrong = "is a directory";
        } else if (Files.exists(file)) {
            wrong = Files.isWritable(file) ? null : "cannot be written";
        } else if (parent == null || !Files.isDirectory(parent)) {
            wrong = "there is no directory " + parent;
        } else if (!Files.isWritable(parent)) {
            wrong = "the directory " + parent + " cannot be written to";
        }
        if (wrong != null) {
            throw notWritable(file, wrong);
        }
    }

    private static CliException notWritable(Path file, String why) {
        return new CliException(
                "--out " + file,
                why,
                "a file in a directory that exists and can be written to",
                ExitCode.ENVIRONMENT,
                "NOT_WRITABLE",
                null);
    }

    private Optional<CliException> write(String format, Consumer<PrintStream> content) {
        Path file = options.out.get(format);
        if (file == null) {
            return Optional.empty();
        }
        try (PrintStream stream = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            content.accept(stream);
            if (stream.checkError()) {
                throw new IOException("not written to its end");
            }
            return Optional.empty();
        } catch (UncheckedIOException e) {
            return Optional.of(
                    notWritable(file, "cannot be written: " + IoReason.of(Objects.requireNonNull(e.getCause()))));
        } catch (IOException e) {
            return Optional.of(notWritable(file, "cannot be written: " + IoReason.of(e)));
        }
    }

    private void print(JsonNode document) {
        if (publishedAt == null) {
            publishedAt = Instant.now();
        }
        out.println(render(document));
        out.flush();
    }

    private static String render(JsonNode document) {
        try {
            return JSON.writeValueAsString(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
