package io.tidemark.spec.check;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes what runs have found into the manifest: distinct states, depth, the day and what was run. */
public final class Recorder {
    private Recorder() {}

    /**
     * Rewrites the rows of these results, where TLC found what the row expects and the run can be repeated.
     *
     * @return the names of the rows
     */
    public static List<String> record(Path spec, Modules modules, Collection<CheckResult> results) {
        Map<String, CheckResult> byName = new HashMap<>();
        for (CheckResult result : results) {
            String expected = result.model().expected().violated();
            boolean found = expected == null ? result.exhaustive() : expected.equals(result.violated());
            if (found && result.pinned()) {
                byName.put(result.model().name(), result);
            }
        }
        List<String> recorded = new ArrayList<>();
        for (Path file : Manifest.files(spec)) {
            try {
                List<String> lines = new ArrayList<>();
                for (String line : Files.readAllLines(file)) {
                    List<String> cells = new ArrayList<>(List.of(line.split("\t", -1)));
                    CheckResult result = line.startsWith("#") ? null : byName.get(cells.get(0));
                    if (result != null && cells.size() == Manifest.COLUMNS.size()) {
                        fill(cells, result, modules);
                        recorded.add(cells.get(0));
                    }
                    lines.add(String.join("\t", cells));
                }
                Files.write(file, lines);
            } catch (IOException e) {
                throw new SpecException(
                        SpecException.Kind.ENVIRONMENT, file.toString(), "cannot be written", "a writable checkout");
            }
        }
        return recorded;
    }

    private static void fill(List<String> cells, CheckResult result, Modules modules) {
        LocalDate day = result.checkedAt().atZone(ZoneOffset.UTC).toLocalDate();
        set(cells, "distinct", Long.toString(result.tlc().distinct()));
        boolean broken = result.example() != null;
        int depth = result.tlc().depth();
        set(cells, "depth", broken || depth == 0 ? "-" : Integer.toString(depth));
        set(cells, "steps", broken ? Integer.toString(result.steps()) : "-");
        set(cells, "seconds", Long.toString((result.tlc().durationMs() + 999) / 1_000));
        set(cells, "date", day + "/" + modules.inputs(result.model()));
    }

    private static void set(List<String> cells, String column, String value) {
        cells.set(Manifest.COLUMNS.indexOf(column), value);
    }
}
