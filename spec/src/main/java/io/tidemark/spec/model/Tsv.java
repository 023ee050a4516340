package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table in a file: {@code #} begins a comment line, the first other line names the columns, {@code -} and {@code ?} are empty cells. */
final class Tsv {
    /** One line. */
    record Row(Path file, int line, Map<String, String> cells) {
        /** The cell, empty where it is {@code -} or {@code ?}. */
        String get(String column) {
            String cell = cells.getOrDefault(column, "");
            return cell.equals("-") || cell.equals("?") ? "" : cell;
        }

        String where() {
            return file + ":" + line;
        }

        SpecException wrong(String what, String expected) {
            return new SpecException(SpecException.Kind.INPUT, where(), what, expected);
        }
    }

    private Tsv() {}

    /** All rows; each has exactly the named columns. */
    static List<Row> read(Path file, List<String> columns) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new SpecException(SpecException.Kind.INPUT, file.toString(), "cannot be read", "a table");
        }
        List<Row> rows = new ArrayList<>();
        boolean headed = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> cells = List.of(line.split("\t", -1));
            Row row = new Row(file, i + 1, Map.of());
            if (!headed) {
                if (!cells.equals(columns)) {
                    throw row.wrong("the columns are " + cells, String.join(", ", columns) + ", parted by tabs");
                }
                headed = true;
                continue;
            }
            if (cells.size() != columns.size()) {
                throw row.wrong(cells.size() + " cells", columns.size() + ", parted by tabs");
            }
            Map<String, String> named = new LinkedHashMap<>();
            for (int c = 0; c < cells.size(); c++) {
                named.put(columns.get(c), cells.get(c).strip());
            }
            rows.add(new Row(file, i + 1, named));
        }
        return rows;
    }
}
