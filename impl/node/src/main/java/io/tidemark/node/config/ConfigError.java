package io.tidemark.node.config;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a file or a directory.
 *
 * @param code {@code BAD_KEY}, {@code BAD_VALUE}, {@code MISSING_KEY}, {@code NOT_SERVED}, {@code UNREADABLE}, {@code NOT_FORMATTED},
 *     {@code FOREIGN}
 * @param where file and line
 * @param nearest the key that was probably meant
 */
public record ConfigError(
        String code,
        String where,
        String message,
        String expected,
        @Nullable String nearest) {
    /** Without the program's name: {@code WHERE: WHAT; EXPECTED}. */
    @Override
    public String toString() {
        return where + ": " + message + "; " + expected;
    }
}
