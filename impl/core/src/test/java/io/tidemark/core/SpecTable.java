package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of {@code spec/}, for tests of the core: it does not depend on {@code spec}, whose {@code Tsv} reads them for all
 * others.
 */
final class SpecTable {
    private SpecTable() {}

    /** The rows below the names, each of exactly these columns and no empty cell. */
    static List<String[]> read(String file, String... columns) {
        Path table = Path.of(System.getProperty("tidemark.root", "../.."), "spec", file);
        List<String[]> rows = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(table)) {
                if (!line.startsWith("#")) {
                    String[] cells = line.split("\t", -1);
                    assertThat(cells).as(line).hasSize(columns.length);
                    assertThat(cells)
                            .as(line)
                            .allSatisfy(cell -> assertThat(cell).isNotBlank());
                    rows.add(cells);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + table.toAbsolutePath(), e);
        }
        assertThat(rows).as(file).isNotEmpty();
        assertThat(Arrays.asList(rows.remove(0))).as(file).containsExactly(columns);
        return rows;
    }
}
