package io.tidemark.spec.check;

import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Vocabulary;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which actions no model takes. */
public final class Coverage {
    private Coverage() {}

    /**
     * Actions that were not taken, as {@code Module.Action}. Only complete searches say anything, and behaviours that
     * lead to what must be reachable: no guard is off in either.
     *
     * @param vocabulary whose protocol and environment actions all must be taken; null where only a model's own count
     */
    public static List<String> untaken(Collection<CheckResult> results, @Nullable Vocabulary vocabulary) {
        Map<String, Long> taken = new TreeMap<>();
        if (vocabulary != null) {
            vocabulary.actions().stream()
                    .filter(row -> !row.kind().equals("code-only"))
                    .forEach(row -> taken.put(row.module() + "." + row.action(), 0L));
        }
        results.stream()
                .filter(result ->
                        result.exhaustive() || (result.model().kind() == ModelKind.REACH && result.violated() != null))
                .flatMap(result -> result.tlc().actions().stream())
                .forEach(count -> taken.merge(count.module() + "." + count.name(), count.taken(), Long::sum));
        return taken.entrySet().stream()
                .filter(entry -> entry.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
