package io.tidemark.spec.check;

import io.tidemark.spec.model.Vocabulary;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which actions no model takes. */
public final class Coverage {
    private Coverage() {}

    /**
     * The protocol's and the environment's actions, as {@code Module.Action}, that were not taken. Only models that should
     * hold say anything: their actions are counted.
     */
    public static List<String> untaken(Collection<CheckResult> results, Vocabulary vocabulary) {
        Map<String, Long> taken = new TreeMap<>();
        vocabulary.actions().stream()
                .filter(row -> !row.kind().equals("code-only"))
                .forEach(row -> taken.put(row.module() + "." + row.action(), 0L));
        for (CheckResult result : results) {
            if (result.model().expected().holds()) {
                result.tlc()
                        .actions()
                        .forEach(count -> taken.computeIfPresent(
                                count.module() + "." + count.name(), (name, before) -> before + count.taken()));
            }
        }
        return taken.entrySet().stream()
                .filter(entry -> entry.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
