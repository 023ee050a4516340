package io.tidemark.storage;

import java.nio.file.Path;

/** Names in a partition's directory: twenty digits of an offset and a suffix. */
final class LogFiles {
    static final String LOG = ".log";
    static final String INDEX = ".index";
    static final String TIME_INDEX = ".timeindex";
    static final String TXN_INDEX = ".txnindex";
    static final String SNAPSHOT = ".snapshot";

    private static final int DIGITS = 20;

    private LogFiles() {}

    static Path log(Path dir, long offset) {
        return dir.resolve(name(offset) + LOG);
    }

    static Path index(Path dir, long offset) {
        return dir.resolve(name(offset) + INDEX);
    }

    static Path timeIndex(Path dir, long offset) {
        return dir.resolve(name(offset) + TIME_INDEX);
    }

    static Path txnIndex(Path dir, long offset) {
        return dir.resolve(name(offset) + TXN_INDEX);
    }

    static Path snapshot(Path dir, long offset) {
        return dir.resolve(name(offset) + SNAPSHOT);
    }

    private static String name(long offset) {
        String digits = Long.toString(offset);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? "" : name.toString();
    }

    /** The offset in a name that is twenty digits and then {@code suffix}, else -1. */
    static long offsetOf(String name, String suffix) {
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return -1;
        }
        for (int i = 0; i < DIGITS; i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return -1;
            }
        }
        try {
            return Long.parseLong(name.substring(0, DIGITS));
        } catch (NumberFormatException tooLarge) {
            return -1;
        }
    }
}
