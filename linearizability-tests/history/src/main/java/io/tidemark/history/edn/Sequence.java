package io.tidemark.history.edn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An EDN list, {@code (a b)}. A vector, {@code [a b]}, is a plain {@link List}; the two are kept apart. */
public record Sequence(List<@Nullable Object> items) {
    public Sequence {
        items = Collections.unmodifiableList(new ArrayList<>(items));
    }
}
