package io.tidemark.history.wgl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be put into an order: operations of one object, in columns. An operation that never ended has {@link
 * #NEVER} as its end and may be left out.
 */
public final class Problem {
    /** The end of what never ended. */
    public static final int NEVER = Call.NEVER;

    final Model model;
    final @Nullable String part;
    final int[] operation;
    final int[] invokedAt;
    final int[] endedAt;
    final Call[] call;

    private Problem(Model model, @Nullable String part, int[] operation, int[] invokedAt, int[] endedAt, Call[] call) {
        this.model = model;
        this.part = part;
        this.operation = operation;
        this.invokedAt = invokedAt;
        this.endedAt = endedAt;
        this.call = call;
    }

    /** What the operations are of. */
    public Model model() {
        return model;
    }

    /** The part of the history: a key, a topic, a partition; null where it is the whole. */
    public @Nullable String part() {
        return part;
    }

    /** How many operations there are. */
    public int size() {
        return operation.length;
    }

    /** The i-th operation, as the model numbers it. */
    public int operation(int i) {
        return operation[i];
    }

    /** When the i-th operation began: it comes behind all that ended before; -1 where it may be first of all. */
    public int invokedAt(int i) {
        return invokedAt[i];
    }

    /** When the i-th operation ended; {@link #NEVER} where it may be left out. */
    public int endedAt(int i) {
        return endedAt[i];
    }

    /** The index, in the history, of the i-th operation's invocation. */
    public long invokeIndex(int i) {
        return call[i].invokeOp();
    }

    /** The index, in the history, of the i-th operation's completion; -1 if there is none. */
    public long endIndex(int i) {
        return call[i].endOp();
    }

    /** Who did the i-th operation. */
    public long process(int i) {
        return call[i].process();
    }

    /** Takes calls as the model has numbered them. */
    static final class Builder {
        private final List<Call> calls = new ArrayList<>();
        private int[] operations = new int[64];

        void add(Call call, int operation) {
            if (calls.size() == operations.length) {
                operations = Arrays.copyOf(operations, operations.length * 2);
            }
            operations[calls.size()] = operation;
            calls.add(call);
        }

        Problem build(Model model, @Nullable String part) {
            return new Problem(
                    model,
                    part,
                    Arrays.copyOf(operations, calls.size()),
                    calls.stream().mapToInt(Call::invokedAt).toArray(),
                    calls.stream().mapToInt(Call::endedAt).toArray(),
                    calls.toArray(Call[]::new));
        }
    }

    /** Only what was invoked before a moment; what had not ended by then may be left out. */
    Problem before(int moment) {
        return select(i -> invokedAt[i] < moment, i -> endedAt[i] > moment);
    }

    /**
     * The same without any demand on some operations: those that change nothing are gone, the others may have happened at
     * any time, or not at all. If this has no order, then nor has the whole, whatever these operations did.
     */
    Problem relaxed(boolean[] free) {
        Problem left = select(i -> !free[i] || !model.readOnly(operation[i]), i -> free[i]);
        for (int i = 0, j = 0; i < size(); i++) {
            if (!free[i]) {
                j++;
            } else if (!model.readOnly(operation[i])) {
                left.invokedAt[j++] = -1;
            }
        }
        return left;
    }

    /** Without the operations that may not have happened and that help nobody. */
    Problem withoutUseless() {
        IntPredicate useless = model.useless(operation);
        return select(
                i -> endedAt[i] != Call.NEVER || model.readOnly(operation[i]) || !useless.test(operation[i]),
                i -> false);
    }

    /** Only some of the operations. */
    Problem keep(boolean[] kept) {
        return select(i -> kept[i], i -> false);
    }

    private interface Test {
        boolean of(int i);
    }

    private Problem select(Test kept, Test endless) {
        int[] chosen = new int[size()];
        int n = 0;
        for (int i = 0; i < size(); i++) {
            if (kept.of(i)) {
                chosen[n++] = i;
            }
        }
        int[] operations = new int[n];
        int[] invoked = new int[n];
        int[] ended = new int[n];
        Call[] calls = new Call[n];
        for (int j = 0; j < n; j++) {
            int i = chosen[j];
            operations[j] = operation[i];
            invoked[j] = invokedAt[i];
            ended[j] = endless.of(i) ? Call.NEVER : endedAt[i];
            calls[j] = call[i];
        }
        return new Problem(model, part, operations, invoked, ended, calls);
    }
}
