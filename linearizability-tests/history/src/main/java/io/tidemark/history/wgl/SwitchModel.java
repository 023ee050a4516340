package io.tidemark.history.wgl;

import io.tidemark.history.edn.Keyword;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is on or off: a mutex that is held or free, a topic that exists or not. Each operation finds it one way and leaves
 * it one way; the same operation may end in several ways that tell how it was found.
 */
final class SwitchModel implements Model {
    private static final int OFF = 0;
    private static final int ON = 1;

    /** How an operation finds the switch and leaves it. */
    private enum Turn {
        TURN_ON(OFF, ON),
        TURN_OFF(ON, OFF),
        FOUND_ON(ON, ON),
        FOUND_OFF(OFF, OFF);

        private final int finds;
        private final int leaves;

        Turn(int finds, int leaves) {
            this.finds = finds;
            this.leaves = leaves;
        }
    }

    private final String off;
    private final String on;

    /** The words of what was done, by turn; the operations of the model are the numbers of these. */
    private final Values operations = new Values();

    private record Op(Turn turn, String words) {}

    private SwitchModel(String off, String on) {
        this.off = off;
        this.on = on;
    }

    /** A lock that is free at first; it does not matter who releases it. */
    static Problem mutex(List<Call> calls, Untold untold) {
        SwitchModel model = new SwitchModel("the mutex is free", "the mutex is held");
        Problem.Builder problem = new Problem.Builder();
        for (Call call : calls) {
            Turn turn = switch (call.f()) {
                case "acquire" -> Turn.TURN_ON;
                case "release" -> Turn.TURN_OFF;
                default ->
                    throw new IllegalArgumentException(call.describe() + ": :" + call.f()
                            + " is no operation of a mutex; expected :acquire or :release");
            };
            if (call.failed()) {
                untold.count(call);
            } else {
                problem.add(call, model.number(turn, turn == Turn.TURN_ON ? "acquired it" : "released it"));
            }
        }
        return problem.build(model, null);
    }

    /**
     * Topics that are created, deleted and looked for, each for itself; none exists at first. {@code :create} and
     * {@code :delete} name the topic; a failure with the error {@code :topic-exists} or {@code :unknown-topic} tells that
     * it was there or was not, any other that nothing happened. {@code :exists} ends with {@code [topic true]}.
     */
    static List<Problem> topics(List<Call> calls, Untold untold) {
        Map<Object, SwitchModel> models = new LinkedHashMap<>();
        Map<Object, Problem.Builder> problems = new LinkedHashMap<>();
        for (Call call : calls) {
            Object topic = call.f().equals("exists") && call.completed() instanceof List<?> pair && pair.size() == 2
                    ? pair.get(0)
                    : call.argument();
            if (topic == null) {
                throw new IllegalArgumentException(call.describe() + ": a :" + call.f() + " names no topic");
            }
            SwitchModel model = models.computeIfAbsent(
                    topic,
                    name -> new SwitchModel(
                            "topic " + Values.shortened(name) + " does not exist",
                            "topic " + Values.shortened(name) + " exists"));
            Problem.Builder problem = problems.computeIfAbsent(topic, name -> new Problem.Builder());
            Turn turn = turn(call);
            if (turn == null) {
                untold.count(call);
            } else {
                problem.add(call, model.number(turn, words(turn, call.f())));
            }
        }
        return problems.entrySet().stream()
                .map(entry -> entry.getValue()
                        .build(Objects.requireNonNull(models.get(entry.getKey())), Values.shortened(entry.getKey())))
                .toList();
    }

    private static @Nullable Turn turn(Call call) {
        switch (call.f()) {
            case "create" -> {
                boolean there = call.failed() && new Keyword("topic-exists").equals(call.error());
                return there ? Turn.FOUND_ON : call.failed() ? null : Turn.TURN_ON;
            }
            case "delete" -> {
                boolean missing = call.failed() && new Keyword("unknown-topic").equals(call.error());
                return missing ? Turn.FOUND_OFF : call.failed() ? null : Turn.TURN_OFF;
            }
            case "exists" -> {
                if (!call.ok()) {
                    return null;
                }
                if (call.completed() instanceof List<?> pair
                        && pair.size() == 2
                        && pair.get(1) instanceof Boolean found) {
                    return found ? Turn.FOUND_ON : Turn.FOUND_OFF;
                }
                throw new IllegalArgumentException(call.describe()
                        + ": the value of an :exists is malformed; expected [topic true] or [topic false]");
            }
            default ->
                throw new IllegalArgumentException(call.describe() + ": :" + call.f()
                        + " is no operation of a topic; expected :create, :delete or :exists");
        }
    }

    private static String words(Turn turn, String f) {
        return switch (turn) {
            case TURN_ON -> "created it";
            case TURN_OFF -> "deleted it";
            case FOUND_ON -> f.equals("create") ? "was refused to create it, as it existed" : "found it";
            case FOUND_OFF -> f.equals("delete") ? "was refused to delete it, as it did not exist" : "did not find it";
        };
    }

    private int number(Turn turn, String words) {
        return operations.number(new Op(turn, words));
    }

    private Op op(int number) {
        return (Op) Objects.requireNonNull(operations.value(number));
    }

    @Override
    public int initial() {
        return OFF;
    }

    @Override
    public int step(int state, int operation) {
        Turn turn = op(operation).turn;
        return state == turn.finds ? turn.leaves : ILLEGAL;
    }

    @Override
    public boolean readOnly(int operation) {
        Turn turn = op(operation).turn;
        return turn.finds == turn.leaves;
    }

    @Override
    public String operation(int operation) {
        return op(operation).words;
    }

    @Override
    public String states(List<Integer> states) {
        return Values.either(
                states.stream().map(state -> state == ON ? on : off).toList());
    }

    @Override
    public long bytes() {
        return 0;
    }
}
