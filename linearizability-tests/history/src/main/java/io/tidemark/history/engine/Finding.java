package io.tidemark.history.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong with a history.
 *
 * @param type a stable name, for example {@code dirty-read}, {@code not-linearizable}
 * @param topic the topic, or the part of the history; null where it is the whole
 * @param count how many of this type there are; operations and explanation are those of the first
 * @param allowed the producers' settings permit it, so that it does not make the history invalid
 * @param againstOrder whether no order of the operations explains it; false for what a linearizable history may show, as
 *     the order of one client's records
 * @param operations indexes in the history: a minimal witness where {@code minimal} says so
 * @param minimal whether no operation can be left out of the witness
 */
public record Finding(
        String type,
        @Nullable String topic,
        @Nullable Integer partition,
        @Nullable Long offset,
        long count,
        boolean allowed,
        boolean againstOrder,
        List<Long> operations,
        boolean minimal,
        String explanation) {
    public Finding {
        operations = List.copyOf(operations);
    }
}
