package io.tidemark.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The port to a file system. What is durable, and when:
 *
 * <ul>
 *   <li>the content and size of a file: after {@link FileHandle#force} returned;
 *   <li>a name (a file or directory created, renamed or deleted): after {@link #syncDirectory} of the directory that
 *       holds the name returned. Forcing a file says nothing about its name;
 *   <li>everything else may be there, be missing or be there in part after a power loss, in any combination. A killed
 *       process loses nothing that was written.
 * </ul>
 *
 * Failures surface as {@link IOException}; none is swallowed. Threads that use a real disk must not be interrupted: the JDK
 * closes a {@code FileChannel} under an interrupted thread.
 */
public interface Disk {
    /** Opens a file to read and write; {@code create}: makes an empty one if there is none, else that is an error. */
    FileHandle open(Path file, boolean create) throws IOException;

    /** Creates a directory and its missing parents. */
    void createDirectories(Path directory) throws IOException;

    /** The children of a directory, sorted by name. */
    List<Path> list(Path directory) throws IOException;

    boolean exists(Path path) throws IOException;

    boolean isDirectory(Path path) throws IOException;

    /** Deletes a file or an empty directory; returns whether there was one. Open handles stay usable. */
    boolean delete(Path path) throws IOException;

    /** Deletes a directory with all that is in it, or a file; returns whether there was one. */
    boolean deleteTree(Path path) throws IOException;

    /** Renames a file or directory atomically, replacing a file that has the new name. */
    void rename(Path from, Path to) throws IOException;

    /** Makes the names in a directory durable. */
    void syncDirectory(Path directory) throws IOException;

    /** Takes an exclusive lock on a file, made if missing; held until closed or until the process ends. */
    Closeable lock(Path file) throws IOException;
}
