package io.tidemark.spec.check;

import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Constants that no model ever switches on: what they stand for is written down and never checked. */
public final class Switches {
    /** Values that mean nothing, never, nobody. */
    private static final Set<String> OFF = Set.of("= FALSE", "= 0", "= {}");

    /** What only a mutant sets: guards that are off, groups of actions that are neglected. */
    private static final Set<String> OF_MUTANTS = Set.of("Off", "Unfair");

    private Switches() {}

    /** The constants that are off in every model that must hold, by name. */
    public static List<String> neverOn(Collection<Model> models) {
        Map<String, Boolean> on = new TreeMap<>();
        models.stream()
                .filter(model -> model.kind() != ModelKind.MUTANT && model.kind() != ModelKind.REACH)
                .flatMap(model -> model.config().constants().entrySet().stream())
                .filter(constant -> !OF_MUTANTS.contains(constant.getKey()))
                .forEach(constant ->
                        on.merge(constant.getKey(), !OFF.contains(constant.getValue()), Boolean::logicalOr));
        return on.entrySet().stream()
                .filter(constant -> !constant.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }
}
