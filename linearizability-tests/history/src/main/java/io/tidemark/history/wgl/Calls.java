package io.tidemark.history.wgl;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pairs invocations and completions. Add every operation in order, then ask for the {@link #calls()}. */
final class Calls {
    private final Map<Long, Integer> open = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();

    /**
     * Takes the next operation.
     *
     * @param at its position; positions ascend
     * @throws IllegalArgumentException if a process invokes twice, or completes what it did not invoke
     */
    void add(Operation op, int at) {
        if (op.isNemesis()) {
            return;
        }
        if (op.type() == Operation.Type.INVOKE) {
            if (open.putIfAbsent(op.process(), calls.size()) != null) {
                throw new IllegalArgumentException("operation " + op.index() + ": process " + op.process()
                        + " has an operation open; expected its completion");
            }
            calls.add(new Call(
                    op.process(),
                    op.f(),
                    Operation.Type.INFO,
                    op.value(),
                    null,
                    null,
                    op.extra(),
                    at,
                    Call.NEVER,
                    op.index(),
                    -1));
            return;
        }
        Integer number = open.remove(op.process());
        if (number == null) {
            throw new IllegalArgumentException("operation " + op.index() + ": process " + op.process()
                    + " completes an operation that it did not invoke");
        }
        calls.set(number, completed(calls.get(number), op, at));
    }

    private static Call completed(Call call, Operation op, int at) {
        if (!call.f().equals(op.f())) {
            throw new IllegalArgumentException("operation " + op.index() + ": process " + op.process()
                    + " completes a :" + op.f() + "; expected :" + call.f());
        }
        int endedAt = op.type() == Operation.Type.INFO ? Call.NEVER : at;
        Map<Keyword, @Nullable Object> extra = new HashMap<>(call.extra());
        extra.putAll(op.extra());
        return new Call(
                call.process(),
                call.f(),
                op.type(),
                call.invoked(),
                op.value(),
                op.error(),
                extra,
                call.invokedAt(),
                endedAt,
                call.invokeOp(),
                op.index());
    }

    List<Call> calls() {
        return calls;
    }
}
