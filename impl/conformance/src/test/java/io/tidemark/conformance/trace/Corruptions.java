package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
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
        boolean refusedAtOnce() {
            return refused != null && refused <= event;
        }
    }

    private final List<String> lines;
    private final Layer layer;
    private final Doctored doctored;
    private final Segment recorded;
    private final Random random;

    Corruptions(List<String> lines, Layer layer, int events, long seed) {
        this.lines = lines;
        this.layer = layer;
        this.doctored = new Doctored(lines, layer, 1, events);
        this.recorded = doctored.segment(lines);
        this.random = new Random(seed);
    }

    /** So many, each of a field drawn from an event drawn from those that say something of the partition. */
    List<Corruption> run(TraceRun run, int count) throws InterruptedException {
        List<Corruption> all = new ArrayList<>();
        while (all.size() < count) {
            all.addAll(some(run, Math.min(AT_ONCE, count - all.size())));
        }
        return all;
    }

    private List<Corruption> some(TraceRun run, int count) throws InterruptedException {
        List<TraceRun.Variant> variants = new ArrayList<>();
        List<Corruption> drawn = new ArrayList<>();
        while (variants.size() < count) {
            SpecStep step = recorded.steps().get(random.nextInt(recorded.steps().size()));
            ObjectNode line = Doctored.read(lines.get(step.event()));
            List<String> fields = new ArrayList<>(Doctored.fields(line.path("state"), "/state"));
            fields.addAll(Doctored.fields(line.path("args"), "/args"));
            fields.removeIf(pointer -> isOfAnother(line, pointer));
            if (step.seen() == Tla.NIL || fields.isEmpty()) {
                continue;
            }
            String pointer = fields.get(random.nextInt(fields.size()));
            variants.add(doctored.variant(all -> {
                all.set(step.event(), Doctored.corrupted(all.get(step.event()), pointer));
                return all;
            }));
            drawn.add(new Corruption(step.event(), name(step.action(), pointer), pointer, null));
        }
        List<Integer> followed = run.follow(recorded, variants, 0).followed();
        if (followed.get(0) != recorded.steps().size()) {
            throw new IllegalStateException("the trace itself is refused at step " + followed.get(0));
        }
        List<Corruption> judged = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            SpecStep refused = refused(recorded, variants.get(i), followed.get(i + 1));
            Corruption each = drawn.get(i);
            judged.add(new Corruption(
                    each.event(), each.field(), each.pointer(), refused == null ? null : (Integer) refused.event()));
        }
        return judged;
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
    static @Nullable SpecStep refused(Segment recorded, TraceRun.Variant variant, int reached) {
        int steps = Math.max(reached, variant.from());
        int own = steps - variant.from();
        if (own < variant.steps().size()) {
            return variant.steps().get(own);
        }
        int later = variant.resume() - 1 + own - variant.steps().size();
        return later < recorded.steps().size() ? recorded.steps().get(later) : null;
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
            row[each.refused() == null ? 3 : each.refusedAtOnce() ? 1 : 2]++;
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
