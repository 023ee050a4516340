package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Terminal;
import java.util.ArrayList;
import java.util.List;

/** Text in lines of a given width. */
final class Wrap {
    /** Where nobody says how wide the reader's screen is. */
    private static final int UNKNOWN = 100;

    /** A width that no text has. */
    static final int NOWHERE = Integer.MAX_VALUE;

    private Wrap() {}

    /** The columns that a reader has: the terminal's; of a file or a pipe those that were asked for, else 100. */
    static int width(Terminal terminal) {
        return terminal.out() || terminal.columns() != 80 ? terminal.columns() : UNKNOWN;
    }

    /** Where what is too long is cut: at the terminal's width; a file or a pipe gets all of it. */
    static int cutting(Terminal terminal) {
        return terminal.out() ? terminal.columns() : NOWHERE;
    }

    /** The words in lines; all but the first begin with the indent. A word that is longer than a line has one of its own. */
    static List<String> lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int start = text.length() - text.stripLeading().length();
        line.append(text, 0, start);
        boolean empty = true;
        for (String word : text.substring(start).split(" ", -1)) {
            if (!empty && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** The cells in as many columns as fit, read line by line. */
    static List<String> cells(List<String> cells, int width, String indent) {
        int widest = cells.stream().mapToInt(String::length).max().orElse(0) + 2;
        int columns = Math.max(1, (width + 2 - indent.length()) / Math.max(1, widest));
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            line.append(i % columns == 0 ? indent : "").append(cells.get(i));
            if (i % columns == columns - 1 || i == cells.size() - 1) {
                lines.add(line.toString());
                line = new StringBuilder();
            } else {
                line.append(" ".repeat(widest - cells.get(i).length()));
            }
        }
        return lines;
    }

    /** The text, or as much of it as fits. */
    static String cut(String text, int width) {
        return text.length() <= width
                ? text
                : text.substring(0, Math.max(0, width - 3)).stripTrailing() + "...";
    }
}
