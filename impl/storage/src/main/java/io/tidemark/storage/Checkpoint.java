package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kafka's text checkpoints: a line with the version (0), one with the number of entries, then a line each. */
final class Checkpoint {
    private static final String VERSION = "0";

    private Checkpoint() {}

    static String encode(List<String> entries) {
        StringBuilder text = new StringBuilder(32 * (entries.size() + 1));
        text.append(VERSION).append('\n').append(entries.size()).append('\n');
        entries.forEach(entry -> text.append(entry).append('\n'));
        return text.toString();
    }

    /**
     * The entries; none if the file is missing.
     *
     * @throws MalformedFileException if it is no whole checkpoint; the message has the line
     */
    static List<String> read(Disk disk, Path file) throws IOException {
        if (!disk.exists(file)) {
            return List.of();
        }
        List<String> lines = SmallFiles.readText(disk, file).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(VERSION)) {
            throw new MalformedFileException(file + ":1: expected version " + VERSION);
        }
        if (lines.size() < 2 || !lines.get(1).equals(Integer.toString(lines.size() - 2))) {
            throw new MalformedFileException(
                    file + ":2: expected the number of entries, " + Math.max(0, lines.size() - 2));
        }
        return new ArrayList<>(lines.subList(2, lines.size()));
    }

    /** Splits an entry into {@code count} fields. */
    static String[] fields(Path file, int index, String entry, int count) throws MalformedFileException {
        String[] fields = entry.split("\\s+", -1);
        if (fields.length != count) {
            throw new MalformedFileException(
                    file + ":" + (index + 3) + ": expected " + count + " fields, found: " + entry);
        }
        return fields;
    }

    /** A number of at least 0. */
    static long number(Path file, int index, String field) throws MalformedFileException {
        try {
            long value = Long.parseLong(field);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException reportedBelow) {
            // The same message for both.
        }
        throw new MalformedFileException(
                file + ":" + (index + 3) + ": expected a number of at least 0, found: " + field);
    }
}
