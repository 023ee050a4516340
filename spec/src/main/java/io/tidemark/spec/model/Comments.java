package io.tidemark.spec.model;

/** The comments of TLA+: from {@code \\*} to the end of the line, and between {@code (*} and {@code *)}, nested. */
final class Comments {
    private Comments() {}

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
