package io.tidemark.history.check;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides linearizability as its definition says, without any of the search's tricks: takes one operation after the other
 * that no other one has to precede, in a state that is a plain map. Nil is an ordinary value here.
 */
final class Oracle {
    private record Op(
            String f,
            @Nullable Object in,
            @Nullable Object out,
            Operation.Type type,
            @Nullable Object error,
            @Nullable Object key,
            int begin,
            int end) {}

    private record Node(BitSet done, Map<Object, Object> state) {}

    private final List<Op> ops = new ArrayList<>();
    private final Set<Node> seen = new HashSet<>();

    static boolean linearizable(List<Operation> history) {
        Oracle oracle = new Oracle();
        Map<Long, Integer> open = new HashMap<>();
        List<Operation> begun = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            Operation op = history.get(i);
            if (op.type() == Operation.Type.INVOKE) {
                open.put(op.process(), oracle.ops.size());
                begun.add(op);
                oracle.ops.add(new Op(
                        op.f(), op.value(), null, Operation.Type.INFO, null, op.extra("key"), i, Integer.MAX_VALUE));
            } else {
                int at = Objects.requireNonNull(open.remove(op.process()));
                Op was = oracle.ops.get(at);
                oracle.ops.set(
                        at,
                        new Op(
                                was.f,
                                was.in,
                                op.value(),
                                op.type(),
                                op.error(),
                                was.key,
                                was.begin,
                                op.type() == Operation.Type.INFO ? Integer.MAX_VALUE : i));
            }
        }
        return oracle.search(new BitSet(), new HashMap<>());
    }

    private boolean search(BitSet done, Map<Object, Object> state) {
        int firstEnd = Integer.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < ops.size(); i = done.nextClearBit(i + 1)) {
            firstEnd = Math.min(firstEnd, ops.get(i).end);
        }
        if (firstEnd == Integer.MAX_VALUE) {
            return true;
        }
        if (!seen.add(new Node((BitSet) done.clone(), new HashMap<>(state)))) {
            return false;
        }
        for (int i = done.nextClearBit(0); i < ops.size(); i = done.nextClearBit(i + 1)) {
            if (ops.get(i).begin < firstEnd) {
                Map<Object, Object> next = new HashMap<>(state);
                done.set(i);
                if (apply(ops.get(i), next) && search(done, next)) {
                    return true;
                }
                done.clear(i);
            }
        }
        return false;
    }

    private static final Object NIL = "nothing";

    private static Object boxed(@Nullable Object value) {
        return value == null ? NIL : value;
    }

    private static boolean found(Map<Object, Object> state, Object key, @Nullable Object value) {
        return state.getOrDefault(key, NIL).equals(boxed(value));
    }

    /** Whether the operation is legal; changes the state. A failure that tells nothing is always legal. */
    private static boolean apply(Op op, Map<Object, Object> state) {
        boolean ok = op.type == Operation.Type.OK;
        boolean failed = op.type == Operation.Type.FAIL;
        switch (op.f) {
            case "read":
                return !ok || found(state, "r", op.out);
            case "write":
                if (!failed) {
                    state.put("r", boxed(op.in));
                }
                return true;
            case "cas": {
                List<?> pair = (List<?>) Objects.requireNonNull(op.in);
                boolean equal = found(state, "r", pair.get(0));
                if (failed) {
                    return op.error != null || !equal;
                }
                state.put("r", boxed(pair.get(1)));
                return equal;
            }
            case "txn":
                return failed || txn((List<?>) Objects.requireNonNull(ok ? op.out : op.in), ok, state);
            case "acquire", "release": {
                boolean held = state.containsKey("m");
                if (!failed && held == op.f.equals("acquire")) {
                    return false;
                }
                if (!failed && !held) {
                    state.put("m", true);
                } else if (!failed) {
                    state.remove("m");
                }
                return true;
            }
            case "get":
                return !ok || state.getOrDefault(op.key, "").equals(op.out);
            case "put":
                if (!failed) {
                    state.put(boxed(op.key), boxed(op.in));
                }
                return true;
            case "append":
                if (!failed) {
                    state.merge(boxed(op.key), boxed(op.in), (one, two) -> "" + one + two);
                }
                return true;
            default:
                return topic(op, ok, failed, state);
        }
    }

    private static boolean txn(List<?> mops, boolean ok, Map<Object, Object> state) {
        for (Object item : mops) {
            List<?> mop = (List<?>) item;
            if (new Keyword("write").equals(mop.get(0))) {
                state.put(boxed(mop.get(1)), boxed(mop.get(2)));
            } else if (ok && !found(state, boxed(mop.get(1)), mop.get(2))) {
                return false;
            }
        }
        return true;
    }

    private static boolean topic(Op op, boolean ok, boolean failed, Map<Object, Object> state) {
        if (op.f.equals("exists")) {
            return !ok
                    || state.containsKey(((List<?>) Objects.requireNonNull(op.out)).get(0))
                            == (boolean) ((List<?>) op.out).get(1);
        }
        boolean create = op.f.equals("create");
        boolean there = state.containsKey(op.in);
        if (failed) {
            boolean tells = new Keyword(create ? "topic-exists" : "unknown-topic").equals(op.error);
            return !tells || there == create;
        }
        if (there == create) {
            return false;
        }
        if (create) {
            state.put(boxed(op.in), true);
        } else {
            state.remove(op.in);
        }
        return true;
    }
}
