package io.tidemark.history.knossos;

import io.tidemark.history.wgl.Problem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * The operations of a problem as a history for Knossos: invocations and completions in order, each as index, process, type
 * and operation. Operation i is invoked by the event with the index 2i and completed by that with 2i + 1. What may be left
 * out is completed at the end, as a crashed operation of Jepsen's. A process has one operation open at a time; processes
 * are numbered anew, as few as there can be, since Knossos' tables grow with them.
 */
final class Events {
    private static final long INVOKE = 0;
    private static final long OK = 1;
    private static final long INFO = 2;

    private record At(int when, int operation, boolean completion) {}

    private Events() {}

    static List<List<Long>> of(Problem problem) {
        List<At> order = new ArrayList<>();
        for (int i = 0; i < problem.size(); i++) {
            order.add(new At(problem.invokedAt(i), i, false));
            order.add(new At(problem.endedAt(i), i, true));
        }
        order.sort(Comparator.comparingInt(At::when));
        long[] process = new long[problem.size()];
        BitSet taken = new BitSet();
        List<List<Long>> events = new ArrayList<>(order.size());
        for (At at : order) {
            int i = at.operation;
            if (at.completion) {
                boolean leftOut = at.when == Problem.NEVER;
                if (!leftOut) {
                    taken.clear((int) process[i]);
                }
                events.add(event(2L * i + 1, process[i], leftOut ? INFO : OK, problem.operation(i)));
            } else {
                process[i] = taken.nextClearBit(0);
                taken.set((int) process[i]);
                events.add(event(2L * i, process[i], INVOKE, problem.operation(i)));
            }
        }
        return events;
    }

    private static List<Long> event(long index, long process, long type, long operation) {
        return List.of(index, process, type, operation);
    }

    /** The operation that an event is of. */
    static int operationOf(long index) {
        return (int) (index / 2);
    }
}
