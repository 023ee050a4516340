package io.tidemark.history.wgl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of a {@link Problem}'s operations in which each is legal and none comes before one that had ended
 * when it began: the search of Wing and Gong, with the memory of Lowe.
 *
 * <p>Depth first over configurations: a level, the state, and which of the operations open there were taken. What had
 * ended before the level was taken, so that the open ones are all that distinguishes configurations. An operation that
 * changes nothing is taken as soon as it is legal. Of open operations that do the same only the one that ends first is a
 * candidate: any order has a twin in which they are exchanged. The search goes on where it was left.
 */
final class Search {
    /** How far the search is. */
    enum Status {
        RUNNING,
        VALID,
        INVALID,
        OUT_OF_MEMORY
    }

    private static final int MAX_STATES_TOLD = 8;

    private final Problem problem;
    private final Model model;
    private final Schedule schedule;
    private final Seen seen;
    private final long maxBytes;

    /** Configurations to look at, each the level with the state and the words of what was taken. */
    private long[] stack;

    private int stackSize;
    private final long[] taken;
    private final long[] open;
    private final int[] slotOperation;
    private final int[] candidates;

    /** Of each operation of the model the open one that ends first, valid where the mark is that of this step. */
    private int[] best = new int[64];

    private long[] bestMark = new long[64];

    /** Of the operations begun, how many reset, up to each; null where the model does not grow. */
    private final int @Nullable [] resetsBegun;

    private int level;
    private int deepest = -1;
    private final List<Integer> deepestStates = new ArrayList<>();
    private long steps;
    private long peakBytes;
    private Status status = Status.RUNNING;

    Search(Problem whole, long maxBytes) {
        this.problem = whole.withoutUseless();
        this.model = problem.model;
        this.schedule = new Schedule(problem);
        this.seen = new Seen(schedule.words);
        this.maxBytes = maxBytes;
        this.stack = new long[(schedule.words + 1) * 64];
        this.taken = new long[schedule.words];
        this.open = new long[schedule.words];
        this.slotOperation = new int[schedule.slots];
        this.candidates = new int[schedule.slots];
        this.resetsBegun = model.grows() ? resetsBegun() : null;
        begin(0, schedule.begunAt[0]);
        push(0, model.initial());
    }

    private int[] resetsBegun() {
        int[] resets = new int[schedule.begun.length + 1];
        for (int i = 0; i < schedule.begun.length; i++) {
            resets[i + 1] = resets[i] + (model.resets(problem.operation[schedule.begun[i]]) ? 1 : 0);
        }
        return resets;
    }

    /** Goes on for at most so many steps. */
    Status run(long most) {
        for (long i = 0; i < most && status == Status.RUNNING; i++) {
            step();
        }
        return status;
    }

    private void step() {
        if (stackSize == 0) {
            status = Status.INVALID;
            return;
        }
        steps++;
        int state = pop();
        takeLegalReads(state, 0, schedule.begunAt[level], true);
        while (level < schedule.levels() && isTaken(schedule.ending[level])) {
            clear(taken, schedule.slot[schedule.ending[level]]);
            int before = schedule.begunAt[level];
            forward();
            takeLegalReads(state, before, schedule.begunAt[level], false);
        }
        if (level == schedule.levels()) {
            status = Status.VALID;
            return;
        }
        if (!seen.add(level, state, taken)) {
            return;
        }
        remember(state);
        expand(state);
        long bytes = bytes();
        peakBytes = Math.max(peakBytes, bytes);
        if (bytes > maxBytes || (seen.growsNext() && bytes - seen.bytes() + seen.bytesGrown() > maxBytes)) {
            status = Status.OUT_OF_MEMORY;
        }
    }

    private void remember(int state) {
        if (level > deepest) {
            deepest = level;
            deepestStates.clear();
        }
        if (level == deepest && deepestStates.size() < MAX_STATES_TOLD && !deepestStates.contains(state)) {
            deepestStates.add(state);
        }
    }

    /** Takes what is legal and changes nothing: of all that is open, or of what has just begun. */
    private void takeLegalReads(int state, int from, int to, boolean all) {
        if (!all) {
            for (int i = from; i < to; i++) {
                takeIfLegalRead(state, schedule.begun[i]);
            }
            return;
        }
        for (int word = 0; word < open.length; word++) {
            for (long left = open[word] & ~taken[word]; left != 0; left &= left - 1) {
                takeIfLegalRead(state, slotOperation[word * 64 + Long.numberOfTrailingZeros(left)]);
            }
        }
    }

    private void takeIfLegalRead(int state, int i) {
        int operation = problem.operation[i];
        if (model.readOnly(operation) && model.step(state, operation) != Model.ILLEGAL) {
            set(taken, schedule.slot[i]);
        }
    }

    /** Puts what can come next on the stack, the operation that has to end first on top. */
    private void expand(int state) {
        int found = candidates();
        for (int c = found - 1; c >= 0; c--) {
            int i = candidates[c];
            int next = model.step(state, problem.operation[i]);
            if (next != Model.ILLEGAL) {
                int slot = schedule.slot[i];
                set(taken, slot);
                if (resetsBegun == null || !isHopeless(next, resetsBegun)) {
                    push(level, next);
                }
                clear(taken, slot);
            }
        }
    }

    /** Whether a read that is open can never become legal, whatever comes before it ends. */
    private boolean isHopeless(int state, int[] resets) {
        long reads = 0;
        for (int word = 0; word < open.length; word++) {
            for (long left = open[word] & ~taken[word]; left != 0; left &= left - 1) {
                int operation = problem.operation[slotOperation[word * 64 + Long.numberOfTrailingZeros(left)]];
                if (model.readOnly(operation)) {
                    reads++;
                } else if (model.resets(operation)) {
                    return false;
                }
            }
        }
        return reads > 0 && anyHopeless(state, resets);
    }

    private boolean anyHopeless(int state, int[] resets) {
        for (int word = 0; word < open.length; word++) {
            for (long left = open[word] & ~taken[word]; left != 0; left &= left - 1) {
                int i = slotOperation[word * 64 + Long.numberOfTrailingZeros(left)];
                boolean resetFollows = resets[schedule.begunAt[schedule.endLevel[i]]] > resets[schedule.begunAt[level]];
                if (model.readOnly(problem.operation[i])
                        && !resetFollows
                        && model.hopeless(state, problem.operation[i])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Open operations that change the state, one for each thing that can be done, in the order in which they end. */
    private int candidates() {
        int found = 0;
        for (int word = 0; word < open.length; word++) {
            for (long left = open[word] & ~taken[word]; left != 0; left &= left - 1) {
                int i = slotOperation[word * 64 + Long.numberOfTrailingZeros(left)];
                int operation = problem.operation[i];
                if (model.readOnly(operation)) {
                    continue;
                }
                if (operation >= best.length) {
                    int capacity = Math.max(operation + 1, best.length * 2);
                    best = Arrays.copyOf(best, capacity);
                    bestMark = Arrays.copyOf(bestMark, capacity);
                }
                if (bestMark[operation] != steps) {
                    bestMark[operation] = steps;
                    best[operation] = found;
                    candidates[found++] = i;
                } else if (endsBefore(i, candidates[best[operation]])) {
                    candidates[best[operation]] = i;
                }
            }
        }
        sort(found);
        return found;
    }

    private boolean endsBefore(int i, int j) {
        int one = problem.endedAt[i];
        int two = problem.endedAt[j];
        return one < two || (one == two && i < j);
    }

    private void sort(int found) {
        for (int c = 1; c < found; c++) {
            int i = candidates[c];
            int at = c;
            while (at > 0 && endsBefore(i, candidates[at - 1])) {
                candidates[at] = candidates[at - 1];
                at--;
            }
            candidates[at] = i;
        }
    }

    private void push(int atLevel, int state) {
        int width = schedule.words + 1;
        if (stackSize + width > stack.length) {
            stack = Arrays.copyOf(stack, stack.length * 2);
        }
        stack[stackSize] = (long) atLevel << 32 | state;
        System.arraycopy(taken, 0, stack, stackSize + 1, schedule.words);
        stackSize += width;
    }

    private int pop() {
        stackSize -= schedule.words + 1;
        System.arraycopy(stack, stackSize + 1, taken, 0, schedule.words);
        int to = (int) (stack[stackSize] >>> 32);
        while (level < to) {
            forward();
        }
        while (level > to) {
            back();
        }
        return (int) stack[stackSize];
    }

    private void forward() {
        clear(open, schedule.slot[schedule.ending[level]]);
        begin(schedule.begunAt[level], schedule.begunAt[level + 1]);
        level++;
    }

    private void back() {
        level--;
        for (int i = schedule.begunAt[level]; i < schedule.begunAt[level + 1]; i++) {
            clear(open, schedule.slot[schedule.begun[i]]);
        }
        int ended = schedule.ending[level];
        set(open, schedule.slot[ended]);
        slotOperation[schedule.slot[ended]] = ended;
    }

    private void begin(int from, int to) {
        for (int i = from; i < to; i++) {
            int operation = schedule.begun[i];
            set(open, schedule.slot[operation]);
            slotOperation[schedule.slot[operation]] = operation;
        }
    }

    private boolean isTaken(int i) {
        int slot = schedule.slot[i];
        return (taken[slot >> 6] >>> slot & 1) != 0;
    }

    private static void set(long[] words, int slot) {
        words[slot >> 6] |= 1L << slot;
    }

    private static void clear(long[] words, int slot) {
        words[slot >> 6] &= ~(1L << slot);
    }

    private long bytes() {
        return seen.bytes() + (long) stack.length * Long.BYTES + model.bytes() + schedule.bytes();
    }

    long steps() {
        return steps;
    }

    long peakBytes() {
        return Math.max(peakBytes, bytes());
    }

    Status status() {
        return status;
    }

    Problem problem() {
        return problem;
    }

    /** The operation whose end no order reaches: that of the deepest level met. */
    int stuckAt() {
        return schedule.ending[Math.max(0, deepest)];
    }

    /** States that some order leads to where the search is stuck; a few of them. */
    List<Integer> stuckStates() {
        return List.copyOf(deepestStates);
    }
}
