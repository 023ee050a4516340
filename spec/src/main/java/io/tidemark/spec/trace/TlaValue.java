package io.tidemark.spec.trace;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value of TLA+ as TLC prints it. */
public sealed interface TlaValue {
    /**
     * A value as TLC prints it, such as an argument of a saved step.
     *
     * @throws IllegalArgumentException if it is none
     */
    static TlaValue read(String text) {
        return ValueParser.value(text);
    }

    /** An integer. */
    record Int(BigInteger value) implements TlaValue {
        @Override
        public String toString() {
            return value.toString();
        }
    }

    /** TRUE or FALSE. */
    record Bool(boolean value) implements TlaValue {
        @Override
        public String toString() {
            return value ? "TRUE" : "FALSE";
        }
    }

    /** A string, or a model value such as Nil: a reader needs no quotes to tell them apart. */
    record Text(String value) implements TlaValue {
        @Override
        public String toString() {
            return value;
        }
    }

    /** A sequence or tuple. */
    record Seq(List<TlaValue> items) implements TlaValue {
        public Seq {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return items.stream().map(TlaValue::toString).collect(Collectors.joining(", ", "<<", ">>"));
        }
    }

    /** A set, in TLC's order. */
    record SetOf(List<TlaValue> items) implements TlaValue {
        public SetOf {
            items = List.copyOf(items);
        }

        /** In any order. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof SetOf set && new HashSet<>(items).equals(new HashSet<>(set.items));
        }

        @Override
        public int hashCode() {
            return new HashSet<>(items).hashCode();
        }

        @Override
        public String toString() {
            return items.stream().map(TlaValue::toString).collect(Collectors.joining(", ", "{", "}"));
        }
    }

    /** A record: a function from names. */
    record Rec(Map<String, TlaValue> fields) implements TlaValue {
        public Rec {
            fields = new LinkedHashMap<>(fields);
        }

        @Override
        public String toString() {
            return fields.entrySet().stream()
                    .map(field -> field.getKey() + ": " + field.getValue())
                    .collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** Any other function. */
    record Fun(Map<TlaValue, TlaValue> values) implements TlaValue {
        public Fun {
            values = new LinkedHashMap<>(values);
        }

        @Override
        public String toString() {
            return values.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining(", ", "(", ")"));
        }
    }
}
