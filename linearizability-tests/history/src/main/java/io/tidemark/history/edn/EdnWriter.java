package io.tidemark.history.edn;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes Java values as EDN on one line. What {@link EdnReader} returns is written so that it reads back equal. */
public final class EdnWriter {
    private EdnWriter() {}

    public static String toString(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /**
     * Appends the value's text.
     *
     * @throws IllegalArgumentException for a class that EDN has no form for
     */
    public static void write(@Nullable Object value, StringBuilder out) {
        if (value == null) {
            out.append("nil");
        } else if (value instanceof String string) {
            writeString(string, out);
        } else if (value instanceof Number number) {
            writeNumber(number, out);
        } else if (value instanceof Keyword || value instanceof Symbol || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof List<?> vector) {
            writeItems('[', vector, ']', out);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(map, out);
        } else if (value instanceof Sequence sequence) {
            writeItems('(', sequence.items(), ')', out);
        } else if (value instanceof Set<?> set) {
            out.append('#');
            writeItems('{', set, '}', out);
        } else if (value instanceof Tagged tagged) {
            out.append('#').append(tagged.tag()).append(' ');
            write(tagged.value(), out);
        } else if (value instanceof Character character) {
            writeCharacter(character, out);
        } else {
            throw new IllegalArgumentException(
                    "no EDN form for " + value.getClass().getName());
        }
    }

    private static void writeNumber(Number number, StringBuilder out) {
        if (number instanceof BigInteger) {
            out.append(number).append('N');
        } else if (number instanceof BigDecimal) {
            out.append(number).append('M');
        } else if (number instanceof Double || number instanceof Float) {
            double value = number.doubleValue();
            if (Double.isNaN(value)) {
                out.append("##NaN");
            } else if (Double.isInfinite(value)) {
                out.append(value > 0 ? "##Inf" : "##-Inf");
            } else {
                out.append(value);
            }
        } else {
            out.append(number.longValue());
        }
    }

    private static void writeItems(char open, Collection<?> items, char close, StringBuilder out) {
        out.append(open);
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            write(item, out);
            separator = " ";
        }
        out.append(close);
    }

    private static void writeMap(Map<?, ?> map, StringBuilder out) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            write(entry.getKey(), out);
            out.append(' ');
            write(entry.getValue(), out);
            separator = ", ";
        }
        out.append('}');
    }

    private static void writeString(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // Lone surrogates would not survive UTF-8, control characters not a terminal.
                    if (c < ' ' || c == 0x7f || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static void writeCharacter(char c, StringBuilder out) {
        switch (c) {
            case '\n' -> out.append("\\newline");
            case '\r' -> out.append("\\return");
            case ' ' -> out.append("\\space");
            case '\t' -> out.append("\\tab");
            default -> {
                if (c > ' ' && c < 0x7f) {
                    out.append('\\').append(c);
                } else {
                    out.append(String.format("\\u%04x", (int) c));
                }
            }
        }
    }
}
