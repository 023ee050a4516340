package io.tidemark.runtime.trace;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON of maps with text keys, iterables, texts, numbers, booleans and null. */
final class Json {
    private Json() {}

    /** On one line, keys in the map's order. */
    static String text(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            String comma = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma);
                quote(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                comma = ",";
            }
            out.append('}');
        } else if (value instanceof Iterable<?> all) {
            out.append('[');
            for (Iterator<?> each = all.iterator(); each.hasNext(); ) {
                write(each.next(), out);
                if (each.hasNext()) {
                    out.append(',');
                }
            }
            out.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
