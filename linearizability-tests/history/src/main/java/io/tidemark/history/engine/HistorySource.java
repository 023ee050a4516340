package io.tidemark.history.engine;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** Where a history comes from; it can be read several times. */
@FunctionalInterface
public interface HistorySource {
    /**
     * Hands every operation to the sink, in order, until it answers false.
     *
     * @throws IOException if the history cannot be read or is malformed; an {@link
     *     io.tidemark.history.edn.EdnException} tells the place
     * @throws IllegalArgumentException what the sink throws, where the source has no places
     */
    void forEach(Predicate<Operation> sink) throws IOException;

    static HistorySource of(Path file) {
        return sink -> HistoryReader.readWhile(file, sink);
    }

    static HistorySource of(List<Operation> operations) {
        return sink -> {
            for (Operation operation : operations) {
                if (!sink.test(operation)) {
                    return;
                }
            }
        };
    }
}
