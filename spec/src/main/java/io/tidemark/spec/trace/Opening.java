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
import java.util.stream.Collectors;

/** The first state of a story, without what says nothing: numbers up to 0, what is empty, FALSE, Nil. */
final class Opening {
    /** Values beyond this length are cut. */
    private static final int LONG = 160;

    private Opening() {}

    /** A line a variable, by name. */
    static List<String> of(Map<String, TlaValue> state) {
        List<String> lines = new ArrayList<>();
        state.keySet().stream().sorted().forEach(name -> {
            TlaValue value = state.get(name);
            if (value != null && !isPlain(value)) {
                String text = told(value);
                lines.add(name + " = " + (text.length() <= LONG ? text : text.substring(0, LONG) + "..."));
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
