package io.tidemark.history.wgl;

import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers equal values alike, from 0 in the order in which they are met. */
final class Values {
    private static final int MAX_TEXT = 60;

    private final Map<@Nullable Object, Integer> numbers = new HashMap<>();
    private final List<@Nullable Object> values = new ArrayList<>();

    int number(@Nullable Object value) {
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        numbers.put(value, values.size());
        values.add(value);
        return values.size() - 1;
    }

    boolean contains(@Nullable Object value) {
        return numbers.containsKey(value);
    }

    @Nullable
    Object value(int number) {
        return values.get(number);
    }

    int size() {
        return values.size();
    }

    String text(int number) {
        return shortened(values.get(number));
    }

    static String shortened(@Nullable Object value) {
        String text = EdnWriter.toString(value);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    /** {@code a}, {@code a or b}, {@code a, b or c}. */
    static String either(List<String> words) {
        int last = words.size() - 1;
        return last <= 0
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    long bytes() {
        return values.size() * 64L;
    }
}
