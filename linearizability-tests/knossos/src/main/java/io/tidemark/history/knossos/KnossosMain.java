package io.tidemark.history.knossos;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.wgl.Problem;
import io.tidemark.history.wgl.Problems;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the JVM that Knossos runs in. Answers a line for each part on standard output, and halts: searches of
 * Knossos' that still run end with it. It halts as well once standard input ends, so that it does not outlive who asked.
 *
 * <p>Arguments: the history's file, the prefix of Knossos' namespaces, the algorithm, and those of {@link #arguments}.
 */
final class KnossosMain {
    private static final String BRIDGE = "io.tidemark.history.knossos.bridge";

    private final PrintStream answers;
    private final String prefix;
    private final String algorithm;

    private KnossosMain(PrintStream answers, String prefix, String algorithm) {
        this.answers = answers;
        this.prefix = prefix;
        this.algorithm = algorithm;
    }

    /** What of the options decides how a history is read. */
    static List<String> arguments(CheckOptions options, String initial) {
        return List.of(
                options.model().name(),
                initial,
                Boolean.toString(options.strongReads()),
                Boolean.toString(options.idempotent()),
                Boolean.toString(options.partitioned()));
    }

    private static CheckOptions options(List<String> arguments) throws IOException {
        return CheckOptions.of(HistoryModel.valueOf(arguments.get(0)))
                .withInitial(new EdnReader(new StringReader(arguments.get(1))).next())
                .withStrongReads(Boolean.parseBoolean(arguments.get(2)))
                .withIdempotent(Boolean.parseBoolean(arguments.get(3)))
                .withPartitioned(Boolean.parseBoolean(arguments.get(4)));
    }

    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        // What Clojure and Knossos print is no answer.
        System.setOut(System.err);
        haltWithTheAsker();
        List<String> words = List.of(args);
        Problems problems =
                Problems.of(HistorySource.of(Path.of(words.get(0))), options(words.subList(3, words.size())));
        new KnossosMain(answers, words.get(1), words.get(2).toLowerCase(Locale.ROOT)).answer(problems.parts());
        Runtime.getRuntime().halt(0);
    }

    private static void haltWithTheAsker() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is said there.
                        }
                    } catch (IOException e) {
                        // As good as its end.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "asker");
        watch.setDaemon(true);
        watch.start();
    }

    private void answer(List<Problem> parts) {
        IFn require = Clojure.var("clojure.core", "require");
        require.invoke(Clojure.read(BRIDGE));
        IFn analysis = Clojure.var(BRIDGE, "analysis");
        for (int part = 0; part < parts.size(); part++) {
            PartAnswer answer = answer(analysis, part, parts.get(part));
            tell(answer);
            if (answer.verdict().equals(PartAnswer.INVALID)) {
                return;
            }
        }
    }

    private void tell(PartAnswer answer) {
        byte[] line = (answer.line() + "\n").getBytes(StandardCharsets.UTF_8);
        answers.write(line, 0, line.length);
        answers.flush();
    }

    private PartAnswer answer(IFn analysis, int part, Problem problem) {
        if (problem.size() == 0) {
            return new PartAnswer(part, PartAnswer.VALID, null, null, List.of(), "", peakBytes());
        }
        Steps steps = new Steps(problem.model(), thrown -> {
            tell(new PartAnswer(part, PartAnswer.MODEL_THREW, thrown.toString(), null, List.of(), "", peakBytes()));
            Runtime.getRuntime().halt(0);
        });
        try {
            return answer(part, steps, analysis.invoke(prefix, algorithm, steps, Events.of(problem)));
        } catch (RuntimeException | StackOverflowError | ExceptionInInitializerError e) {
            e.printStackTrace();
            return new PartAnswer(part, PartAnswer.THREW, root(e), null, List.of(), "", peakBytes());
        }
    }

    /** The last cause: Clojure wraps what it throws while it compiles. */
    private static String root(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at.toString();
    }

    private static PartAnswer answer(int part, Steps steps, @Nullable Object summary) {
        if (!(summary instanceof Map<?, ?> map)) {
            throw new IllegalStateException("no summary: " + summary);
        }
        String verdict = String.valueOf(map.get("valid")).replace(":", "");
        List<Long> others = new ArrayList<>(longs(map.get("others")));
        if (map.get("previous") instanceof Number previous) {
            others.add(previous.longValue());
        }
        List<Integer> states =
                longs(map.get("states")).stream().sorted().map(Long::intValue).toList();
        return new PartAnswer(
                part,
                verdict,
                map.get("cause") == null ? null : Objects.toString(map.get("cause")),
                map.get("op") instanceof Number op ? op.longValue() : null,
                others,
                verdict.equals(PartAnswer.INVALID) ? steps.states(states) : "",
                peakBytes());
    }

    private static List<Long> longs(@Nullable Object list) {
        return list instanceof List<?> values
                ? values.stream()
                        .filter(Number.class::isInstance)
                        .map(value -> ((Number) value).longValue())
                        .toList()
                : List.of();
    }

    private static long peakBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(KnossosMain::peak)
                .sum();
    }

    private static long peak(MemoryPoolMXBean pool) {
        return pool.getPeakUsage() == null ? 0 : pool.getPeakUsage().getUsed();
    }
}
