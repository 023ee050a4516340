package io.tidemark.storage;

import java.io.IOException;

/** A file was read and is not what it must be; the message begins with its path and line. */
final class MalformedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedFileException(String message) {
        super(message);
    }
}
