package io.tidemark.node.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file in the format of {@link java.util.Properties}, with the line that each entry begins on. As there, the last of
 * several entries with one key wins.
 *
 * @param name as the user gave it
 * @param entries by key, in the order of the file
 */
record PropertiesFile(String name, Map<String, Entry> entries) {
    private static final long MAX_BYTES = 1 << 20;

    /**
     * What a key is set to.
     *
     * @param assigned whether {@code =} or {@code :} stands between key and value, not white space or nothing
     */
    record Entry(String value, int line, boolean assigned) {}

    static PropertiesFile read(Path file) throws ConfigException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigException("UNREADABLE", file.toString(), "is larger than 1 MiB", "a properties file");
            }
            return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new ConfigException("UNREADABLE", file.toString(), "does not exist", "a properties file");
        } catch (java.nio.charset.CharacterCodingException e) {
            throw new ConfigException("UNREADABLE", file.toString(), "is not text in UTF-8", "a properties file");
        } catch (IOException e) {
            throw new ConfigException(
                    "UNREADABLE", file.toString(), "cannot be read: " + e.getMessage(), "a properties file");
        }
    }

    static PropertiesFile parse(String name, String text) throws ConfigException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        List<ConfigError> errors = new ArrayList<>();
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int i = 0; i < lines.length; i++) {
            int first = i + 1;
            String logical = lines[i].stripLeading();
            if (logical.isEmpty() || logical.startsWith("#") || logical.startsWith("!")) {
                continue;
            }
            StringBuilder joined = new StringBuilder(logical);
            while (endsInOddBackslashes(joined) && i + 1 < lines.length) {
                joined.setLength(joined.length() - 1);
                if (joined.isEmpty()) {
                    break;
                }
                joined.append(lines[++i].stripLeading());
            }
            try {
                if (!joined.isEmpty()) {
                    addEntry(joined.toString(), first, entries);
                }
            } catch (IllegalArgumentException e) {
                errors.add(new ConfigError(
                        "UNREADABLE",
                        name + ":" + first,
                        "\\u is not followed by four hex digits",
                        "like \\u00e9",
                        null));
            }
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
        return new PropertiesFile(name, entries);
    }

    private static boolean endsInOddBackslashes(CharSequence line) {
        int count = 0;
        while (count < line.length() && line.charAt(line.length() - 1 - count) == '\\') {
            count++;
        }
        return count % 2 == 1;
    }

    private static void addEntry(String line, int lineNumber, Map<String, Entry> entries) {
        int end = 0;
        while (end < line.length() && " \t\f=:".indexOf(line.charAt(end)) < 0) {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, line.length());
        int start = end;
        while (start < line.length() && " \t\f".indexOf(line.charAt(start)) >= 0) {
            start++;
        }
        boolean assigned = start < line.length() && "=:".indexOf(line.charAt(start)) >= 0;
        if (assigned) {
            start++;
        }
        entries.put(
                unescape(line.substring(0, end)),
                new Entry(unescape(line.substring(start).stripLeading()), lineNumber, assigned));
    }

    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || ++i == text.length()) {
                if (c != '\\') {
                    plain.append(c);
                }
                continue;
            }
            c = text.charAt(i);
            switch (c) {
                case 't' -> plain.append('\t');
                case 'r' -> plain.append('\r');
                case 'n' -> plain.append('\n');
                case 'f' -> plain.append('\f');
                case 'u' -> {
                    if (i + 5 > text.length()) {
                        throw new IllegalArgumentException("short escape");
                    }
                    plain.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> plain.append(c);
            }
        }
        return plain.toString();
    }

    /** Where the entry of {@code key} is, or the file alone where it has none. */
    String where(String key) {
        Entry entry = entries.get(key);
        return entry == null ? name : name + ":" + entry.line();
    }
}
