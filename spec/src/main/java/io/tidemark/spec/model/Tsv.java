package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of the specification, in a file: {@code #} begins a comment line, the first other line names the columns, cells are
 * parted by tabs, and {@code -} and {@code ?} stand for nothing.
 */
public final class Tsv {
    /**
     * One line.
     *
     * @param line its number in the file, from 1
     * @param cells by column
     */
    public record Row(Path file, int line, Map<String, String> cells) {
        /** The cell, empty where it is {@code -} or {@code ?}. */
        public String get(String column) {
            String cell = written(column);
            return cell.equals("-") || cell.equals("?") ? "" : cell;
        }

        /** The cell as it is written, {@code -} too. */
        public String written(String column) {
            return cells.getOrDefault(column, "");
        }

        /** File and line, for messages. */
        public String where() {
            return file + ":" + line;
        }

        SpecException wrong(String what, String expected) {
            return new SpecException(SpecException.Kind.INPUT, where(), what, expected);
        }
    }

    private Tsv() {}

    /**
     * All rows; each has exactly the named columns, and something in each.
     *
     * @throws SpecException where the file is no such table, with the line
     */
    public static List<Row> read(Path file, List<String> columns) {
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
                String cell = cells.get(c).strip();
                if (cell.isEmpty()) {
                    throw row.wrong("nothing in the column " + columns.get(c), "- where there is nothing to say");
                }
                named.put(columns.get(c), cell);
            }
            rows.add(new Row(file, i + 1, named));
        }
        return rows;
    }
}
