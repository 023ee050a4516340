package io.tidemark.spec.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The comments of TLA+: from {@code \\*} to the end of the line, and between {@code (*} and {@code *)}, nested. */
final class Comments {
    private Comments() {}

    /** The lines of a module that stands in one of these directories, the first that has it; none where it cannot be read. */
    static List<String> lines(String module, List<Path> places) {
        return places.stream()
                .map(place -> place.resolve(module + ".tla"))
                .filter(Files::isRegularFile)
                .findFirst()
                .map(Comments::lines)
                .orElse(List.of());
    }

    /** The lines of a module; none where it cannot be read. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * The words of the comment that ends right above a line. SANY hands out all comments since the definition before, headings
     * of sections too: what a blank line or a rule parts from the definition does not speak of it.
     *
     * @param line from 1; below the first and behind the last there is nothing above
     */
    static String above(List<String> lines, int line) {
        int last = Math.min(line - 1, lines.size());
        int first = last;
        for (int begin = begin(lines, first); begin >= 0; begin = begin(lines, first)) {
            first = begin;
        }
        return first >= last ? "" : words(lines.subList(first, last));
    }

    /** The words of the comment above those definitions that stand with this one, without a blank line between them. */
    static String aboveGroup(List<String> lines, int line) {
        int at = Math.min(line, lines.size() + 1);
        while (at > 1 && begin(lines, at - 1) < 0 && !lines.get(at - 2).isBlank()) {
            at--;
        }
        return above(lines, at);
    }

    /** Where the comment begins whose last line is the one before this index; -1 where none ends there. */
    private static int begin(List<String> lines, int end) {
        if (end < 1) {
            return -1;
        }
        String last = lines.get(end - 1);
        boolean whole = last.startsWith("(*") && last.stripTrailing().endsWith("*)");
        if (whole || last.startsWith("\\*")) {
            return end - 1;
        }
        if (!last.stripTrailing().endsWith("*)") || last.contains("(*")) {
            return -1;
        }
        int begin = end - 2;
        while (begin >= 0 && !lines.get(begin).startsWith("(*")) {
            begin--;
        }
        return begin;
    }

    /** No stars, boxes or rules, one space between words. */
    private static String words(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("^\\s*(\\(\\*+|\\\\\\*+)|\\*+\\)\\s*$", " ")
                        .replaceAll("^\\s*-{4,}\\s*$", "")
                        .strip())
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }

    /** The text without them. Indentation stays, as it has a meaning; space at the ends of lines goes. */
    static String without(String text) {
        StringBuilder kept = new StringBuilder();
        int depth = 0;
        boolean string = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!string && text.startsWith("(*", i)) {
                depth++;
                i++;
                kept.append("  ");
            } else if (depth > 0 && text.startsWith("*)", i)) {
                depth--;
                i++;
                kept.append("  ");
            } else if (depth > 0) {
                // What stands behind a comment keeps its column.
                kept.append(c == '\n' ? '\n' : ' ');
            } else if (!string && text.startsWith("\\*", i)) {
                int end = text.indexOf('\n', i);
                i = (end < 0 ? text.length() : end) - 1;
            } else {
                // A backslash in a string keeps the next character from ending it.
                if (string && c == '\\' && i + 1 < text.length()) {
                    kept.append(c);
                    c = text.charAt(++i);
                } else if (c == '"') {
                    string = !string;
                }
                kept.append(c);
            }
        }
        return kept.toString().replaceAll("[ \\t]+(?=\n|$)", "").replaceAll("\n{2,}", "\n");
    }
}
