package io.tidemark.spec.model;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that TLC can check.
 *
 * @param module the file of the root module
 * @param config its configuration with the overrides applied, properties included
 * @param base the name of the row that this one builds on, null if none: the control of a mutant
 * @param overrides what differs from the base, as written
 * @param ran its last full run on record, null if there is none
 * @param where the manifest's file and line, or the file of a user's module
 */
public record Model(
        String name,
        ModelKind kind,
        ModelSet set,
        Path module,
        ModelConfig config,
        @Nullable String base,
        List<ConfigChange> overrides,
        Expectation expected,
        @Nullable Ran ran,
        String purpose,
        String where) {

    /**
     * A full run on record.
     *
     * @param inputs {@link Modules#inputs} at that time
     */
    public record Ran(LocalDate day, String inputs) {
        @Override
        public String toString() {
            return day + "/" + inputs;
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
                name, kind, set, module, changed, base, overrides, expectation.unpinned(), ran, purpose, where);
    }
}
