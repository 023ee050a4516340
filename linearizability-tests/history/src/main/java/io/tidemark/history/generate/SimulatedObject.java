package io.tidemark.history.generate;

import io.tidemark.history.edn.Keyword;
import io.tidemark.history.engine.HistoryModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An object that does what it is asked for, one request after the other, and remembers how it was before. */
abstract class SimulatedObject {
    private static final int VALUES = 5;

    /** What a process asks for. */
    record Request(String f, @Nullable Object value, Map<Keyword, @Nullable Object> extra) {}

    /** How it ended. */
    record Answer(
            boolean ok, @Nullable Object value, @Nullable Object error) {
        static Answer ok(@Nullable Object value) {
            return new Answer(true, value, null);
        }

        static Answer failed(@Nullable Object value, @Nullable Object error) {
            return new Answer(false, value, error);
        }
    }

    final Chance chance;

    /** A value per key; one key where the object is one. */
    private Map<String, @Nullable Object> state = new TreeMap<>();

    private Map<String, @Nullable Object> before = new TreeMap<>();

    private SimulatedObject(Chance chance) {
        this.chance = chance;
    }

    static SimulatedObject of(HistoryModel model, Chance chance) {
        return switch (model) {
            case REGISTER, CAS_REGISTER -> new Register(chance);
            case MULTI_REGISTER -> new MultiRegister(chance);
            case MUTEX -> new Mutex(chance);
            case KV -> new Kv(chance);
            case TOPIC -> new Topic(chance);
            case LOG -> throw new IllegalArgumentException("a log is no simulated object");
        };
    }

    abstract Request request();

    /** Does it, on the state that {@link #get} and {@link #put} see. */
    abstract Answer perform(Request request);

    Answer apply(Request request) {
        Map<String, @Nullable Object> old = new TreeMap<>(state);
        Answer answer = perform(request);
        if (!state.equals(old)) {
            before = old;
        }
        return answer;
    }

    /** Answers as it would have before the last change, and changes nothing. */
    Answer applyStale(Request request) {
        Map<String, @Nullable Object> now = state;
        state = new TreeMap<>(before);
        Answer answer = perform(request);
        state = now;
        return answer;
    }

    /** Answers as it should, and changes nothing. */
    Answer applyAndUndo(Request request) {
        Map<String, @Nullable Object> now = new TreeMap<>(state);
        Answer answer = perform(request);
        state = now;
        return answer;
    }

    @Nullable
    Object get(String key) {
        return state.get(key);
    }

    void put(String key, @Nullable Object value) {
        state.put(key, value);
    }

    String key(String prefix) {
        return prefix + chance.below(3);
    }

    long value() {
        return chance.below(VALUES);
    }

    private static final class Register extends SimulatedObject {
        Register(Chance chance) {
            super(chance);
        }

        @Override
        Request request() {
            return switch (chance.below(4)) {
                case 0 -> new Request("write", value(), Map.of());
                case 1 -> new Request("cas", List.of(value(), value()), Map.of());
                default -> new Request("read", null, Map.of());
            };
        }

        @Override
        Answer perform(Request request) {
            switch (request.f()) {
                case "write" -> {
                    put("r", request.value());
                    return Answer.ok(request.value());
                }
                case "cas" -> {
                    List<?> pair = (List<?>) Objects.requireNonNull(request.value());
                    if (!Objects.equals(get("r"), pair.get(0))) {
                        return Answer.failed(pair, null);
                    }
                    put("r", pair.get(1));
                    return Answer.ok(pair);
                }
                default -> {
                    return Answer.ok(get("r"));
                }
            }
        }
    }

    private static final class MultiRegister extends SimulatedObject {
        private static final Keyword READ = new Keyword("read");
        private static final Keyword WRITE = new Keyword("write");

        MultiRegister(Chance chance) {
            super(chance);
        }

        @Override
        Request request() {
            List<Object> mops = new ArrayList<>();
            for (int i = chance.below(2); i >= 0; i--) {
                List<@Nullable Object> mop = new ArrayList<>();
                boolean write = chance.oneIn(2);
                mop.add(write ? WRITE : READ);
                mop.add(new Keyword(key("x")));
                mop.add(write ? value() : null);
                mops.add(mop);
            }
            return new Request("txn", mops, Map.of());
        }

        @Override
        Answer perform(Request request) {
            List<Object> done = new ArrayList<>();
            for (Object item : (List<?>) Objects.requireNonNull(request.value())) {
                List<@Nullable Object> mop = new ArrayList<>((List<?>) item);
                String key = String.valueOf(mop.get(1));
                if (WRITE.equals(mop.get(0))) {
                    put(key, mop.get(2));
                } else {
                    mop.set(2, get(key));
                }
                done.add(mop);
            }
            return Answer.ok(done);
        }
    }

    private static final class Mutex extends SimulatedObject {
        Mutex(Chance chance) {
            super(chance);
        }

        @Override
        Request request() {
            return new Request(chance.oneIn(2) ? "acquire" : "release", null, Map.of());
        }

        @Override
        Answer perform(Request request) {
            boolean acquire = request.f().equals("acquire");
            if (acquire == (get("m") != null)) {
                return Answer.failed(null, new Keyword("refused"));
            }
            put("m", acquire ? true : null);
            return Answer.ok(null);
        }
    }

    private static final class Kv extends SimulatedObject {
        private long appended;

        Kv(Chance chance) {
            super(chance);
        }

        @Override
        Request request() {
            Map<Keyword, @Nullable Object> key = Map.of(new Keyword("key"), key("k"));
            return switch (chance.below(5)) {
                case 0 -> new Request("put", "p" + appended++, key);
                case 1, 2 -> new Request("append", "a" + appended++ + " ", key);
                default -> new Request("get", null, key);
            };
        }

        @Override
        Answer perform(Request request) {
            String key = String.valueOf(request.extra().get(new Keyword("key")));
            String held = Objects.requireNonNullElse(get(key), "").toString();
            switch (request.f()) {
                case "put" -> put(key, request.value());
                case "append" -> put(key, held + request.value());
                default -> {
                    return Answer.ok(held);
                }
            }
            return Answer.ok(request.value());
        }
    }

    private static final class Topic extends SimulatedObject {
        Topic(Chance chance) {
            super(chance);
        }

        @Override
        Request request() {
            String f = switch (chance.below(4)) {
                case 0 -> "create";
                case 1 -> "delete";
                default -> "exists";
            };
            return new Request(f, key("t"), Map.of());
        }

        @Override
        Answer perform(Request request) {
            String topic = String.valueOf(request.value());
            boolean there = get(topic) != null;
            switch (request.f()) {
                case "create" -> {
                    put(topic, true);
                    return there ? Answer.failed(topic, new Keyword("topic-exists")) : Answer.ok(topic);
                }
                case "delete" -> {
                    put(topic, null);
                    return there ? Answer.ok(topic) : Answer.failed(topic, new Keyword("unknown-topic"));
                }
                default -> {
                    return Answer.ok(List.of(topic, there));
                }
            }
        }
    }
}
