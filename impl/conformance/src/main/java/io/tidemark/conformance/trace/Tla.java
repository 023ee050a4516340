package io.tidemark.conformance.trace;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Values of TLA+ as text: a map with text keys is a record (an empty one the empty function), a list a sequence, a set a set. Brokers are texts, so that a function
 * of brokers is a record too.
 */
final class Tla {
    /** The model value. */
    static final Object NIL = new Object() {
        @Override
        public String toString() {
            return "Nil";
        }
    };

    private Tla() {}

    static String text(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            if (map.isEmpty()) {
                out.append("<<>>");
                return;
            }
            out.append('[');
            String comma = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma).append(entry.getKey()).append(" |-> ");
                write(entry.getValue(), out);
                comma = ", ";
            }
            out.append(']');
        } else if (value instanceof List<?> list) {
            all("<<", list, ">>", out);
        } else if (value instanceof Set<?> set) {
            all("{", set, "}", out);
        } else if (value instanceof Boolean) {
            out.append(value.equals(true) ? "TRUE" : "FALSE");
        } else if (value instanceof String text) {
            quote(text, out);
        } else if (value instanceof Number || value == NIL) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("no value of TLA+: " + value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            out.append(c < ' ' ? ' ' : c);
        }
        out.append('"');
    }

    private static void all(String open, Collection<?> values, String close, StringBuilder out) {
        out.append(values.stream().map(Tla::text).collect(Collectors.joining(", ", open, close)));
    }
}
