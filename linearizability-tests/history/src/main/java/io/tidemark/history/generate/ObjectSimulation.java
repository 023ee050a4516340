package io.tidemark.history.generate;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Processes that work on one object at the same time. Each operation takes effect at a moment between its invocation and
 * its completion, so that the history is linearizable, but for what the fault does.
 */
final class ObjectSimulation {
    private static final Keyword TIMEOUT = new Keyword("timeout");
    private static final int FAULT_EVERY = 4;

    /** An operation under way. */
    private static final class Work {
        final long process;
        final SimulatedObject.Request request;
        SimulatedObject.@Nullable Answer answer;
        boolean late;

        Work(long process, SimulatedObject.Request request) {
            this.process = process;
            this.request = request;
        }
    }

    private final GeneratorSpec spec;
    private final HistoryGenerator.Output output;
    private final Chance chance;
    private final SimulatedObject object;
    private final List<Work> open = new ArrayList<>();
    private final List<Work> ghosts = new ArrayList<>();
    private final Map<Integer, Long> names = new HashMap<>();
    private long invoked;
    private int crashed;
    private long nextProcess;

    ObjectSimulation(GeneratorSpec spec, HistoryGenerator.Output output) {
        this.spec = spec;
        this.output = output;
        this.chance = new Chance(spec.seed());
        this.object = SimulatedObject.of(spec.model(), chance);
        this.nextProcess = spec.processes();
        for (int i = 0; i < spec.processes(); i++) {
            names.put(i, (long) i);
        }
    }

    void run() {
        @Nullable Work[] busy = new Work[spec.processes()];
        while (invoked < spec.operations() || !open.isEmpty()) {
            int i = chance.below(spec.processes());
            Work work = busy[i];
            if (work == null) {
                if (invoked < spec.operations()) {
                    busy[i] = invoke(name(i));
                }
            } else if (work.answer == null && !chance.oneIn(3)) {
                effect(work);
            } else if (work.answer != null && crashed < spec.crashes() && chance.oneIn(10)) {
                crash(i, work, busy);
            } else if (work.answer == null && crashed < spec.crashes() && chance.oneIn(6)) {
                ghosts.add(work);
                crash(i, work, busy);
            } else if (work.answer != null) {
                complete(work);
                busy[i] = null;
            }
            if (!ghosts.isEmpty() && chance.oneIn(20)) {
                // A crashed operation may take effect at any later time, or never.
                object.apply(ghosts.remove(0).request);
            }
        }
    }

    private long name(int process) {
        return names.getOrDefault(process, (long) process);
    }

    private Work invoke(long process) {
        SimulatedObject.Request request = object.request();
        invoked++;
        output.add(process, Operation.Type.INVOKE, request.f(), request.value(), null, request.extra());
        Work work = new Work(process, request);
        open.add(work);
        return work;
    }

    private void effect(Work work) {
        boolean wrong = chance.oneIn(FAULT_EVERY);
        switch (wrong ? spec.fault() : Fault.NONE) {
            case STALE -> work.answer = object.applyStale(work.request);
            case DROP -> work.answer = object.applyAndUndo(work.request);
            case LATE -> {
                work.answer = object.applyAndUndo(work.request);
                work.late = true;
            }
            case FAIL_AND_DO -> {
                object.apply(work.request);
                work.answer = SimulatedObject.Answer.failed(work.request.value(), new Keyword("refused"));
            }
            default -> work.answer = object.apply(work.request);
        }
    }

    private void complete(Work work) {
        SimulatedObject.Answer answer = work.answer;
        if (answer == null) {
            throw new IllegalStateException("completed before it took effect");
        }
        output.add(
                work.process,
                answer.ok() ? Operation.Type.OK : Operation.Type.FAIL,
                work.request.f(),
                answer.value(),
                answer.error(),
                work.request.extra());
        open.remove(work);
        if (work.late) {
            ghosts.add(work);
        }
    }

    /** Half of the crashed are told of, the others are never heard of again; a process that crashed gets a new name. */
    private void crash(int i, Work work, @Nullable Work[] busy) {
        crashed++;
        if (chance.oneIn(2)) {
            output.add(
                    work.process,
                    Operation.Type.INFO,
                    work.request.f(),
                    work.request.value(),
                    TIMEOUT,
                    work.request.extra());
        }
        open.remove(work);
        names.put(i, nextProcess++);
        busy[i] = null;
    }
}
