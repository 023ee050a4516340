package io.tidemark.cli.spec;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelSet;
import io.tidemark.spec.tlc.TlcProcess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a command line changes has emptied a model: it holds, and where the model as it stands says something it says
 * nothing any more. Rows of the manifest as they stand may have vacuous properties, which are told.
 */
final class Vacuous {
    private final Checker checker;
    private final Manifest manifest;
    private final CheckOptions options;

    Vacuous(Checker checker, Manifest manifest, CheckOptions options) {
        this.checker = checker;
        this.manifest = manifest;
        this.options = options;
    }

    /** Why there is no verdict though everything holds; null where there is one. */
    @Nullable
    String why(CheckResult result, TlcProcess.Listener listener) throws InterruptedException {
        boolean own = result.model().set() == ModelSet.USER;
        if (!result.exhaustive() || result.vacuous().isEmpty() || (options.asWritten() && !own)) {
            return null;
        }
        if (result.silent()) {
            return "every property is vacuous: nothing happened that they speak of";
        }
        Model original = manifest.model(result.model().name());
        if (own || original == null || options.set.isEmpty()) {
            return null;
        }
        Set<String> emptied = checker.emptied(result, original, listener);
        return emptied.isEmpty()
                ? null
                : "with --set " + String.join(" --set ", options.set)
                        + " nothing happens that these properties speak of,"
                        + " which is not known of the model as it stands: " + String.join(", ", emptied);
    }
}
