package io.tidemark.conformance.trace;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.tlc.TlcCommand;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import io.tidemark.spec.tlc.TlcResult;
import io.tidemark.spec.trace.TlaValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lets TLC follow the steps of a trace, and of variants of it, in one run. */
final class TraceRun {
    /**
     * A trace that begins as the main one does.
     *
     * @param from how many steps of the main trace it begins with
     * @param steps its own
     * @param resume number of the step of the main trace, from 1, that follows them
     */
    record Variant(int from, List<SpecStep> steps, int resume) {
        Variant {
            steps = List.copyOf(steps);
        }
    }

    /**
     * How far each could be followed.
     *
     * @param followed steps taken of the main trace, then of each variant
     * @param expected of the step whose observation was not compared: each variable as the specification has it
     * @param observed where the end is not the start of the next segment, the variables that differ, as that has them; of
     *     the step whose observation was not compared, what its action was told otherwise. {@code expected} has them as the
     *     specification does
     * @param enabled actions that whoever acts there might have taken
     */
    record Followed(
            List<Integer> followed,
            Map<String, TlaValue> expected,
            Map<String, TlaValue> observed,
            List<String> enabled,
            TlcResult result) {
        Followed {
            observed = new LinkedHashMap<>(observed);
            followed = List.copyOf(followed);
            expected = new LinkedHashMap<>(expected);
            enabled = List.copyOf(enabled);
        }
    }

    private static final Pattern FOLLOWED = Pattern.compile("<<\\s*\"@followed\",\\s*(\\d+),\\s*(\\d+)\\s*>>");
    private static final Pattern TOLD = Pattern.compile("<<\"@(expected|observed|enabled)\", \"(\\w+)\"(?:, (.*))?>>");
    private static final AtomicInteger RUNS = new AtomicInteger();
    private final Path spec;
    private final Path work;
    private final TlcOptions options;

    /**
     * A place to run.
     *
     * @param spec the directory of the specification
     * @param work where directories of runs are made
     */
    TraceRun(Path spec, Path work, TlcOptions options) {
        this.spec = spec;
        this.work = work;
        this.options = options;
    }

    /**
     * Follows the trace.
     *
     * @param unseen the step of the main trace whose observation is not compared; 0 for none
     * @throws SpecException ENVIRONMENT: no directory; INPUT: TLC could not evaluate what the trace says
     */
    Followed follow(TraceSegment segment, List<Variant> variants, int unseen) throws InterruptedException {
        return follow(segment, variants, unseen, Map.of());
    }

    /** @param next the state that the next segment starts in; empty where none follows */
    Followed follow(TraceSegment segment, List<Variant> variants, int unseen, Map<String, Object> next)
            throws InterruptedException {
        Path run = work.resolve(ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet() + "-trace");
        Path modules = run.resolve("modules");
        try {
            Files.createDirectories(modules);
            Files.writeString(modules.resolve("TraceRun.tla"), module(segment, variants, unseen, next));
            Files.writeString(modules.resolve("TraceRun.cfg"), config(segment));
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT, modules.toString(), "cannot be written", "a writable directory");
        }
        int[] reached = new int[variants.size() + 1];
        Map<String, TlaValue> expected = new LinkedHashMap<>();
        Map<String, TlaValue> observed = new LinkedHashMap<>();
        List<String> enabled = new ArrayList<>();
        TlcCommand command = new TlcCommand(
                options.withCoverage(false).withBrief(true),
                modules.resolve("TraceRun.tla").toAbsolutePath(),
                modules.resolve("TraceRun.cfg").toAbsolutePath(),
                List.of(spec, spec.resolve("models")),
                run.resolve("tlc"));
        TlcResult result = TlcProcess.run(command, null, new TlcProcess.Listener() {
            @Override
            public void printed(String line) {
                Matcher step = FOLLOWED.matcher(line);
                Matcher told = TOLD.matcher(plain(line));
                if (step.matches()) {
                    int which = Integer.parseInt(step.group(1));
                    reached[which] = Math.max(reached[which], Integer.parseInt(step.group(2)));
                } else if (told.matches() && told.group(3) != null) {
                    (told.group(1).equals("observed") ? observed : expected)
                            .put(told.group(2), TlaValue.parse(told.group(3)));
                } else if (told.matches()) {
                    enabled.add(told.group(2));
                }
            }
        });
        if (result.verdict() != TlcResult.Verdict.PASSED) {
            throw new SpecException(
                    result.verdict() == TlcResult.Verdict.INCOMPLETE
                            ? SpecException.Kind.ENVIRONMENT
                            : SpecException.Kind.INPUT,
                    modules.resolve("TraceRun.tla").toString(),
                    "TLC could not follow the trace: " + result.verdict() + ", " + result.detail(),
                    "values that the specification can compare");
        }
        TlcProcess.delete(run);
        List<Integer> followed = new ArrayList<>();
        for (int each : reached) {
            followed.add(each);
        }
        return new Followed(followed, expected, observed, enabled, result);
    }

    /** A text as TLC prints it, without its quotes. */
    private static String plain(String line) {
        String text = line.strip();
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1).replace("\\\"", "\"") : text;
    }

    private static String module(TraceSegment segment, List<Variant> variants, int unseen, Map<String, Object> next) {
        StringBuilder text = new StringBuilder("---- MODULE TraceRun ----\nEXTENDS " + segment.module() + "\n");
        segment.constants()
                .forEach((name, value) -> text.append("Trace" + name + " == ")
                        .append(Tla.text(value))
                        .append('\n'));
        text.append("TraceStart == ").append(Tla.text(segment.start())).append('\n');
        text.append("TraceSteps == <<\n").append(all(segment.steps())).append(">>\n");
        text.append("TraceVariants == <<\n")
                .append(variants.stream()
                        .map(variant -> "[from |-> " + variant.from() + ", steps |-> <<" + all(variant.steps())
                                + ">>, resume |-> " + variant.resume() + "]")
                        .collect(Collectors.joining(",\n")))
                .append(">>\n");
        text.append("TraceEndsAs == ")
                .append(next.isEmpty() ? "Nil" : Tla.text(next))
                .append('\n');
        text.append("TraceUnseen == ").append(unseen).append("\n====\n");
        return text.toString();
    }

    private static String all(List<SpecStep> steps) {
        return steps.stream().map(SpecStep::tla).collect(Collectors.joining(",\n"));
    }

    private static String config(TraceSegment segment) {
        StringBuilder text = new StringBuilder("""
                SPECIFICATION TraceSpec
                CHECK_DEADLOCK FALSE
                CONSTANTS
                    Nil = Nil
                    Off = {}
                    Start <- TraceStart
                    Steps <- TraceSteps
                    Variants <- TraceVariants
                    EndsAs <- TraceEndsAs
                    Unseen <- TraceUnseen
                """);
        segment.constants().keySet().forEach(name -> text.append("    " + name + " <- Trace" + name + "\n"));
        segment.replaced().forEach((name, other) -> text.append("    " + name + " <- " + other + "\n"));
        return text.toString();
    }
}
