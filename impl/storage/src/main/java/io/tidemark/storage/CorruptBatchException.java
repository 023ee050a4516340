package io.tidemark.storage;

/** Bytes that are not a whole, valid record batch; the message says what is wrong. */
public final class CorruptBatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean torn;

    public CorruptBatchException(String message) {
        this(message, false);
    }

    private CorruptBatchException(String message, boolean torn) {
        super(message);
        this.torn = torn;
    }

    /** The bytes end before the batch does. */
    static CorruptBatchException torn(String message) {
        return new CorruptBatchException("torn batch: " + message, true);
    }

    boolean isTorn() {
        return torn;
    }
}
