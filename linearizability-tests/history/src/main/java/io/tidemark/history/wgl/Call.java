package io.tidemark.history.wgl;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An invocation with its completion.
 *
 * @param outcome OK, FAIL, or INFO where it was never completed
 * @param invoked the value with which it was invoked
 * @param completed the value of the completion
 * @param invokedAt position of the invocation among all calls' events
 * @param endedAt position of the completion, {@link #NEVER} where it may still take effect
 * @param invokeOp index of the invocation in the history
 * @param endOp index of the completion, -1 if there is none
 */
record Call(
        long process,
        String f,
        Operation.Type outcome,
        @Nullable Object invoked,
        @Nullable Object completed,
        @Nullable Object error,
        Map<Keyword, @Nullable Object> extra,
        int invokedAt,
        int endedAt,
        long invokeOp,
        long endOp) {
    static final int NEVER = Integer.MAX_VALUE;

    /** What it was called with; some recorders tell it with the completion only. */
    @Nullable
    Object argument() {
        return invoked == null && outcome == Operation.Type.OK ? completed : invoked;
    }

    boolean ok() {
        return outcome == Operation.Type.OK;
    }

    boolean failed() {
        return outcome == Operation.Type.FAIL;
    }

    /** The same without a time: it may have happened at any, or not at all. */
    Call atAnyTime() {
        return new Call(process, f, Operation.Type.INFO, invoked, completed, error, extra, -1, NEVER, invokeOp, endOp);
    }

    String describe() {
        return "operation " + invokeOp;
    }
}
