package io.tidemark.history.knossos;

import io.tidemark.history.HistoryWriter;
import io.tidemark.history.edn.EdnWriter;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.log.PartitionKey;
import io.tidemark.history.wgl.Problem;
import io.tidemark.history.wgl.Problems;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Asks Knossos whether a history is linearizable, with models of ours. It runs in a JVM of its own, whose heap the budget
 * limits, and which is killed once the budget's time is over; what that JVM takes to start counts.
 */
public final class KnossosEngine implements Engine {
    /** The prefix of Knossos' namespaces. */
    private static final String KNOSSOS = "knossos";

    private final Algorithm algorithm;
    private final String classPath;
    private final String prefix;
    private final List<String> jvmOptions;

    public KnossosEngine(Algorithm algorithm, KnossosClassPath classPath) {
        this(algorithm, classPath.entries(), KNOSSOS, List.of());
    }

    /** @param prefix of the namespaces of what stands in for Knossos */
    KnossosEngine(Algorithm algorithm, String classPath, String prefix, List<String> jvmOptions) {
        this.algorithm = algorithm;
        this.classPath = classPath;
        this.prefix = prefix;
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    @Override
    public String name() {
        return algorithm.engine();
    }

    @Override
    public boolean decides(HistoryModel model) {
        return true;
    }

    @Override
    public EngineResult check(HistorySource history, CheckOptions options) throws IOException {
        long start = System.nanoTime();
        Path directory = Files.createTempDirectory("tidemark-knossos-");
        try {
            Path copy = directory.resolve("history.edn");
            Problems problems = Problems.of(copied(history, copy), options);
            List<String> arguments = new ArrayList<>(List.of(copy.toString(), prefix, algorithm.space()));
            arguments.addAll(KnossosMain.arguments(options, EdnWriter.toString(options.initial())));
            KnossosJvm.End end = KnossosJvm.run(
                    classPath,
                    jvmOptions,
                    arguments,
                    directory,
                    options.budget(),
                    start + options.budget().time().toNanos(),
                    options.cancelled());
            return result(problems, end, options, start);
        } finally {
            delete(directory);
        }
    }

    /** The history as the other JVM will read it. */
    private static HistorySource copied(HistorySource history, Path copy) {
        return sink -> {
            try (BufferedWriter writer = Files.newBufferedWriter(copy)) {
                StringBuilder line = new StringBuilder();
                history.forEach(op -> {
                    line.setLength(0);
                    HistoryWriter.write(op, line);
                    try {
                        writer.append(line);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return sink.test(op);
                });
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        };
    }

    private EngineResult result(Problems problems, KnossosJvm.End end, CheckOptions options, long start) {
        PartAnswer invalid = first(end, PartAnswer.INVALID);
        String cause = invalid == null ? open(problems, end, options) : Problems.doubt(options);
        List<Finding> findings =
                invalid == null || cause != null ? List.of() : List.of(finding(problems, invalid, options.model()));
        Outcome decided = findings.isEmpty() ? Outcome.VALID : Outcome.INVALID;
        return new EngineResult(
                name(),
                cause == null ? decided : Outcome.UNKNOWN,
                cause,
                (System.nanoTime() - start) / 1_000_000,
                end.answers().stream().mapToLong(PartAnswer::peakBytes).max().orElse(0),
                findings,
                problems.notes(name(), options));
    }

    private static @Nullable PartAnswer first(KnossosJvm.End end, String verdict) {
        return end.answers().stream()
                .filter(answer -> answer.verdict().equals(verdict))
                .findFirst()
                .orElse(null);
    }

    /** What keeps a history without an invalid part from being valid; null where every part is. */
    private static @Nullable String open(Problems problems, KnossosJvm.End end, CheckOptions options) {
        for (PartAnswer answer : end.answers()) {
            String cause = String.valueOf(answer.cause());
            switch (answer.verdict()) {
                case PartAnswer.VALID -> {
                    // As it should be.
                }
                case PartAnswer.UNKNOWN -> {
                    return cause.equals("out-of-memory")
                            ? KnossosJvm.outOfMemory(options.budget())
                            : "Knossos gave up: " + cause;
                }
                case PartAnswer.MODEL_THREW -> {
                    return "the model threw " + cause;
                }
                default -> {
                    return "Knossos threw " + cause;
                }
            }
        }
        if (end.cause() != null) {
            return end.cause();
        }
        int answered = end.answers().size();
        return answered == problems.parts().size()
                ? null
                : "Knossos answered for " + answered + " of " + problems.parts().size() + " parts";
    }

    private static Finding finding(Problems problems, PartAnswer answer, HistoryModel model) {
        Problem problem = problems.parts().get((int) answer.part());
        TreeSet<Long> operations = new TreeSet<>();
        answer.others().forEach(index -> involve(problem, index, operations));
        Long op = answer.op();
        String explanation = "no order of the operations explains the history";
        if (op != null) {
            involve(problem, op, operations);
            int i = Events.operationOf(op);
            explanation = "process " + problem.process(i) + " "
                    + problem.model().operation(problem.operation(i)) + " (operations " + problem.invokeIndex(i)
                    + " and "
                    + problem.endIndex(i)
                    + "), but no order of what came before explains it; where Knossos' orders end, "
                    + answer.states();
        }
        String part = problem.part();
        PartitionKey key = part == null || model != HistoryModel.LOG ? null : PartitionKey.of(part);
        return new Finding(
                "not-linearizable",
                key != null ? key.topic() : model == HistoryModel.TOPIC ? part : null,
                key == null ? null : key.partition(),
                null,
                1,
                false,
                true,
                List.copyOf(operations),
                false,
                explanation);
    }

    private static void involve(Problem problem, long event, Set<Long> operations) {
        int i = Events.operationOf(event);
        operations.add(problem.invokeIndex(i));
        if (problem.endIndex(i) >= 0) {
            operations.add(problem.endIndex(i));
        }
    }

    private static void delete(Path directory) throws IOException {
        for (String name : List.of("history.edn", "answers", "log")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }
}
