package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table of {@code spec/}: tab-separated, comments begin with #, the first row names the columns. */
final class Table {
    private Table() {}

    static List<List<String>> read(Path file, String... columns) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("#")) {
                List<String> cells = List.of(line.split("\t", -1));
                assertThat(cells).as(line).hasSize(columns.length).doesNotContain("");
                rows.add(cells);
            }
        }
        assertThat(rows.remove(0)).as(file.toString()).containsExactly(columns);
        return rows;
    }
}
