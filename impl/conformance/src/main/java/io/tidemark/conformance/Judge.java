package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Values;
import io.tidemark.spec.trace.Counterexample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks TLC whether states of the code break a property of the specification. */
final class Judge {
    private static final List<String> KINDS = List.of("INVARIANT", "PROPERTY");

    private final Path spec;
    private final Counterexample example;
    private final Map<String, String> constants;

    /** @param example names the module and the property */
    Judge(Path spec, Counterexample example, Map<String, String> constants) {
        this.spec = spec;
        this.example = example;
        this.constants = constants;
    }

    /**
     * Whether the last state breaks the property, or the step to it does.
     *
     * @param shown at least one state
     * @return null where neither alone can: a property of whole behaviours, or one of a module that is not here
     */
    @Nullable
    Boolean broken(List<Values> shown) {
        Path module = spec.resolve("models").resolve(example.module() + ".tla");
        if (example.violated() == null || !Files.exists(module)) {
            return null;
        }
        for (String kind : KINDS) {
            SpecModel model = read(module, kind + " " + example.violated());
            if (model != null) {
                return broken(model, shown);
            }
        }
        return null;
    }

    /** TLC refuses what is no invariant as an invariant. */
    private @Nullable SpecModel read(Path module, String check) {
        StringBuilder config = new StringBuilder("INIT Init\nNEXT Next\nCONSTANTS\n");
        constants.forEach((name, value) ->
                config.append("    ").append(name).append(' ').append(value).append('\n'));
        try {
            return SpecModel.read(spec, module, config + check + "\n");
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static @Nullable Boolean broken(SpecModel model, List<Values> shown) {
        if (!model.judges()) {
            return null;
        }
        SpecState last = model.state(shown.get(shown.size() - 1));
        if (model.broken(last) != null) {
            return true;
        }
        return shown.size() > 1 && model.broken(model.state(shown.get(shown.size() - 2)), last) != null;
    }
}
