package io.tidemark.storage;

/** Bytes that are not a whole, valid record batch; the message says what is wrong. */
public final class CorruptBatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptBatchException(String message) {
        super(message);
    }
}
