package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Session;
import java.util.Locale;

/** Lines of text in the making: as long as they are in a pipe or a file, broken at spaces on a terminal. */
final class TextLines {
    /** What is broken gets at least so much room. */
    private static final int MIN_ROOM = 24;
    /** Where there is none beside its label, it begins on a line of its own. */
    private static final int LITTLE_INDENT = 6;

    private final StringBuilder out = new StringBuilder();
    private final int width;

    /**
     * No lines yet.
     *
     * @param width in columns, 0 for no limit
     */
    TextLines(int width) {
        this.width = width;
    }

    /** The terminal's width, 0 where standard output is none. */
    static int width(Session session) {
        return session.terminal().out() ? session.terminal().columns() : 0;
    }

    void blank() {
        out.append('\n');
    }

    void line(String text) {
        labelled("", 0, text);
    }

    /** The label, then the text from the column on, all its lines. */
    void labelled(String label, int column, String text) {
        String head = column == 0 ? label : String.format(Locale.ROOT, "%-" + column + "s", label);
        int indent = column;
        int at = head.length();
        if (width > 0 && width - column < MIN_ROOM && at + text.length() > width) {
            indent = LITTLE_INDENT;
            out.append(broken(head.stripTrailing())).append('\n').append(" ".repeat(indent));
            at = indent;
        } else {
            out.append(head);
        }
        boolean first = true;
        for (String word : text.split(" ", -1)) {
            if (!first && width > 0 && at + 1 + word.length() > width) {
                out.append('\n').append(" ".repeat(indent));
                at = indent;
            } else if (!first) {
                out.append(' ');
                at++;
            }
            out.append(word);
            at += word.length();
            first = false;
        }
        out.append('\n');
    }

    /** A label that is wider than the terminal itself: a row of a table. */
    private String broken(String head) {
        StringBuilder lines = new StringBuilder();
        String rest = head;
        while (rest.length() > width) {
            int cut = rest.lastIndexOf(' ', width);
            if (rest.substring(0, Math.max(0, cut)).isBlank()) {
                break;
            }
            lines.append(rest.substring(0, cut).stripTrailing()).append('\n');
            rest = " ".repeat(LITTLE_INDENT) + rest.substring(cut).strip();
        }
        return lines.append(rest).toString();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
