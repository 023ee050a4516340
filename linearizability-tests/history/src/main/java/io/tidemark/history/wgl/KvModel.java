package io.tidemark.history.wgl;

import io.tidemark.history.columns.IntVectors;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keys with strings that are got, put and appended to; each is empty at first. A state is a vector of the numbers of the
 * strings. Keys do not touch each other, so that each is a problem of its own, unless one asks for all of them at once.
 */
final class KvModel implements Model {
    private static final Keyword KEY = new Keyword("key");

    private enum Kind {
        GET,
        PUT,
        APPEND
    }

    private record Op(Kind kind, int key, int text) {}

    private final List<Object> keys;
    private final Ropes texts = new Ropes();
    private final Values operations = new Values();
    private final List<Op> table = new ArrayList<>();
    private final IntVectors states;
    private final int[] scratch;
    private final int initial;

    private KvModel(List<Object> keys) {
        this.keys = keys;
        this.states = new IntVectors(keys.size());
        this.scratch = new int[keys.size()];
        Arrays.fill(scratch, texts.number(""));
        this.initial = states.number(scratch);
    }

    static List<Problem> problems(List<Call> calls, boolean partitioned, Untold untold) {
        Map<Object, List<Call>> byKey = new LinkedHashMap<>();
        for (Call call : calls) {
            Object key = call.extra().get(KEY);
            if (key == null) {
                throw new IllegalArgumentException(
                        call.describe() + ": a :" + call.f() + " without :key; expected :key \"k\"");
            }
            byKey.computeIfAbsent(key, name -> new ArrayList<>()).add(call);
        }
        if (!partitioned) {
            return List.of(problem(new ArrayList<>(byKey.keySet()), calls, null, untold));
        }
        return byKey.entrySet().stream()
                .map(entry ->
                        problem(List.of(entry.getKey()), entry.getValue(), Values.shortened(entry.getKey()), untold))
                .toList();
    }

    private static Problem problem(List<Object> keys, List<Call> calls, @Nullable String part, Untold untold) {
        KvModel model = new KvModel(keys);
        Map<Object, Integer> numbers =
                IntStream.range(0, keys.size()).boxed().collect(Collectors.toMap(keys::get, i -> i));
        Problem.Builder problem = new Problem.Builder();
        for (Call call : calls) {
            int key = Objects.requireNonNull(numbers.get(call.extra().get(KEY)));
            Op op = model.encode(call, key);
            if (op == null) {
                untold.count(call);
                continue;
            }
            int number = model.operations.number(op);
            if (number == model.table.size()) {
                model.table.add(op);
            }
            problem.add(call, number);
        }
        return problem.build(model, part);
    }

    private @Nullable Op encode(Call call, int key) {
        switch (call.f()) {
            case "get" -> {
                return call.ok() ? new Op(Kind.GET, key, texts.number(text(call, call.completed()))) : null;
            }
            case "put", "append" -> {
                Kind kind = call.f().equals("put") ? Kind.PUT : Kind.APPEND;
                return call.failed() ? null : new Op(kind, key, texts.number(text(call, call.argument())));
            }
            default ->
                throw new IllegalArgumentException(call.describe() + ": :" + call.f()
                        + " is no operation of keys; expected :get, :put or :append");
        }
    }

    private static String text(Call call, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(call.describe() + ": the value of a :" + call.f() + " is "
                + Values.shortened(value) + "; expected a string");
    }

    @Override
    public int initial() {
        return initial;
    }

    @Override
    public int step(int state, int operation) {
        Op op = table.get(operation);
        int held = states.item(state, op.key);
        if (op.kind == Kind.GET) {
            return held == op.text ? state : ILLEGAL;
        }
        states.get(state, scratch);
        scratch[op.key] = op.kind == Kind.PUT ? op.text : texts.append(held, op.text);
        return states.number(scratch);
    }

    @Override
    public boolean readOnly(int operation) {
        return table.get(operation).kind == Kind.GET;
    }

    @Override
    public boolean grows() {
        return true;
    }

    @Override
    public boolean resets(int operation) {
        return table.get(operation).kind == Kind.PUT;
    }

    /** Strings grow at their end. */
    @Override
    public boolean hopeless(int state, int read) {
        Op op = table.get(read);
        return !texts.mayStartWith(op.text, states.item(state, op.key));
    }

    @Override
    public String operation(int operation) {
        Op op = table.get(operation);
        String text = Values.shortened(texts.text(op.text));
        String key = Values.shortened(keys.get(op.key));
        return switch (op.kind) {
            case GET -> "got " + text + " of key " + key;
            case PUT -> "put " + text + " at key " + key;
            case APPEND -> "appended " + text + " to key " + key;
        };
    }

    @Override
    public String states(List<Integer> numbers) {
        return "key "
                + Values.either(numbers.stream().map(this::state).distinct().toList());
    }

    private String state(int number) {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> Values.shortened(keys.get(i)) + " holds "
                        + Values.shortened(texts.text(states.item(number, i))))
                .collect(Collectors.joining(", "));
    }

    @Override
    public long bytes() {
        return texts.bytes() + states.bytes() + operations.bytes();
    }
}
