package io.tidemark.node.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one key.
 *
 * @param defaultValue as written in a file; null: none
 * @param required whether a file must set it
 * @param scope {@code node}, {@code broker}, {@code controller}, or {@code topic:KEY}
 * @param text of a served key what it does, else why it is not served
 */
record ConfigKey(
        String name,
        Type type,
        @Nullable String defaultValue,
        boolean required,
        Range range,
        Use use,
        String scope,
        String text) {

    /** Kafka's types of values. */
    enum Type {
        BOOLEAN("true or false"),
        INT("a whole number"),
        SHORT("a whole number"),
        LONG("a whole number"),
        DOUBLE("a number"),
        STRING("a text"),
        LIST("a list separated by commas"),
        CLASS("a class name"),
        PASSWORD("a text");

        private final String words;

        Type(String words) {
            this.words = words;
        }

        boolean isWhole() {
            return this == INT || this == SHORT || this == LONG;
        }

        long min() {
            return this == SHORT ? Short.MIN_VALUE : this == INT ? Integer.MIN_VALUE : Long.MIN_VALUE;
        }

        long max() {
            return this == SHORT ? Short.MAX_VALUE : this == INT ? Integer.MAX_VALUE : Long.MAX_VALUE;
        }
    }

    /** What a node does with the key. */
    enum Use {
        SERVED,
        DEFAULT_ONLY,
        UNUSED
    }

    /** Either bounds, inclusive and null where open, or the only words allowed; nothing of both: any value. */
    record Range(@Nullable Long min, @Nullable Long max, List<String> words) {
        static Range parse(String text) {
            int dots = text.indexOf("..");
            if (dots >= 0) {
                return new Range(bound(text.substring(0, dots)), bound(text.substring(dots + 2)), List.of());
            }
            return new Range(null, null, text.isEmpty() ? List.of() : List.of(text.split("\\|", -1)));
        }

        private static @Nullable Long bound(String text) {
            return text.isEmpty() ? null : Long.valueOf(text);
        }

        boolean contains(long value) {
            return (min == null || value >= min)
                    && (max == null || value <= max)
                    && (words.isEmpty() || words.contains(Long.toString(value)));
        }

        boolean contains(String value) {
            return words.isEmpty() || words.contains(value);
        }

        /** As in an error or the documentation; empty for any value. */
        String inWords() {
            if (!words.isEmpty()) {
                return String.join(" or ", words);
            }
            if (min != null) {
                return max != null ? "from " + min + " to " + max : min + " or more";
            }
            return max != null ? max + " or less" : "";
        }
    }

    /** Reads one line of the table. */
    static ConfigKey parse(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != 7) {
            throw new IllegalArgumentException("seven columns expected: " + line);
        }
        boolean required = columns[2].equals("required");
        return new ConfigKey(
                columns[0],
                Type.valueOf(columns[1].toUpperCase(Locale.ROOT)),
                required || columns[2].equals("-") ? null : columns[2],
                required,
                Range.parse(columns[3]),
                Use.valueOf(columns[4].toUpperCase(Locale.ROOT).replace('-', '_')),
                columns[5],
                columns[6]);
    }

    /** What a value must be, for an error: {@code a whole number, 1 or more}. */
    String expected() {
        String limits = range.inWords();
        return limits.isEmpty() ? type.words : range.words().isEmpty() ? type.words + ", " + limits : limits;
    }

    /** Whether {@code value} means the same as the default. */
    boolean isDefault(String value) {
        if (defaultValue == null) {
            return value.isEmpty();
        }
        return switch (type) {
            case BOOLEAN -> value.equalsIgnoreCase(defaultValue);
            case LIST -> list(value).equals(list(defaultValue));
            case DOUBLE -> isDouble(value) && Double.parseDouble(value) == Double.parseDouble(defaultValue);
            default -> value.equals(defaultValue);
        };
    }

    /** The parts of a list value, none of them empty but where two commas meet. */
    static List<String> list(String value) {
        String trimmed = value.trim();
        return trimmed.isEmpty() ? List.of() : Arrays.asList(trimmed.split("\\s*,\\s*", -1));
    }

    private static boolean isDouble(String value) {
        try {
            Double.parseDouble(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
