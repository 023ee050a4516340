package io.tidemark.history.knossos;

import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.edn.EdnWriter;
import io.tidemark.history.edn.Keyword;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM with Knossos says of one part of a history: a line of EDN.
 *
 * @param part its number
 * @param verdict {@code true}, {@code false} or {@code unknown}, as Knossos says it; or {@code threw}, {@code model-threw}
 * @param cause why it is unknown, or what was thrown; null otherwise
 * @param op the index of the event at which every order ends; null where Knossos tells none
 * @param others indexes of the events that Knossos names beside it
 * @param states what the object may be there, in words
 * @param peakBytes of the heap of that JVM so far
 */
record PartAnswer(
        long part,
        String verdict,
        @Nullable String cause,
        @Nullable Long op,
        List<Long> others,
        String states,
        long peakBytes) {
    static final String VALID = "true";
    static final String INVALID = "false";
    static final String UNKNOWN = "unknown";
    static final String THREW = "threw";
    static final String MODEL_THREW = "model-threw";

    PartAnswer {
        others = List.copyOf(others);
    }

    /** One line, without its end. */
    String line() {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        map.put(new Keyword("part"), part);
        map.put(new Keyword("verdict"), verdict);
        map.put(new Keyword("cause"), cause);
        map.put(new Keyword("op"), op);
        map.put(new Keyword("others"), others);
        map.put(new Keyword("states"), states);
        map.put(new Keyword("peak-bytes"), peakBytes);
        return EdnWriter.toString(map);
    }

    /** @throws IOException if the line is none that {@link #line} writes */
    static PartAnswer parse(String line) throws IOException {
        Object form = new EdnReader(new StringReader(line)).next();
        if (form instanceof Map<?, ?> map
                && map.get(new Keyword("part")) instanceof Long part
                && map.get(new Keyword("verdict")) instanceof String verdict
                && map.get(new Keyword("others")) instanceof List<?> others
                && map.get(new Keyword("states")) instanceof String states
                && map.get(new Keyword("peak-bytes")) instanceof Long bytes) {
            return new PartAnswer(
                    part,
                    verdict,
                    map.get(new Keyword("cause")) instanceof String text ? text : null,
                    map.get(new Keyword("op")) instanceof Long op ? op : null,
                    longs(others).toList(),
                    states,
                    bytes);
        }
        throw new IOException("an answer is malformed: " + line);
    }

    private static Stream<Long> longs(List<?> values) {
        return values.stream().filter(Long.class::isInstance).map(Long.class::cast);
    }
}
