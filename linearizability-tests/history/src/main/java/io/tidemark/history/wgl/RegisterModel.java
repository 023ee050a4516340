package io.tidemark.history.wgl;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A register that is read, written, and compared and set. States are the numbers of values. A read of nil where nothing
 * can have put nil there tells nothing, as in Knossos; with {@code strict} a failed cas without an error observed another
 * value than the one it compared with, otherwise it tells nothing either.
 */
final class RegisterModel implements Model {
    private enum Kind {
        READ,
        WRITE,
        CAS,
        CAS_FAILED
    }

    private record Op(Kind kind, int first, int second) {}

    private final Values values = new Values();
    private final Values operations = new Values();
    private final int initial;
    private Op[] table = new Op[0];

    private RegisterModel(@Nullable Object initial) {
        this.initial = values.number(initial);
    }

    static Problem problem(List<Call> calls, @Nullable Object initial, boolean strict, Untold untold) {
        RegisterModel model = new RegisterModel(initial);
        boolean nil = initial == null || calls.stream().anyMatch(RegisterModel::putsNil);
        Problem.Builder problem = new Problem.Builder();
        for (Call call : calls) {
            Op op = model.encode(call, strict, nil);
            if (op != null) {
                problem.add(call, model.operations.number(op));
            } else {
                untold.count(call);
            }
        }
        model.table = new Op[model.operations.size()];
        for (int i = 0; i < model.table.length; i++) {
            model.table[i] = (Op) Objects.requireNonNull(model.operations.value(i));
        }
        return problem.build(model, null);
    }

    private static boolean putsNil(Call call) {
        Object argument = call.argument();
        return (call.f().equals("write") && argument == null)
                || (call.f().equals("cas")
                        && argument instanceof List<?> pair
                        && pair.size() == 2
                        && pair.get(1) == null);
    }

    private @Nullable Op encode(Call call, boolean strict, boolean nil) {
        switch (call.f()) {
            case "read" -> {
                boolean told = call.ok() && (call.completed() != null || nil);
                return told ? new Op(Kind.READ, values.number(call.completed()), 0) : null;
            }
            case "write" -> {
                return call.failed() ? null : new Op(Kind.WRITE, values.number(call.argument()), 0);
            }
            case "cas" -> {
                if (!(call.argument() instanceof List<?> pair) || pair.size() != 2) {
                    throw new IllegalArgumentException(
                            call.describe() + ": the value of a :cas is malformed; expected [old new]");
                }
                int old = values.number(pair.get(0));
                if (!call.failed()) {
                    return new Op(Kind.CAS, old, values.number(pair.get(1)));
                }
                return strict && call.error() == null ? new Op(Kind.CAS_FAILED, old, 0) : null;
            }
            default ->
                throw new IllegalArgumentException(call.describe() + ": :" + call.f()
                        + " is no operation of a register; expected :read, :write or :cas");
        }
    }

    @Override
    public int initial() {
        return initial;
    }

    @Override
    public int step(int state, int operation) {
        Op op = table[operation];
        return switch (op.kind) {
            case READ -> state == op.first ? state : ILLEGAL;
            case WRITE -> op.first;
            case CAS -> state == op.first ? op.second : ILLEGAL;
            case CAS_FAILED -> state == op.first ? ILLEGAL : state;
        };
    }

    @Override
    public boolean readOnly(int operation) {
        Kind kind = table[operation].kind;
        return kind == Kind.READ || kind == Kind.CAS_FAILED;
    }

    /** A change to a value that nobody looks for; a failed cas looks for any other than its own. */
    @Override
    public IntPredicate useless(int[] operations) {
        BitSet sought = new BitSet();
        for (int operation : operations) {
            Op op = table[operation];
            switch (op.kind) {
                case READ, CAS -> sought.set(op.first);
                case CAS_FAILED -> sought.set(0, values.size());
                case WRITE -> {
                    // Looks for nothing.
                }
            }
        }
        return operation -> {
            Op op = table[operation];
            return (op.kind == Kind.WRITE && !sought.get(op.first)) || (op.kind == Kind.CAS && !sought.get(op.second));
        };
    }

    @Override
    public String operation(int operation) {
        Op op = table[operation];
        return switch (op.kind) {
            case READ -> "read " + values.text(op.first);
            case WRITE -> "wrote " + values.text(op.first);
            case CAS -> "found " + values.text(op.first) + " and set " + values.text(op.second);
            case CAS_FAILED -> "found another value than " + values.text(op.first);
        };
    }

    @Override
    public String states(List<Integer> states) {
        return "the register holds "
                + Values.either(states.stream().map(values::text).toList());
    }

    @Override
    public long bytes() {
        return values.bytes() + operations.bytes();
    }
}
