package io.tidemark.core.log;

/**
 * Names record bytes without showing them: a buffer from the network or a region of a file. The core passes it through
 * untouched; only storage and the wire look inside.
 */
public interface RecordsRef {
    /** Length of the bytes, at least 0. */
    int sizeInBytes();
}
