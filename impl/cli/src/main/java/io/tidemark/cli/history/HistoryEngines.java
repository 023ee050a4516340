package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.check.LogEngine;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.knossos.Algorithm;
import io.tidemark.history.knossos.KnossosClassPath;
import io.tidemark.history.knossos.KnossosEngine;
import io.tidemark.history.wgl.WglEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The engines by name. */
final class HistoryEngines {
    private HistoryEngines() {}

    /**
     * @param where the option, for messages
     * @param knossosClassPath where the user says that Knossos is, null where he does not
     */
    static Engine named(String where, String name, @Nullable String knossosClassPath) {
        Map<String, Algorithm> knossos = new LinkedHashMap<>();
        for (Algorithm algorithm : Algorithm.values()) {
            knossos.put(algorithm.engine(), algorithm);
        }
        List<String> names = new ArrayList<>(List.of(LogEngine.NAME, WglEngine.NAME));
        names.addAll(knossos.keySet());
        String known = HistoryOptions.named(where, name, names.toArray(String[]::new), word -> word);
        Algorithm algorithm = knossos.get(known);
        if (algorithm != null) {
            return knossos(where + " " + name, algorithm, knossosClassPath);
        }
        return known.equals(LogEngine.NAME) ? new LogEngine() : new WglEngine();
    }

    private static Engine knossos(String where, Algorithm algorithm, @Nullable String classPath) {
        try {
            return new KnossosEngine(
                    algorithm, KnossosClassPath.find(classPath, System.getenv(KnossosClassPath.VARIABLE)));
        } catch (KnossosClassPath.MissingException e) {
            throw new CliException(
                    where,
                    String.valueOf(e.getMessage()),
                    KnossosClassPath.HOW_TO_GET,
                    ExitCode.ENVIRONMENT,
                    "MISSING_KNOSSOS",
                    null);
        }
    }
}
