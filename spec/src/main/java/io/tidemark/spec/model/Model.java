package io.tidemark.spec.model;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that TLC can check.
 *
 * @param module the file of the root module
 * @param config its configuration with the changes applied, properties included
 * @param control the name of the row with the same bounds that passes; mutants have one
 * @param changes to the module's own configuration
 * @param ran its last full run on record, null if there is none
 * @param where the manifest's file and line, or the file of a user's module
 */
public record Model(
        String name,
        ModelKind kind,
        ModelSet set,
        Path module,
        ModelConfig config,
        @Nullable String control,
        List<ConfigChange> changes,
        Expectation expected,
        @Nullable Ran ran,
        String purpose,
        String where) {

    /**
     * A full run on record.
     *
     * @param inputs {@link Modules#inputs} at that time, empty where not on record
     */
    public record Ran(LocalDate day, String inputs) {
        @Override
        public String toString() {
            return inputs.isEmpty() ? day.toString() : day + "/" + inputs;
        }
    }

    /** The module's name. */
    public String moduleName() {
        String file = String.valueOf(module.getFileName());
        return file.endsWith(".tla") ? file.substring(0, file.length() - 4) : file;
    }

    /** The same model with another configuration; nothing is pinned any more. */
    public Model with(ModelConfig changed, Expectation expectation) {
        return new Model(
                name, kind, set, module, changed, control, changes, expectation.unpinned(), ran, purpose, where);
    }
}
