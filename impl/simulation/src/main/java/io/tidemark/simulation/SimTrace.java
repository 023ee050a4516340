package io.tidemark.simulation;

import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.trace.TraceLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Watches the run of a plan and tells it as a trace ({@link TraceLog}); the run is the same. */
public final class SimTrace {
    private final Plan plan;
    private final TraceLog log;
    private final long[] lives;
    /** Nodes whose disks say of fsyncs that they are done and do not do them. */
    private final Set<Integer> lying = new TreeSet<>();

    /** @param lines takes the events, one after the other; the {@link #header} is for whoever keeps them */
    public SimTrace(Plan plan, Consumer<String> lines) {
        this.plan = plan;
        this.log = new TraceLog(lines);
        this.lives = new long[plan.shape().nodes() + 1];
    }

    /** The run that this tells of. */
    public Simulation watched(boolean telling) {
        Simulation run = Simulation.of(plan, telling, this::begins);
        run.watchDisks(this::disk);
        return run;
    }

    private void disk(int node, boolean lies) {
        if (!lies) {
            lying.remove(node);
        } else if (lying.add(node)) {
            log.diskLies(node);
        }
    }

    /** A life of the node begins. */
    private StepListener begins(int node) {
        return log.begins(node, incarnation(node, ++lives[node]), lying.contains(node));
    }

    /** The incarnation id of a life of a node. */
    static UUID incarnation(int node, long life) {
        return new UUID(node, life);
    }

    /** The first line, once the run is over. */
    public String header() {
        List<Integer> ids =
                IntStream.rangeClosed(1, plan.shape().nodes()).boxed().toList();
        return TraceLog.header(log.events(), ids, Map.of());
    }

    /** The whole trace of a plan, its header first; where an invariant is violated it ends there. */
    public static List<String> of(Plan plan) {
        List<String> lines = new ArrayList<>();
        SimTrace trace = new SimTrace(plan, lines::add);
        try {
            trace.watched(false).run();
        } catch (Violation violation) {
            // The last event is the step that violates it.
        }
        lines.add(0, trace.header());
        return lines;
    }
}
