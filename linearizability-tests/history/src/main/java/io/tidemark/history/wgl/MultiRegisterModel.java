package io.tidemark.history.wgl;

import io.tidemark.history.columns.IntVectors;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several registers that transactions read and write at one moment: {@code [[:read :x 1] [:write :y 2]]}. A state is a
 * vector of value numbers. A read of nil where nothing can have put nil there tells nothing.
 */
final class MultiRegisterModel implements Model {
    private static final Set<String> READS = Set.of("read", "r");
    private static final Set<String> WRITES = Set.of("write", "w");

    /** A read or a write of one register. */
    private record Mop(boolean write, int register, int value) {}

    private final Values registers = new Values();
    private final Values values = new Values();
    private final Values operations = new Values();
    private final List<List<Mop>> table = new ArrayList<>();
    private IntVectors states = new IntVectors(0);
    private int[] scratch = new int[0];
    private int initial;

    private MultiRegisterModel() {}

    static Problem problem(List<Call> calls, @Nullable Object initial, Untold untold) {
        Map<?, ?> first = initial instanceof Map<?, ?> map ? map : Map.of();
        if (initial != null && !(initial instanceof Map<?, ?>)) {
            throw new IllegalArgumentException("the initial value of registers is " + Values.shortened(initial)
                    + "; expected a map, for example {:x 0 :y 0}");
        }
        MultiRegisterModel model = new MultiRegisterModel();
        first.keySet().forEach(model.registers::number);
        Problem.Builder problem = new Problem.Builder();
        for (Call call : calls) {
            List<Mop> mops = model.encode(call, first);
            if (mops.isEmpty()) {
                untold.count(call);
            } else {
                int number = model.operations.number(mops);
                if (number == model.table.size()) {
                    model.table.add(mops);
                }
                problem.add(call, number);
            }
        }
        model.begin(first);
        return problem.build(model, null);
    }

    private void begin(Map<?, ?> first) {
        scratch = new int[registers.size()];
        for (int i = 0; i < scratch.length; i++) {
            scratch[i] = values.number(first.get(registers.value(i)));
        }
        states = new IntVectors(scratch.length);
        initial = states.number(scratch);
    }

    private List<Mop> encode(Call call, Map<?, ?> first) {
        if (call.failed()) {
            return List.of();
        }
        Object value = call.ok() && call.completed() != null ? call.completed() : call.argument();
        if (!(value instanceof List<?> items)) {
            throw malformed(call);
        }
        List<Mop> mops = new ArrayList<>();
        for (Object item : items) {
            if (!(item instanceof List<?> mop) || mop.size() != 3 || !(mop.get(0) instanceof Keyword how)) {
                throw malformed(call);
            }
            int register = registers.number(mop.get(1));
            if (WRITES.contains(how.name())) {
                mops.add(new Mop(true, register, values.number(mop.get(2))));
            } else if (!READS.contains(how.name())) {
                throw malformed(call);
            } else if (call.ok() && (mop.get(2) != null || first.get(mop.get(1)) == null)) {
                mops.add(new Mop(false, register, values.number(mop.get(2))));
            }
        }
        return mops;
    }

    private static IllegalArgumentException malformed(Call call) {
        return new IllegalArgumentException(call.describe() + ": the value of a :" + call.f()
                + " is malformed; expected [[:read k v] [:write k v] ..]");
    }

    @Override
    public int initial() {
        return initial;
    }

    @Override
    public int step(int state, int operation) {
        states.get(state, scratch);
        boolean changed = false;
        for (Mop mop : table.get(operation)) {
            if (mop.write) {
                changed |= scratch[mop.register] != mop.value;
                scratch[mop.register] = mop.value;
            } else if (scratch[mop.register] != mop.value) {
                return ILLEGAL;
            }
        }
        return changed ? states.number(scratch) : state;
    }

    @Override
    public boolean readOnly(int operation) {
        return table.get(operation).stream().noneMatch(Mop::write);
    }

    /** A transaction that writes nothing that anybody reads. */
    @Override
    public IntPredicate useless(int[] operations) {
        Set<Mop> read = new HashSet<>();
        for (int operation : operations) {
            table.get(operation).stream().filter(mop -> !mop.write).forEach(read::add);
        }
        return operation -> table.get(operation).stream()
                .noneMatch(mop -> mop.write && read.contains(new Mop(false, mop.register, mop.value)));
    }

    @Override
    public String operation(int operation) {
        return table.get(operation).stream()
                .map(mop ->
                        (mop.write ? "wrote " : "read ") + registers.text(mop.register) + " " + values.text(mop.value))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String states(List<Integer> numbers) {
        return "the registers hold "
                + Values.either(numbers.stream().map(this::state).toList());
    }

    private String state(int number) {
        return IntStream.range(0, registers.size())
                .mapToObj(i -> registers.text(i) + " " + values.text(states.item(number, i)))
                .collect(Collectors.joining(" and "));
    }

    @Override
    public long bytes() {
        return states.bytes() + values.bytes() + operations.bytes();
    }
}
