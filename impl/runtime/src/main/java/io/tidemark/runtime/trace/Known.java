package io.tidemark.runtime.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the trace has told of somebody's variables, so that only changes are told. */
final class Known {
    private final Map<String, @Nullable Object> told = new LinkedHashMap<>();

    /** Of {@code now} what has changed since the last call; variables that are not in {@code now} stay as they were. */
    Map<String, @Nullable Object> changes(Map<String, ? extends @Nullable Object> now) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        now.forEach((name, value) -> {
            if (!told.containsKey(name) || !Objects.equals(told.get(name), value)) {
                changed.put(name, value);
            }
        });
        told.putAll(changed);
        return changed;
    }
}
