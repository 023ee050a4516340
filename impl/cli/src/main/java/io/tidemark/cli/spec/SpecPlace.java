package io.tidemark.cli.spec;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.node.config.Nearest;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Where the specification lies, and its errors as this command's. */
public record SpecPlace(Path spec, Path state) {
    /** So many names are proposed at most. */
    private static final int SEVERAL = 5;

    /** @throws CliException ENVIRONMENT where this is no checkout */
    public static SpecPlace of(Session session) {
        Path spec = session.installation().home().resolve("spec");
        if (!Files.isDirectory(spec)) {
            throw new CliException(
                    spec.toString(), "no specification", "a checkout of Tidemark, which has it", ExitCode.ENVIRONMENT);
        }
        return new SpecPlace(spec, session.installation().state().resolve("spec"));
    }

    Manifest manifest() {
        return Manifest.read(spec);
    }

    Vocabulary vocabulary() {
        return Vocabulary.read(spec);
    }

    Modules modules() {
        return new Modules(spec);
    }

    /** Does the work; what the caller can mend becomes one line. */
    public static <T> T guarded(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (SpecException e) {
            ExitCode code = switch (e.kind()) {
                case USAGE -> ExitCode.USAGE;
                case INPUT -> ExitCode.INPUT;
                case ENVIRONMENT -> ExitCode.ENVIRONMENT;
            };
            throw new CliException(e.where(), e.what(), e.expected(), code);
        }
    }

    /**
     * A name that nobody knows: with the one that was probably meant, or those that contain it, or where all are listed.
     *
     * @param list the command that lists them
     */
    static CliException unknown(String where, String what, String word, Collection<String> known, String list) {
        String nearest = Nearest.to(word, known);
        List<String> containing = known.stream()
                .filter(name ->
                        word.length() > 1 && name.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)))
                .distinct()
                .limit(SEVERAL)
                .toList();
        String expected = nearest != null
                ? "did you mean " + nearest + "?"
                : containing.isEmpty()
                        ? "see " + Installation.called() + " " + list
                        : containing.size() == 1
                                ? "did you mean " + containing.get(0) + "?"
                                : "did you mean one of " + String.join(", ", containing) + "?";
        return new CliException(
                where,
                "unknown " + what + " '" + word + "'",
                expected,
                ExitCode.USAGE,
                "UNKNOWN_NAME",
                nearest == null && !containing.isEmpty() ? containing.get(0) : nearest);
    }
}
