package io.tidemark.conformance.trace;

import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.trace.TlaValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says whether what a trace tells of the metadata quorum, of the controller and of each partition is a behaviour of the
 * specification. A long trace is followed in segments: each begins in the state that the lines before have told, and the run
 * of the segment before must end in that very state.
 */
public final class TraceValidator {
    /** How many events of one layer one run of TLC follows: well under a minute of a quiet core. */
    public static final int SEGMENT = 1_000;

    /** How many events of a layer are put in the specification's words at a time where they are only counted. */
    private static final int COUNTED = 50_000;

    /**
     * Where a trace leaves the specification.
     *
     * @param index of the event, from 1
     * @param layer what it was followed for: {@code quorum}, {@code controller}, or a partition
     * @param step the action that the specification was to take
     * @param observed what the action was told and variables, where they differ, as the line has them; where the action is
     *     not possible, all variables
     * @param expected the same, as the specification has them after the action; null where it is not possible
     * @param enabled actions that were possible for whoever acted
     */
    public record Rejection(
            int index,
            int node,
            String action,
            String layer,
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
     * What became of one layer.
     *
     * @param events how many events TLC has followed, or was to follow
     * @param of how many it might have followed: fewer than that where it was told to follow a part, or has rejected one
     * @param segments runs of TLC
     * @param unknown why nothing can be said of what comes after those; null where that is the trace's end, and where a part
     *     was asked for that ends before
     */
    public record Followed(
            String layer,
            int events,
            int of,
            int segments,
            @Nullable String unknown) {
        /** Whether events were left out that TLC might have followed. */
        public boolean cut() {
            return events < of;
        }
    }

    /**
     * What came out.
     *
     * @param layers what the trace tells of, each by itself; where one is rejected the last
     * @param rejected null where all were accepted, and where none was followed
     * @param unknown why there is no verdict; null where there is one
     * @param actions how often each action of the specification was taken
     */
    public record Result(
            List<Followed> layers,
            @Nullable Rejection rejected,
            @Nullable String unknown,
            SortedMap<String, Integer> actions) {
        public Result {
            layers = List.copyOf(layers);
        }

        /** How many events TLC has followed, or was to follow, an event of several layers more than once. */
        public int events() {
            return layers.stream().mapToInt(Followed::events).sum();
        }

        /** How many events it might have followed, an event of several layers more than once. */
        public int of() {
            return layers.stream().mapToInt(Followed::of).sum();
        }

        /** Runs of TLC. */
        public int segments() {
            return layers.stream().mapToInt(Followed::segments).sum();
        }

        public boolean accepted() {
            return rejected == null && unknown == null;
        }
    }

    private static final String NOBODY = "never all of its nodes were at work; give a longer trace, or begin earlier";

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

    /** What the trace tells of, as {@link Followed#layer} names it. */
    public static List<String> layers(TraceFile trace) {
        return Layer.of(trace).stream().map(Layer::name).toList();
    }

    /**
     * Follows the trace to its end or to the first event that the specification does not allow: the quorum first, the
     * controller, then each partition.
     *
     * @param from index of the event that it begins with, 1 for all
     * @param most how many events of each layer, about: more until all of its nodes are at work
     * @param progress is told in words what is done
     */
    public Result validate(TraceFile trace, int from, int most, Consumer<String> progress) throws InterruptedException {
        return validate(Layer.of(trace), trace, from, most, progress);
    }

    /** Of some of the trace's layers alone. */
    Result validate(List<Layer> of, TraceFile trace, int from, int most, Consumer<String> progress)
            throws InterruptedException {
        TreeMap<String, Integer> actions = new TreeMap<>();
        List<Followed> layers = new ArrayList<>();
        for (Layer layer : of) {
            Rejection rejected = follow(layer, trace, from, most, progress, layers, actions);
            if (rejected != null) {
                return new Result(layers, rejected, null, actions);
            }
        }
        return new Result(layers, null, unknown(layers, trace.ends(), from), actions);
    }

    /** A layer that never began is none that could not be followed, where another one was. */
    private static @Nullable String unknown(List<Followed> layers, @Nullable String ends, int from) {
        boolean some = layers.stream().anyMatch(layer -> layer.events() > 0);
        String notFollowed = layers.stream()
                .map(Followed::unknown)
                .filter(cause -> cause != null && !cause.equals(NOBODY))
                .findFirst()
                .orElse(null);
        if (notFollowed != null || some) {
            return notFollowed;
        }
        boolean before = layers.stream().anyMatch(Followed::cut);
        return before
                ? String.format(Locale.ROOT, "nothing can be followed from event %,d on", from)
                : Objects.requireNonNullElse(ends, NOBODY);
    }

    /** How many events of the layer TLC can follow. */
    private static int all(Layer layer, TraceFile trace) {
        int events = 0;
        TraceSegment segment = layer.segment(trace, 1, COUNTED);
        while (!segment.steps().isEmpty()) {
            events += segment.events();
            if (segment.ends() != null) {
                break;
            }
            segment = layer.segment(trace, segment.last() + 1, COUNTED);
        }
        return events;
    }

    private @Nullable Rejection follow(
            Layer layer,
            TraceFile trace,
            int from,
            int most,
            Consumer<String> progress,
            List<Followed> layers,
            Map<String, Integer> actions)
            throws InterruptedException {
        int events = 0;
        int segments = 0;
        int next = from;
        Rejection rejected = null;
        String ends = null;
        while (events < most && rejected == null && ends == null) {
            TraceSegment segment = layer.segment(trace, next, Math.min(most - events, SEGMENT));
            ends = segment.ends();
            if (segment.steps().isEmpty()) {
                break;
            }
            segments++;
            Map<String, Object> after =
                    ends == null ? layer.segment(trace, segment.last() + 1, 1).start() : Map.of();
            TraceRun.Followed followed = run.follow(segment, List.of(), 0, after);
            int steps = followed.followed().get(0);
            segment.steps().subList(0, steps).forEach(step -> actions.merge(step.action(), 1, Integer::sum));
            events += segment.events();
            progress.accept(
                    layer.name() + ": " + steps + " of " + segment.steps().size() + " steps followed");
            if (steps < segment.steps().size()) {
                rejected = followed.observed().isEmpty()
                        ? rejection(trace, segment, steps)
                        : noStart(trace, segment, followed);
            }
            next = segment.last() + 1;
        }
        if (ends == null && events < most && rejected == null) {
            ends = trace.ends();
        }
        boolean whole = from == 1 && events < most && rejected == null;
        int of = whole ? events : Math.max(events, all(layer, trace));
        layers.add(new Followed(layer.name(), events, of, segments, ends == null && of == 0 ? NOBODY : ends));
        return rejected;
    }

    /** The next segment would begin in another state than the one that the specification has come to. */
    private static Rejection noStart(TraceFile trace, TraceSegment segment, TraceRun.Followed followed) {
        SpecStep last = segment.steps().get(segment.steps().size() - 1);
        TraceEvent event = trace.events().get(last.event() - 1);
        return new Rejection(
                event.index(),
                event.node(),
                event.action(),
                segment.subject(),
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

    private Rejection rejection(TraceFile trace, TraceSegment segment, int steps) throws InterruptedException {
        SpecStep step = segment.steps().get(steps);
        TraceEvent event = trace.events().get(step.event() - 1);
        TraceRun.Followed again = run.follow(segment, List.of(), steps + 1);
        boolean possible = again.followed().get(0) > steps;
        Map<String, String> observed = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        again.observed().forEach((name, value) -> {
            observed.put(name, value.toString());
            expected.put(name, String.valueOf(again.expected().get(name)));
        });
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
                segment.subject(),
                step.action(),
                observed,
                possible ? expected : null,
                new ArrayList<>(again.enabled()));
    }
}
