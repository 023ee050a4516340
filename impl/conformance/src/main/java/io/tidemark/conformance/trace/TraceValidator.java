package io.tidemark.conformance.trace;

import io.tidemark.conformance.trace.PartitionSteps.Segment;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.trace.TlaValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says whether what a trace tells of each partition is a behaviour of the specification. A long trace is followed in segments:
 * each begins in the state that the lines before have told, and the run of the segment before must end in that very state.
 */
public final class TraceValidator {
    /** How many events of a partition one run of TLC follows: well under a minute of a quiet core. */
    public static final int SEGMENT = 1_000;

    /**
     * Where a trace leaves the specification.
     *
     * @param index of the event, from 1
     * @param partition the partition that it was followed for
     * @param step the action that the specification was to take
     * @param observed variables that differ, as the line has them; where the action is not possible, all of them
     * @param expected the same, as the specification has them after the action; null where it is not possible
     * @param enabled actions that were possible for whoever acted
     */
    public record Rejection(
            int index,
            int node,
            String action,
            String partition,
            String step,
            Map<String, String> observed,
            @Nullable Map<String, String> expected,
            List<String> enabled) {
        public Rejection {
            observed = new LinkedHashMap<>(observed);
            expected = expected == null ? null : new LinkedHashMap<>(expected);
            enabled = List.copyOf(enabled);
        }
    }

    /**
     * What came out.
     *
     * @param events how many events TLC has followed, or was to follow
     * @param segments runs of TLC
     * @param rejected null where all were accepted, and where none was followed
     * @param unknown why none was followed; null where some were
     * @param actions how often each action of the specification was taken
     */
    public record Result(
            int events,
            int segments,
            @Nullable Rejection rejected,
            @Nullable String unknown,
            SortedMap<String, Integer> actions) {
        public boolean accepted() {
            return rejected == null && unknown == null;
        }
    }

    private final TraceRun run;

    /**
     * A validator.
     *
     * @param spec the directory of the specification
     * @param work where files of runs are kept while they run
     */
    public TraceValidator(Path spec, Path work, TlcOptions options) {
        this.run = new TraceRun(spec, work, options);
    }

    /** Why the specification has no word for what the trace tells; null where it has. */
    private static @Nullable String notModelled(TraceFile trace) {
        int flush = trace.config().path("flushMessages").asInt();
        return flush > 1 ? "log.flush.interval.messages=" + flush + " is not modelled" : null;
    }

    /** The partitions that the trace has lines about. */
    public static List<String> partitions(TraceFile trace) {
        TreeSet<String> all = new TreeSet<>();
        for (TraceEvent event : trace.events()) {
            String partition = event.args().path("partition").asText("");
            if (!partition.isEmpty()) {
                all.add(partition);
            }
        }
        return List.copyOf(all);
    }

    /**
     * Follows the trace to its end or to the first event that the specification does not allow.
     *
     * @param from index of the event that it begins with, 1 for all
     * @param most how many events of each partition, at most
     * @param progress is told in words what is done
     */
    public Result validate(TraceFile trace, int from, int most, Consumer<String> progress) throws InterruptedException {
        TreeMap<String, Integer> actions = new TreeMap<>();
        String notModelled = notModelled(trace);
        if (notModelled != null) {
            return new Result(0, 0, null, notModelled, actions);
        }
        int events = 0;
        int segments = 0;
        for (String partition : partitions(trace)) {
            int next = from;
            int left = most;
            while (left > 0) {
                Segment segment = PartitionSteps.of(trace, partition, next, Math.min(left, SEGMENT));
                if (segment.steps().isEmpty()) {
                    break;
                }
                segments++;
                Segment after = PartitionSteps.of(trace, partition, segment.last() + 1, 1);
                TraceRun.Followed followed = run.follow(segment, List.of(), 0, after.start());
                int steps = followed.followed().get(0);
                segment.steps().subList(0, steps).forEach(step -> actions.merge(step.action(), 1, Integer::sum));
                events += segment.events();
                progress.accept(
                        partition + ": " + steps + " of " + segment.steps().size() + " steps followed");
                if (steps < segment.steps().size()) {
                    Rejection rejected = followed.observed().isEmpty()
                            ? rejection(trace, segment, steps)
                            : noStart(trace, segment, followed);
                    return new Result(events, segments, rejected, null, actions);
                }
                left -= segment.events();
                next = segment.last() + 1;
            }
        }
        String nothing = events == 0 ? "no partition has all of its replicas at work" : null;
        return new Result(events, segments, null, nothing, actions);
    }

    /** The next segment would begin in another state than the one that the specification has come to. */
    private static Rejection noStart(TraceFile trace, Segment segment, TraceRun.Followed followed) {
        SpecStep last = segment.steps().get(segment.steps().size() - 1);
        TraceEvent event = trace.events().get(last.event() - 1);
        return new Rejection(
                event.index(),
                event.node(),
                event.action(),
                segment.partition(),
                "the state after it",
                texts(followed.observed()),
                texts(followed.expected()),
                List.of());
    }

    private static Map<String, String> texts(Map<String, TlaValue> values) {
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((name, value) -> texts.put(name, value.toString()));
        return texts;
    }

    private Rejection rejection(TraceFile trace, Segment segment, int steps) throws InterruptedException {
        SpecStep step = segment.steps().get(steps);
        TraceEvent event = trace.events().get(step.event() - 1);
        TraceRun.Followed again = run.follow(segment, List.of(), steps + 1);
        boolean possible = again.followed().get(0) > steps;
        Map<String, String> observed = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        if (step.seen() instanceof Map<?, ?> seen) {
            seen.forEach((name, value) -> {
                TlaValue here = TlaValue.parse(Tla.text(value));
                TlaValue there = again.expected().get(name);
                if (there != null && !there.equals(here)) {
                    observed.put((String) name, here.toString());
                    expected.put((String) name, there.toString());
                } else if (!possible && !name.equals("of")) {
                    observed.put((String) name, here.toString());
                }
            });
        }
        return new Rejection(
                event.index(),
                event.node(),
                event.action(),
                segment.partition(),
                step.action(),
                observed,
                possible ? expected : null,
                new ArrayList<>(again.enabled()));
    }
}
