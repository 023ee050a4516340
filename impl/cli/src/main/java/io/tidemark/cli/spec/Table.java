package io.tidemark.cli.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows whose columns stand below one another; the last one is as long as it is. A heading with {@code >} aligns right. */
final class Table {
    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] right;

    Table(String... headings) {
        right = new boolean[headings.length];
        for (int i = 0; i < headings.length; i++) {
            right[i] = headings[i].startsWith(">");
        }
        rows.add(Arrays.stream(headings)
                .map(heading -> heading.replaceFirst("^>", ""))
                .toArray(String[]::new));
    }

    void row(Object... cells) {
        rows.add(Arrays.stream(cells).map(Object::toString).toArray(String[]::new));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String padding = i == row.length - 1 && !right[i] ? "" : " ".repeat(width(i) - row[i].length());
                line.append(i == 0 ? "" : "  ").append(right[i] ? padding + row[i] : row[i] + padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }
}
