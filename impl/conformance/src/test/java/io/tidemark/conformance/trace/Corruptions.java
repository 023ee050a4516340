package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Traces in each of which one field of one event has another value, and what becomes of them. */
final class Corruptions {
    /** So many are followed in one run of TLC. */
    private static final int AT_ONCE = 100;

    /**
     * One of them.
     *
     * @param event index of the changed event
     * @param field where the value is, without ids: {@code state.follower.*.offset}
     * @param refused the event at which it was refused; null where it was accepted
     */
    record Corruption(
            int event,
            String field,
            String pointer,
            @Nullable Integer refused) {
        /** In the table: 1 refused there, 2 later, 3 accepted. */
        int column() {
            return refused == null ? 3 : refused <= event ? 1 : 2;
        }
    }

    /** A value. */
    private record Place(int event, String field, String pointer) {}

    private final List<String> lines;
    private final Layer layer;
    private final Doctored doctored;
    private final TraceSegment recorded;
    private final Random random;
    private final SortedMap<String, List<Place>> places;

    /**
     * Those of a part of a trace.
     *
     * @param from index of the event that the part begins with
     * @param events how many events of the layer it has
     */
    Corruptions(List<String> lines, Layer layer, int from, int events, long seed) {
        this.lines = lines;
        this.layer = layer;
        this.doctored = new Doctored(lines, layer, from, events);
        this.recorded = doctored.segment(lines);
        this.random = new Random(seed);
        this.places = places();
    }

    /** The fields that its events have, by name. */
    Set<String> fields() {
        return places.keySet();
    }

    /** So many: of one field after the other, each time in another event. */
    List<Corruption> run(TraceRun run, int count) throws InterruptedException {
        List<String> names = new ArrayList<>(places.keySet());
        Collections.shuffle(names, random);
        List<Corruption> all = new ArrayList<>();
        while (all.size() < count) {
            List<Place> drawn = new ArrayList<>();
            while (drawn.size() < Math.min(AT_ONCE, count - all.size())) {
                List<Place> of = places.get(names.get((all.size() + drawn.size()) % names.size()));
                drawn.add(of.get(random.nextInt(of.size())));
            }
            all.addAll(judged(run, drawn));
        }
        return all;
    }

    private List<Corruption> judged(TraceRun run, List<Place> drawn) throws InterruptedException {
        List<Doctored.Changed> changed = new ArrayList<>();
        for (Place place : drawn) {
            changed.add(doctored.corrupted(place.event(), place.pointer()));
        }
        List<Integer> followed = run.follow(
                        recorded,
                        changed.stream().map(Doctored.Changed::variant).toList(),
                        0)
                .followed();
        if (followed.get(0) != recorded.steps().size()) {
            throw new IllegalStateException("the trace itself is refused at step " + followed.get(0));
        }
        List<Corruption> judged = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Place place = drawn.get(i);
            SpecStep refused = refused(recorded, changed.get(i).variant(), followed.get(i + 1));
            // Where a setting changes, a trace is followed no further.
            Integer at = refused != null
                    ? (Integer) refused.event()
                    : changed.get(i).ends() != null ? (Integer) place.event() : null;
            judged.add(new Corruption(place.event(), place.field(), place.pointer(), at));
        }
        return judged;
    }

    private SortedMap<String, List<Place>> places() {
        TreeMap<Integer, String> actions = new TreeMap<>();
        for (SpecStep step : recorded.steps()) {
            if (step.seen() != Tla.NIL) {
                actions.put(step.event(), step.action());
            }
        }
        TreeMap<String, List<Place>> all = new TreeMap<>();
        actions.forEach((event, action) -> {
            ObjectNode line = Doctored.read(lines.get(event));
            List<String> fields = new ArrayList<>(Doctored.fields(line.path("state"), "/state"));
            fields.addAll(Doctored.fields(line.path("args"), "/args"));
            if (layer instanceof Layer.Partition) {
                fields.removeIf(pointer -> isOfAnother(line, pointer) || isOfTheWhole(action, pointer));
            }
            if (layer instanceof Layer.Controller && action.equals("AppendMetadata")) {
                fields.removeIf(pointer -> pointer.matches("/state/(?!log/).*"));
            }
            for (String pointer : fields) {
                String field = name(action, pointer);
                all.computeIfAbsent(field, name -> new ArrayList<>()).add(new Place(event, field, pointer));
            }
        });
        return all;
    }

    /** Whether the value says nothing of the partition that is followed; which partition it is about is no value. */
    private boolean isOfAnother(ObjectNode line, String pointer) {
        String partition = layer.name();
        boolean keyed = pointer.matches("/state/(part|minIsr|uncleanElection)/.*");
        String of = line.at(pointer.substring(0, pointer.lastIndexOf('/')))
                .path("partition")
                .asText(partition);
        return pointer.endsWith("/partition") || (keyed && !pointer.contains(partition)) || !of.equals(partition);
    }

    /** The step that could not be taken; null where all were. */
    static @Nullable SpecStep refused(TraceSegment recorded, TraceRun.Variant variant, int reached) {
        int steps = Math.max(reached, variant.from());
        int own = steps - variant.from();
        if (own < variant.steps().size()) {
            return variant.steps().get(own);
        }
        int later = variant.resume() - 1 + own - variant.steps().size();
        return later < recorded.steps().size() ? recorded.steps().get(later) : null;
    }

    /** Whether the value is compared where the controller is followed by itself. */
    private static boolean isOfTheWhole(String action, String pointer) {
        return pointer.matches("/state/metaLog/appended/\\d+/topic")
                || (ControllerEvents.NAMES.contains(action)
                        && pointer.matches("/args/(answer/.*|requires|metadataOffset|all)"));
    }

    /** Arguments are an action's; a variable is the same whoever changes it. */
    private static String name(String action, String pointer) {
        String name = pointer.substring(1)
                .replaceAll("/[0-9a-f-]{36}-\\d+|/\\d+", ".*")
                .replace('/', '.');
        return name.startsWith("args.") ? action + "." + name.substring("args.".length()) : name;
    }

    /** A table, a row a field. */
    static String table(List<Corruption> all) {
        TreeMap<String, int[]> fields = new TreeMap<>();
        for (Corruption each : all) {
            int[] row = fields.computeIfAbsent(each.field(), name -> new int[4]);
            row[0]++;
            row[each.column()]++;
        }
        StringBuilder text =
                new StringBuilder("| field | changed | refused there | later | accepted |\n|---|---|---|---|---|\n");
        fields.forEach((name, row) -> text.append(String.format(
                Locale.ROOT,
                "| `%s` | %d | %d | %d | %d (%d %%) |%n",
                name,
                row[0],
                row[1],
                row[2],
                row[3],
                100 * row[3] / row[0])));
        return text.toString();
    }
}
