package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Wrap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows whose columns stand below one another; the last one is as long as it is. A heading with {@code >} aligns right.
 * A table that is {@linkplain #folded folded} keeps all it says. Of one that is one line a row {@linkplain #within within} a
 * width, where lines are to fit a width, what the first column has beyond {@link #FIRST} stands on a line of its own, the last
 * column is cut, and columns that do not fit are left out from the right.
 */
final class Table {
    private static final int FIRST = 30;

    /** A last column that has less is left out. */
    private static final int LEAST = 16;

    /** A last column that has less has none. */
    private static final int ROOM = 24;

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

    /** A line between rows. */
    void line(String text) {
        rows.add(new String[] {text});
    }

    @Override
    public String toString() {
        return within(Wrap.NOWHERE);
    }

    /**
     * In lines of at most so many columns, with all that the last column says: it goes on below itself, or where that has
     * no room, the row's cells go on one behind the other.
     */
    String folded(int width) {
        int last = right.length - 1;
        int[] widths = new int[right.length];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(i);
        }
        int used = used(widths, last);
        boolean columns = width - used >= Math.min(ROOM, widths[last]);
        String indent = " ".repeat(columns ? used : 4);
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            String line = columns ? line(row, widths, right.length, last, Wrap.NOWHERE) : String.join("  ", row);
            Wrap.lines(line, width, indent).forEach(part -> text.append(part).append('\n'));
        }
        return text.toString();
    }

    /** In lines of at most so many columns, but for lines between rows, which are wrapped by who reads them. */
    String within(int width) {
        return text(width, width == Wrap.NOWHERE ? Wrap.NOWHERE : FIRST);
    }

    private String text(int width, int first) {
        int columns = right.length;
        int last = columns - 1;
        int[] widths = new int[columns];
        for (int i = 0; i < columns; i++) {
            widths[i] = i == 0 ? Math.min(first, width(i)) : width(i);
        }
        int used = used(widths, last);
        boolean whole = width - used >= Math.min(LEAST, widths[last]);
        columns = whole ? columns : last;
        while (!whole && columns > 2 && used(widths, columns) - 2 > width) {
            columns--;
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            if (row.length == 1) {
                Wrap.lines(row[0], width, "  ")
                        .forEach(line -> text.append(line).append('\n'));
            } else {
                text.append(line(row, widths, columns, last, width - used)).append('\n');
            }
        }
        return text.toString();
    }

    /** What the first columns take, the space behind each included. */
    private static int used(int[] widths, int columns) {
        int used = 0;
        for (int i = 0; i < columns; i++) {
            used += widths[i] + 2;
        }
        return used;
    }

    private String line(String[] row, int[] widths, int columns, int last, int room) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns; i++) {
            String cell = i == last ? Wrap.cut(row[i], room) : row[i];
            if (i == 0 && cell.length() > widths[0]) {
                line.append(cell).append('\n');
                cell = "";
            }
            String padding = i == last && !right[i] ? "" : " ".repeat(Math.max(0, widths[i] - cell.length()));
            line.append(i == 0 ? "" : "  ").append(right[i] ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.length > 1)
                .mapToInt(row -> row[column].length())
                .max()
                .orElse(0);
    }
}
