package io.tidemark.history.page;

import io.tidemark.history.edn.EdnWriter;
import org.jspecify.annotations.Nullable;

/** Text for a page: all that comes from a history is untrusted and long. */
final class Html {
    private static final int MAX_VALUE = 60;
    private static final int MAX_SENTENCE = 2000;

    private Html() {}

    /** A sentence of ours, with a history's values in it. */
    static String text(@Nullable String text) {
        return text == null ? "" : escaped(shortened(text, MAX_SENTENCE));
    }

    /** A value of a history. */
    static String value(@Nullable Object value) {
        return escaped(shortValue(value));
    }

    static String shortValue(@Nullable Object value) {
        return shortened(EdnWriter.toString(value), MAX_VALUE);
    }

    static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /** For text and for attributes in quotes; what is invisible or turns the line around is told by its number. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    if (visible(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(String.format("\\u%04x", c));
                    }
                }
            }
        });
        return out.toString();
    }

    private static boolean visible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** Seconds with three digits, of nanoseconds. */
    static String seconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis / 1000 + "." + String.format("%03d", millis % 1000);
    }
}
