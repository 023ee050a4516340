package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.history.HistoryReader;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.edn.EdnException;
import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.page.HistoryPage;
import io.tidemark.history.page.PagedFile;
import io.tidemark.node.config.IoReason;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks histories. */
@picocli.CommandLine.Command(
        name = "check",
        description = {
            "Say whether what clients saw can be: of a log whether acknowledged records survived and readers agree, of registers,"
                    + " keys, locks and topics whether there is an order that explains it.",
            "Files are EDN (vectors, lists or lines of maps, as Jepsen's history.edn) or the lines that old versions of Jepsen"
                    + " logged."
        })
final class HistoryCheckCommand implements Command {
    private static final String WHERE = "history check";

    private static final long TOLD_EVERY = 200_000;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "The histories.")
    List<Path> files = List.of();

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "What they are of: log, register, cas-register (a failed cas observed another value),"
                    + " multi-register, mutex, kv, topic. Default: what the operations say.")
    @Nullable
    String model;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            split = ",",
            description =
                    "log (logs, in linear time), wgl (any, by search), knossos, knossos-linear, knossos-wgl (any, by Jepsen's"
                            + " Knossos: both searches, or one); several are held against each other. Default: log for"
                            + " logs, wgl for all else.")
    List<String> engines = List.of();

    @Option(
            names = "--knossos-classpath",
            paramLabel = "PATH",
            description = "The class path of Knossos and its libraries. Default: $KNOSSOS_CLASSPATH.")
    @Nullable
    String knossosClassPath;

    @Option(
            names = "--strong-reads",
            description = "Of a log: the ends that clients were told must bound what had been acknowledged before.")
    boolean strongReads;

    @Option(
            names = "--enable-idempotence",
            paramLabel = "true|false",
            arity = "1",
            description = "Of a log: the producers' enable.idempotence. Default: ${DEFAULT-VALUE}.")
    boolean idempotence = true;

    @Option(
            names = "--initial",
            paramLabel = "VALUE",
            description = "What registers hold at first, in EDN. Default: ${DEFAULT-VALUE}.")
    String initial = "nil";

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Time for each engine and file, as 30s. Default: ${DEFAULT-VALUE}.")
    String budget = "30s";

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut(WHERE, Set.of("html", "json", "junit", "md"));
        HistoryModel named = model == null ? null : HistoryOptions.model(WHERE, model);
        List<Engine> chosen = chosen(named);
        Object first = HistoryOptions.edn(WHERE + " --initial", initial);
        Duration time = HistoryOptions.duration(WHERE + " --budget", budget);
        List<CheckedFile> checked = new ArrayList<>();
        return Interruption.cooperate(
                () -> {
                    try (Progress progress = session.progress()) {
                        for (Path file : files) {
                            checked.add(check(file, watched(file, progress), named, chosen, first, time));
                            if (Thread.interrupted()) {
                                throw new InterruptedException(WHERE);
                            }
                        }
                    }
                    return publish(session, checked, null);
                },
                () -> publish(session, checked, Interruption.cause()));
    }

    private List<Engine> chosen(@Nullable HistoryModel named) {
        List<Engine> chosen = new ArrayList<>();
        for (String name : engines) {
            Engine engine = HistoryEngines.named(WHERE + " --engine", name, knossosClassPath);
            if (named != null && !engine.decides(named)) {
                throw HistoryOptions.usage(
                        WHERE + " --engine " + name,
                        "it does not decide histories of the model " + named.label(),
                        "another engine, or leave --engine out");
            }
            chosen.add(engine);
        }
        return chosen;
    }

    /** The file, with a word about a long one. */
    private static HistorySource watched(Path file, Progress progress) {
        return sink -> {
            long[] read = new long[1];
            HistorySource.of(file).forEach(op -> {
                if (++read[0] % TOLD_EVERY == 0) {
                    progress.update(file + ": " + read[0] + " lines read");
                }
                return sink.test(op);
            });
        };
    }

    private CheckedFile check(
            Path file,
            HistorySource source,
            @Nullable HistoryModel named,
            List<Engine> chosen,
            @Nullable Object first,
            Duration time) {
        // Half of the heap is for what is read.
        Budget limits = new Budget(time, Math.max(1L << 24, Runtime.getRuntime().maxMemory() / 2), Long.MAX_VALUE);
        try {
            readable(file);
            HistoryResult result = HistoryChecker.check(
                    source,
                    named,
                    (CheckOptions options) -> options.withInitial(first)
                            .withStrongReads(strongReads)
                            .withIdempotent(idempotence)
                            .withBudget(limits)
                            .withCancelled(Thread.currentThread()::isInterrupted),
                    chosen);
            return new CheckedFile(file, result, null);
        } catch (EdnException e) {
            return new CheckedFile(file, null, malformed(file + ":" + e.line() + ":" + e.column(), e.problem()));
        } catch (IllegalArgumentException e) {
            return new CheckedFile(file, null, malformed(file.toString(), String.valueOf(e.getMessage())));
        } catch (IOException e) {
            return new CheckedFile(
                    file,
                    null,
                    new CliException(
                            file.toString(),
                            "cannot be read: " + IoReason.of(e),
                            "a history in EDN, in UTF-8",
                            ExitCode.INPUT,
                            "UNREADABLE",
                            null));
        } catch (CliException e) {
            return new CheckedFile(file, null, e);
        }
    }

    /** A directory or a missing file is told as such, and not as the first error of a reader. */
    private static void readable(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new CliException(
                    file.toString(),
                    Files.isDirectory(file)
                            ? "is a directory"
                            : Files.exists(file) ? "cannot be read" : "there is no such file",
                    "a history in EDN, in UTF-8",
                    ExitCode.INPUT,
                    "UNREADABLE",
                    null);
        }
    }

    private static CliException malformed(String where, String problem) {
        int expected = problem.indexOf("; expected ");
        return new CliException(
                where,
                expected < 0 ? problem : problem.substring(0, expected),
                expected < 0 ? "expected operations, as " + HistoryReader.EXAMPLE : problem.substring(expected + 2),
                ExitCode.INPUT,
                "MALFORMED_HISTORY",
                null);
    }

    /** One file that cannot be checked is an error; among several it is told, and the others count. */
    private ExitCode publish(Session session, List<CheckedFile> checked, @Nullable ExitCode interrupted)
            throws InterruptedException {
        CliException only =
                files.size() == 1 && checked.size() == 1 ? checked.get(0).error() : null;
        if (only != null) {
            throw only;
        }
        for (CheckedFile file : checked) {
            CliException error = file.error();
            if (error != null) {
                session.err().println("tidemark: " + error.getMessage());
            }
        }
        HistoryReport report = new HistoryReport(checked, strongReads, files.size(), interrupted);
        Report document = report.document();
        Map<String, Consumer<PrintStream>> others = new LinkedHashMap<>();
        if (session.options().out.containsKey("html")) {
            String page = page(checked);
            others.put("html", out -> out.print(page));
        }
        others.put("junit", out -> out.print(HistoryJunit.of(checked, files.size())));
        others.put(
                "md",
                out -> out.println(HistoryMarkdown.of(checked, report.verdict().name())));
        return session.publish(document, out -> report.print(out, session.options().quiet), others);
    }

    /** The histories are read once more, for what is around what was found. */
    private static String page(List<CheckedFile> checked) {
        try {
            return HistoryPage.of(checked.stream()
                    .map(file -> new PagedFile(
                            file.file().toString(),
                            HistorySource.of(file.file()),
                            file.result(),
                            file.error() == null ? null : file.error().getMessage()))
                    .toList());
        } catch (IOException e) {
            throw new CliException(
                    WHERE + " --out html",
                    "a history cannot be read once more: " + IoReason.of(e),
                    "files that stay as they are while they are checked",
                    ExitCode.INPUT,
                    "UNREADABLE",
                    null);
        }
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT, ExitCode.ENVIRONMENT);
    }

    @Override
    public String example() {
        return "./tidemark history check history.edn --engine log,wgl --out html=history.html";
    }
}
