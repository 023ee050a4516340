package io.tidemark.history.page;

import io.tidemark.history.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What happened around the operations of a witness: the events close to each of them, and nothing else, however long the
 * history is. Takes every operation of the history in order.
 */
final class Window {
    private static final int MAX_EVENTS = 120;
    private static final int MAX_RADIUS = 10;
    private static final int MAX_WITNESS = 40;
    private static final int MAX_FAULTS = 60;

    /** A fault, anything else that the nemesis did, or the time of a leader that was elected meanwhile. */
    record Fault(String name, long from, long to, String value) {
        static final long OPEN = Long.MAX_VALUE;
    }

    private final TreeSet<Long> witness = new TreeSet<>();
    private final long radius;
    private final Map<Long, Operation> open = new HashMap<>();
    private final Map<Long, Operation> waited = new HashMap<>();
    private final List<Operation> events = new ArrayList<>();
    private final List<Interval> intervals = new ArrayList<>();
    private final Map<String, Operation> started = new HashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private @Nullable Operation elected;
    private long lastEpoch = -1;

    Window(Collection<Long> operations) {
        operations.stream().sorted().limit(MAX_WITNESS).forEach(witness::add);
        radius = Math.max(1, Math.min(MAX_RADIUS, (MAX_EVENTS / Math.max(1, witness.size()) - 1) / 2));
    }

    private boolean near(long index) {
        Long below = witness.floor(index);
        Long above = witness.ceiling(index);
        return (below != null && index - below <= radius) || (above != null && above - index <= radius);
    }

    void add(Operation op) {
        boolean shown = near(op.index());
        if (op.isNemesis()) {
            nemesis(op);
            return;
        }
        if (shown && events.size() < MAX_EVENTS * 2) {
            events.add(op);
        }
        if (op.type() == Operation.Type.INVOKE) {
            open.put(op.process(), op);
            if (shown) {
                waited.put(op.process(), op);
            }
            return;
        }
        Operation invoked = open.remove(op.process());
        boolean begunHere = waited.remove(op.process()) != null;
        if (invoked != null && (shown || begunHere)) {
            add(new Interval(invoked, op, isWitness(invoked) || isWitness(op)));
        }
    }

    private void add(Interval interval) {
        if (intervals.size() < MAX_EVENTS * 2) {
            intervals.add(interval);
        }
    }

    private boolean isWitness(Operation op) {
        return witness.contains(op.index());
    }

    /** {@code :start-kill} to {@code :stop-kill}, {@code :start} to {@code :stop}; all else is a moment. */
    private void nemesis(Operation op) {
        String f = op.f();
        if (f.startsWith("start")) {
            started.put(f.substring("start".length()), op);
            return;
        }
        String rest = f.startsWith("stop") ? f.substring("stop".length()) : f;
        Operation start = f.startsWith("stop") ? started.remove(rest) : null;
        add(
                start == null
                        ? new Fault(f, op.index(), op.index(), Html.shortValue(op.value()))
                        : new Fault(name(rest), start.index(), op.index(), Html.shortValue(start.value())));
    }

    private void add(Fault fault) {
        boolean touches =
                !witness.isEmpty() && fault.from <= witness.last() + radius && fault.to >= witness.first() - radius;
        if (touches && faults.size() < MAX_FAULTS) {
            faults.add(fault);
        }
    }

    private static String name(String rest) {
        return rest.isEmpty() ? "fault" : rest.substring(1);
    }

    /** The leader epoch of the partition that the picture is about, told by an operation; a greater one is an election. */
    void epoch(Operation op, long epoch) {
        if (epoch <= lastEpoch) {
            return;
        }
        if (elected != null) {
            add(new Fault("leader epoch " + lastEpoch, elected.index(), op.index(), ""));
        }
        elected = lastEpoch < 0 ? null : op;
        lastEpoch = epoch;
    }

    /** To be called once, behind the last operation. */
    void end() {
        if (elected != null) {
            add(new Fault("leader epoch " + lastEpoch, elected.index(), Fault.OPEN, ""));
        }
        waited.values().forEach(op -> add(new Interval(op, null, isWitness(op))));
        waited.clear();
        started.forEach((rest, op) -> add(new Fault(name(rest), op.index(), Fault.OPEN, Html.shortValue(op.value()))));
        intervals.sort((a, b) -> Long.compare(a.invoked().index(), b.invoked().index()));
    }

    /** Invocations and completions of clients, in order. */
    List<Operation> events() {
        return events;
    }

    List<Interval> intervals() {
        return intervals;
    }

    List<Fault> faults() {
        return faults;
    }
}
