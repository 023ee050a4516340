package io.tidemark.cli.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Text in lines of a given width. */
public final class Wrap {
    /** Where nobody says how wide the reader's screen is. */
    private static final int UNKNOWN = 100;

    /** A width that no text has. */
    public static final int NOWHERE = Integer.MAX_VALUE;

    /** What colours a text and takes no room. */
    private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*m");

    private Wrap() {}

    /** The columns that a reader has: the terminal's; of a file or a pipe those that were asked for, else 100. */
    public static int width(Terminal terminal) {
        return terminal.out() || terminal.columns() != 80 ? terminal.columns() : UNKNOWN;
    }

    /** Where what is too long is cut: at the terminal's width; a file or a pipe gets all of it. */
    public static int cutting(Terminal terminal) {
        return terminal.out() ? terminal.columns() : NOWHERE;
    }

    /** The text as it is seen: without what colours it. */
    public static String plain(String text) {
        return text.indexOf('\u001B') < 0 ? text : COLOUR.matcher(text).replaceAll("");
    }

    /** The words in lines; all but the first begin with the indent. A word that is longer than a line has one of its own. */
    public static List<String> lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int start = text.length() - text.stripLeading().length();
        line.append(text, 0, start);
        int length = start;
        boolean empty = true;
        for (String word : text.substring(start).split(" ", -1)) {
            int room = plain(word).length();
            if (!empty && length + 1 + room > width) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
                length = indent.length();
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            length += room + (empty ? 0 : 1);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** The cells in as many columns as fit, read line by line. */
    public static List<String> cells(List<String> cells, int width, String indent) {
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
    public static String cut(String text, int width) {
        return text.length() <= width
                ? text
                : text.substring(0, Math.max(0, width - 3)).stripTrailing() + "...";
    }
}
