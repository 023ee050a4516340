package io.tidemark.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes Java properties so that people and simple parsers can read them: in order, no escapes where none is needed. */
final class PropertiesWriter {
    private PropertiesWriter() {}

    static void write(Path file, Map<String, String> properties) throws IOException {
        List<String> lines = new ArrayList<>();
        properties.forEach((key, value) -> lines.add(line(key, value)));
        Files.write(file, lines, StandardCharsets.ISO_8859_1);
    }

    /** Replaces the keys' lines and appends those of new keys; every other line stays as it is. */
    static void set(Path file, Map<String, String> properties) throws IOException {
        Map<String, String> missing = new LinkedHashMap<>(properties);
        List<String> lines = new ArrayList<>();
        for (String old : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            String key = old.strip().split("[=: \t]", 2)[0];
            if (!properties.containsKey(key)) {
                lines.add(old);
            } else if (missing.containsKey(key)) {
                lines.add(line(key, missing.remove(key)));
            }
        }
        missing.forEach((key, value) -> lines.add(line(key, value)));
        Files.write(file, lines, StandardCharsets.ISO_8859_1);
    }

    private static String line(String key, String value) {
        StringBuilder line = new StringBuilder(key).append('=');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' || (c == ' ' && i == 0)) {
                line.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
