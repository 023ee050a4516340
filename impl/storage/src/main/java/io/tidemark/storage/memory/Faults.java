package io.tidemark.storage.memory;

import java.io.IOException;
import java.nio.file.Path;

/** What a {@link MemoryDisk} does wrong, and a place to stop at each effect. */
public interface Faults {
    /** The operations that change what a power loss leaves. */
    enum Effect {
        CREATE,
        WRITE,
        TRUNCATE,
        FORCE,
        DELETE,
        RENAME,
        SYNC_DIRECTORY
    }

    /** No faults. */
    Faults NONE = new Faults() {};

    /** Called before an effect; an exception is thrown to the caller in its place. */
    default void before(Effect effect, Path path) throws IOException {}

    /** Called after an effect; an exception is thrown although it took place. */
    default void after(Effect effect, Path path) throws IOException {}

    /** Whether a {@link Effect#FORCE} or {@link Effect#SYNC_DIRECTORY} reports success and does nothing. */
    default boolean lies(Effect effect, Path path) {
        return false;
    }

    /**
     * Called with what a read is about to return; may change it.
     *
     * @param position where in the file {@code bytes} begin
     */
    default void reading(Path path, long position, byte[] bytes) {}
}
