package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file could not be read or written, or its content is not what it must be. The replica that owns the file has to stop,
 * visibly; what was durable before stays.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    public StorageException(Path path, String message) {
        super(path + ": " + message);
        this.path = path;
    }

    public StorageException(Path path, String what, IOException cause) {
        super(path + ": " + what + ": " + cause, cause);
        this.path = path;
    }

    /** Of what names the file itself. */
    StorageException(Path path, MalformedFileException damage) {
        super(damage.getMessage(), damage);
        this.path = path;
    }

    /** Whether the file was read and is not what it must be; else it could not be read or written. */
    public boolean isDamage() {
        return getCause() == null || getCause() instanceof MalformedFileException;
    }

    /** The file or directory at fault. */
    public Path path() {
        return path;
    }
}
