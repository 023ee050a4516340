package io.tidemark.spec.trace;

import io.tidemark.spec.trace.TlaValue.Bool;
import io.tidemark.spec.trace.TlaValue.Fun;
import io.tidemark.spec.trace.TlaValue.Int;
import io.tidemark.spec.trace.TlaValue.Rec;
import io.tidemark.spec.trace.TlaValue.Seq;
import io.tidemark.spec.trace.TlaValue.SetOf;
import io.tidemark.spec.trace.TlaValue.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The first state of a story, without what says nothing: numbers up to 0, what is empty, FALSE, Nil. */
final class Opening {
    /** Values beyond this length are cut. */
    private static final int LONG = 160;

    /** What the line about the partition and the picture of the logs tell. */
    private static final Set<String> TOLD = Set.of(
            "metaLog",
            "metaHw",
            "applied",
            "brokerEpoch",
            "incarnation",
            "isrState",
            "follower",
            "epochStart",
            "log",
            "hw",
            "flushed");

    /** What the picture of a quorum tells. */
    private static final Set<String> TOLD_OF_QUORUM = Set.of("role", "hw", "flushed", "currentEpoch", "votedKey");

    private Opening() {}

    /** In Kafka's words: who leads the partition, where there is one, and what else says something. */
    static List<String> of(Map<String, TlaValue> state) {
        List<String> lines = new ArrayList<>();
        String partition = partition(state);
        if (!partition.isEmpty()) {
            lines.add(partition);
        }
        boolean quorum = state.keySet().containsAll(TOLD_OF_QUORUM) && state.containsKey("log");
        boolean onDisk = QuorumWords.allOnDisk(state);
        state.keySet().stream().sorted().forEach(name -> {
            TlaValue value = state.get(name);
            boolean ofQuorum = quorum && (TOLD_OF_QUORUM.contains(name) || (name.equals("durable") && onDisk));
            boolean told = ofQuorum || (!partition.isEmpty() && (TOLD.contains(name) || allRun(name, value)));
            if (value != null && !told && !name.equals("budget") && !isPlain(value)) {
                lines.addAll(inWords(name, value));
            }
        });
        return lines;
    }

    private static boolean allRun(String name, @Nullable TlaValue value) {
        return name.equals("up")
                && value instanceof Fun fun
                && fun.values().values().stream().allMatch(up -> up.toString().equals("running"));
    }

    /** Of a function, what says something: a line each. */
    private static List<String> inWords(String name, TlaValue value) {
        if (value instanceof Fun fun && !Words.place(name + "[x]").equals(name + "[x]")) {
            List<String> values =
                    fun.values().values().stream().map(Words::value).distinct().toList();
            if (values.size() == 1 && fun.values().size() > 1) {
                return List.of(cut(Words.place(name + "[each]") + ": " + values.get(0)));
            }
            return fun.values().entrySet().stream()
                    .filter(entry -> !isPlain(entry.getValue()))
                    .map(entry ->
                            cut(Words.place(name + "[" + entry.getKey() + "]") + ": " + Words.value(entry.getValue())))
                    .toList();
        }
        return List.of(cut(Words.place(name) + ": "
                + (value instanceof SetOf || name.equals("committed") ? Words.value(value) : told(value))));
    }

    /** By the newest metadata record; empty where there is no partition. */
    private static String partition(Map<String, TlaValue> state) {
        if (!(state.get("metaLog") instanceof Seq log)
                || log.items().isEmpty()
                || !(log.items().get(log.items().size() - 1) instanceof Rec image)
                || !(image.fields().get("part") instanceof Rec part)) {
            return "";
        }
        TlaValue leader = part.fields().get("leader");
        boolean nobody = leader == null || isPlain(leader);
        TlaValue elr = part.fields().get("elr");
        TlaValue minIsr = image.fields().get("minIsr");
        return (nobody ? "nobody leads" : leader + " leads epoch " + field(part, "leaderEpoch"))
                + ", ISR " + field(part, "isr")
                + (elr == null || isPlain(elr) ? "" : ", ELR " + elr)
                + (minIsr == null ? "" : ", min.insync.replicas " + minIsr);
    }

    private static String field(Rec record, String name) {
        return Objects.toString(record.fields().get(name), "?");
    }

    private static String cut(String text) {
        return text.length() <= LONG ? text : text.substring(0, LONG) + "...";
    }

    /** In the specification's own names: a line a variable. */
    static List<String> raw(Map<String, TlaValue> state) {
        List<String> lines = new ArrayList<>();
        state.keySet().stream().sorted().forEach(name -> {
            TlaValue value = state.get(name);
            if (value != null && !isPlain(value)) {
                lines.add(cut(name + " = " + told(value)));
            }
        });
        if (lines.size() < state.size()) {
            lines.add("(what is not told is 0, -1, empty, FALSE or Nil)");
        }
        return lines;
    }

    private static boolean isPlain(TlaValue value) {
        if (value instanceof Int number) {
            return number.value().signum() == 0 || number.value().intValue() == -1;
        } else if (value instanceof Bool truth) {
            return !truth.value();
        } else if (value instanceof Text text) {
            return text.value().equals("Nil");
        } else if (value instanceof Seq seq) {
            return seq.items().isEmpty();
        } else if (value instanceof SetOf set) {
            return set.items().isEmpty();
        } else if (value instanceof Rec record) {
            return record.fields().values().stream().allMatch(Opening::isPlain);
        }
        return value instanceof Fun fun && fun.values().values().stream().allMatch(Opening::isPlain);
    }

    private static String told(TlaValue value) {
        if (value instanceof Seq seq) {
            return seq.items().stream().map(Opening::told).collect(Collectors.joining(", ", "<<", ">>"));
        } else if (value instanceof Rec record) {
            return record.fields().entrySet().stream()
                    .filter(field -> !isPlain(field.getValue()))
                    .map(field -> field.getKey() + ": " + told(field.getValue()))
                    .collect(Collectors.joining(", ", "[", "]"));
        } else if (value instanceof Fun fun) {
            List<String> values =
                    fun.values().values().stream().map(Opening::told).distinct().toList();
            return values.size() == 1 && fun.values().size() > 1
                    ? "each " + values.get(0)
                    : fun.values().entrySet().stream()
                            .filter(entry -> !isPlain(entry.getValue()))
                            .map(entry -> entry.getKey() + ": " + told(entry.getValue()))
                            .collect(Collectors.joining(", ", "(", ")"));
        }
        return value.toString();
    }
}
