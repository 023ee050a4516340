package io.tidemark.history.page;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.EdnWriter;
import io.tidemark.history.edn.Keyword;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An invocation with its completion, as far as a picture shows it.
 *
 * @param ended null where it was never completed
 * @param witness whether it belongs to what contradicts itself
 */
record Interval(Operation invoked, @Nullable Operation ended, boolean witness) {
    private static final Keyword CLIENT = new Keyword("client");

    /** What is known of it: ok, fail, info, or open where it was never completed. */
    String outcome() {
        return ended == null
                ? "open"
                : switch (ended.type()) {
                    case OK -> "ok";
                    case FAIL -> "fail";
                    case INFO, INVOKE -> "info";
                };
    }

    /** The same as a sign that needs no colour. */
    String sign() {
        return switch (outcome()) {
            case "ok" -> "✓";
            case "fail" -> "✗";
            default -> "?";
        };
    }

    /** What it did and what it was told, for example {@code send orders-0 [17 41]}. */
    String what() {
        Object asked = invoked.value();
        Object told = ended == null ? null : ended.value();
        Object value = told == null ? asked : told;
        if (value instanceof List<?> mops && mops.size() == 1 && mops.get(0) instanceof List<?> mop && !mop.isEmpty()) {
            // [[:send k v]] and [[:poll {..}]]: the name stands there already.
            String rest = mop.stream().skip(1).map(EdnWriter::toString).reduce("", (all, next) -> all + " " + next);
            return invoked.f() + rest;
        }
        return invoked.f() + (value == null && ended == null ? "" : " " + EdnWriter.toString(value));
    }

    /** The client, where a client has several processes. */
    @Nullable
    Object client() {
        Map<Keyword, @Nullable Object> extra = invoked.extra();
        return extra.get(CLIENT);
    }
}
