package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;

/** Whether a log still takes writes: not after it was closed, nor after an IO error that leaves in doubt what is on disk. */
final class LogHealth {
    private final Path dir;
    private volatile boolean failed;
    private volatile boolean closed;

    LogHealth(Path dir) {
        this.dir = dir;
    }

    boolean failed() {
        return failed;
    }

    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    void checkUsable() {
        if (failed || closed) {
            throw new StorageException(dir, closed ? "log is closed" : "log failed before");
        }
    }

    /** Fails the log for good. @return what to throw */
    StorageException fail(Path path, String what, IOException e) {
        failed = true;
        return new StorageException(path, what, e);
    }
}
