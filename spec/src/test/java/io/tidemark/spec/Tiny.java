package io.tidemark.spec;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.model.Expectation;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelConfig;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import java.nio.file.Path;
import java.util.List;

/** The small modules of the tests' resources. */
public final class Tiny {
    public static final Path DIR = Path.of("src/test/resources/tiny").toAbsolutePath();

    private Tiny() {}

    public static Modules modules() {
        return new Modules(DIR);
    }

    public static TlcOptions options() {
        return TlcOptions.standard().withHeap("128m");
    }

    public static Model model(String module) {
        Path file = DIR.resolve(module + ".tla");
        return new Model(
                module,
                ModelKind.MODEL,
                ModelSet.USER,
                file,
                ModelConfig.read(Modules.config(file)),
                null,
                List.of(),
                Expectation.HOLDS,
                null,
                "",
                file.toString());
    }

    /** A model that checks these properties alone. */
    public static Model checking(String module, String... properties) {
        Model model = model(module);
        return model.with(
                modules().checking(model.config(), model.module(), List.of(properties), "test"), model.expected());
    }

    public static CheckResult check(Model model, Path state) throws InterruptedException {
        return new Checker(modules(), options(), state).check(model, false, TlcProcess.Listener.NONE);
    }
}
