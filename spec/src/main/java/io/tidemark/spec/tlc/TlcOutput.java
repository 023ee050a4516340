package io.tidemark.spec.tlc;

import io.tidemark.spec.tlc.TlcMessages.Message;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import io.tidemark.spec.tlc.TlcResult.PrintedState;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gathers TLC's messages and judges them. Numbers as in TLC's {@code EC}. Not thread-safe. */
final class TlcOutput {
    private static final Pattern STATS = Pattern.compile(
            "([\\d,]+) states generated.*?, ([\\d,]+) distinct states found.*?, ([\\d,]+) states left on queue");
    private static final Pattern DEPTH = Pattern.compile("search is (\\d+)");
    private static final Pattern SIMULATED = Pattern.compile("(?:number of states generated: |: )([\\d,]+)");
    private static final Pattern COUNT = Pattern.compile("<(\\w+)[^>]* of module (\\w+)[^>]*>: (\\d+):(\\d+)");
    private static final Pattern STATE = Pattern.compile("(\\d+): <?([^\\n>]*)>?\\n?(.*)", Pattern.DOTALL);
    private static final Pattern STEP = Pattern.compile("(\\w+)(?:\\([^)]*\\))? line .* of module (\\w+)");
    private static final Pattern PROPERTY = Pattern.compile("(?:Invariant|property|Property) (\\S+) is violated");

    private final TlcMessages messages = new TlcMessages(this::message, this::other);
    private final Consumer<String> printed;
    private final List<PrintedState> trace = new ArrayList<>();
    private final Map<String, ActionCount> actions = new LinkedHashMap<>();
    private final StringBuilder parser = new StringBuilder();
    private @Nullable Verdict found;
    private @Nullable String violated;
    private String detail = "";
    private boolean exhausted;
    private boolean completed;
    private boolean finished;
    private boolean figures;
    private boolean parsing;
    private long generated;
    private final boolean simulates;
    private TlcProcess.@Nullable Progress seen;
    private long distinct;
    private long queue;
    private int depth;

    /**
     * Of one run.
     *
     * @param simulates it tries random behaviours, and never says that it is complete
     * @param printed takes what a module prints, line by line
     */
    TlcOutput(boolean simulates, Consumer<String> printed) {
        this.simulates = simulates;
        this.printed = printed;
    }

    void line(String line) {
        messages.line(line);
    }

    /** How far the search was at some moment; it counts where TLC ends without a word about it. */
    void seen(TlcProcess.Progress now) {
        seen = now;
    }

    /** Memory or stack has run out: the JVM may live on, but nothing good comes of it. */
    boolean exhausted() {
        return exhausted;
    }

    private void other(String line) {
        // The JVM's own last words: it ends at once.
        if (line.startsWith("Terminating due to java.lang.OutOfMemoryError")) {
            exhaust(line);
        }
        if (parsing && parser.length() < 10_000) {
            parser.append(line).append('\n');
        } else if (!parsing) {
            printed.accept(line);
        }
    }

    private void message(Message message) {
        String text = message.text();
        switch (message.code()) {
            case 2185, 2186, 2193, 2219, 2220 -> milestone(message.code());
            case 2194 -> depth = (int) first(DEPTH, text);
            case 2199, 2200 -> stats(message.code(), text);
            case 2209, 2210 -> {
                figures |= message.code() == 2210;
                generated = Math.max(generated, first(SIMULATED, text));
            }
            case 2217, 2218, 2122 -> state(message);
            case 2772 -> count(text);
            case 2107, 2110, 2108, 2112 -> error(Verdict.VIOLATED, name(text), text);
            case 2116 -> error(Verdict.VIOLATED, null, text);
            case 2114 -> error(Verdict.DEADLOCK, null, text);
            case 2104 -> error(Verdict.ASSUMPTION_FAILED, null, text);
            case 3002, 2171 -> error(Verdict.PARSE_ERROR, null, parseError());
            case 1001, 1002, 1003, 1005 -> exhaust(text);
            case 1000 -> {
                if (text.contains("OutOfMemoryError") || text.contains("StackOverflowError")) {
                    exhaust(text);
                } else {
                    error(Verdict.EVALUATION_ERROR, null, text);
                }
            }
            case 2121, 2264, 2103, 2120 -> {
                // They come with an error that was told before.
            }
            default -> other(message);
        }
    }

    private void other(Message message) {
        int code = message.code();
        boolean configuration = (code >= 5001 && code <= 5006)
                || (code >= 2222 && code <= 2245)
                || code == 2146
                || (code >= 2279 && code <= 2284 && message.severity() == 1);
        boolean machine =
                (code >= 2123 && code <= 2138 && code != 2132 && code != 2133) || (code >= 2160 && code <= 2175);
        if (configuration) {
            error(Verdict.PARSE_ERROR, null, message.text());
        } else if (message.severity() == 1 || message.severity() == 2) {
            error(machine ? Verdict.INCOMPLETE : Verdict.EVALUATION_ERROR, null, message.text());
        }
    }

    private void milestone(int code) {
        switch (code) {
            case 2220 -> parsing = true;
            case 2219 -> parsing = false;
            case 2193 -> completed = true;
            case 2186 -> finished = true;
            default -> {
                // TLC has begun.
            }
        }
    }

    private void exhaust(String text) {
        exhausted = true;
        error(Verdict.INCOMPLETE, null, text);
    }

    /** The first error stands; a lack of memory overrules it. */
    private void error(Verdict verdict, @Nullable String property, String text) {
        if (found == null || (verdict == Verdict.INCOMPLETE && found != Verdict.INCOMPLETE)) {
            found = verdict;
            violated = property;
            detail = text.strip();
        }
    }

    private String parseError() {
        return parser.toString()
                .lines()
                .filter(line -> !line.startsWith("Parsing file") && !line.startsWith("Semantic processing"))
                .filter(line -> !line.isBlank())
                .limit(4)
                .reduce((a, b) -> a + " " + b)
                .orElse("the module does not parse");
    }

    private void stats(int code, String text) {
        Matcher match = STATS.matcher(text);
        if (match.find()) {
            generated = number(match.group(1));
            distinct = number(match.group(2));
            queue = number(match.group(3));
            figures |= code == 2199;
        }
    }

    private void state(Message message) {
        Matcher match = STATE.matcher(message.text().strip());
        if (match.matches()) {
            String action = match.group(2).replaceFirst("^(\\w+)(\\([^)]*\\))? line .*", "$1$2");
            Matcher step = STEP.matcher(match.group(2).strip());
            if (step.matches()) {
                count(new ActionCount(step.group(1), step.group(2), 1, 0));
            }
            trace.add(new PrintedState(Integer.parseInt(match.group(1)), action.strip(), match.group(3)));
        }
    }

    private void count(String text) {
        Matcher match = COUNT.matcher(text);
        if (match.find()) {
            count(new ActionCount(
                    match.group(1), match.group(2), Long.parseLong(match.group(4)), Long.parseLong(match.group(3))));
        }
    }

    private void count(ActionCount count) {
        actions.merge(
                count.name(),
                count,
                (a, b) -> new ActionCount(a.name(), a.module(), a.taken() + b.taken(), a.distinct() + b.distinct()));
    }

    /**
     * The judgement, when the process is gone.
     *
     * @param ended why the process was ended from outside, null if it ended by itself
     * @param soleTemporal the temporal property, where only one is checked: TLC does not name it
     */
    TlcResult result(int exitCode, @Nullable String ended, @Nullable String soleTemporal, long durationMs) {
        Verdict verdict = found;
        String why = detail;
        if (simulates && verdict == null && (ended != null || (finished && exitCode == 0))) {
            verdict = Verdict.INCOMPLETE;
            why = simulated(ended);
        } else if (verdict != Verdict.INCOMPLETE && (ended != null || !finished)) {
            verdict = Verdict.INCOMPLETE;
            String word = detail.isEmpty() ? " and without a word" : ": " + detail.replaceAll("\\s+", " ");
            why = ended != null ? ended : "TLC ended with status " + exitCode + word;
        } else if (verdict == null && completed && figures && queue == 0 && exitCode == 0) {
            verdict = Verdict.PASSED;
        } else if (verdict == null) {
            verdict = Verdict.INCOMPLETE;
            why = "TLC ended with status " + exitCode + " and " + queue + " states left"
                    + (completed ? "" : ", without its completion message");
        }
        if (verdict == Verdict.INCOMPLETE) {
            takeSeen();
        }
        boolean temporal = verdict == Verdict.VIOLATED && violated == null;
        return new TlcResult(
                verdict,
                verdict == Verdict.VIOLATED ? (temporal ? soleTemporal : violated) : null,
                why,
                generated == 0 && seen != null ? seen.generated() : generated,
                distinct,
                queue,
                depth,
                List.copyOf(actions.values()),
                List.copyOf(trace),
                exitCode,
                durationMs);
    }

    /** TLC tells its figures once a minute and at the end: what the search is known to have come to since counts. */
    private void takeSeen() {
        if (seen != null && seen.generated() >= generated) {
            generated = seen.generated();
            distinct = seen.distinct();
            queue = seen.queue();
            depth = Math.max(depth, seen.depth());
        }
    }

    /** What random behaviours have shown that broke nothing. */
    private String simulated(@Nullable String ended) {
        long states = seen == null ? generated : Math.max(generated, seen.generated());
        long behaviours = seen == null ? 0 : seen.behaviours();
        if (states == 0) {
            return "simulation: no behaviour was tried" + (ended == null ? "" : ", " + ended);
        }
        String tried = behaviours == 0 ? "random behaviours" : String.format(Locale.ROOT, "%,d behaviours", behaviours);
        return String.format(
                Locale.ROOT, "simulation: nothing exhausted, %s (%,d states), no verdict beyond them", tried, states);
    }

    private static @Nullable String name(String text) {
        Matcher match = PROPERTY.matcher(text);
        return match.find() ? match.group(1) : null;
    }

    private static long first(Pattern pattern, String text) {
        Matcher match = pattern.matcher(text);
        return match.find() ? number(match.group(1)) : 0;
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }
}
