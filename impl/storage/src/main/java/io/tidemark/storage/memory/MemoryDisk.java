package io.tidemark.storage.memory;

import io.tidemark.storage.Disk;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.memory.Faults.Effect;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory. The fault model, which is the weakest that the {@link Disk} contract allows:
 *
 * <ul>
 *   <li><b>Power loss</b> ({@link #losePower}): of the writes and truncations of a file since its last force each is kept,
 *       lost or, a write, torn at sectors of 512 bytes, independently of the others; a lost part reads as before or as
 *       zeros, and the size may cover it or not. Of a name's bindings (made, deleted, renamed to) since the directory's
 *       last sync any one may hold, independently of other names. What was forced and synced stays.
 *   <li><b>Kill</b> ({@link #kill}): nothing is lost; handles and locks of the process are gone.
 *   <li><b>Full disk</b>: above {@link #setCapacity} a write fails after a part of it was written.
 *   <li><b>Errors and lies</b> ({@link Faults}): any effect may fail, before or after it took place; a force may do nothing,
 *       and what it should have forced is then as if it was not forced, until {@link #keepPromises}.
 *   <li><b>Corrupted reads</b> ({@link Faults#reading}): a read may return other bytes than there are.
 * </ul>
 *
 * Deterministic: the same calls and the same generator give the same disk. Safe for several threads.
 */
public final class MemoryDisk implements Disk {
    private final Inode.Directory root = new Inode.Directory();
    private final TreeSet<String> locks = new TreeSet<>();
    private Faults faults = Faults.NONE;
    private long capacity = Long.MAX_VALUE;
    private long used;
    private int incarnation;

    /** Replaces the faults; {@link Faults#NONE} ends them. */
    public synchronized void setFaults(Faults faults) {
        this.faults = faults;
    }

    /** Bytes that all files together may have; lowering it deletes nothing. */
    public synchronized void setCapacity(long bytes) {
        capacity = bytes;
    }

    /** Bytes of all files that have a name. */
    public synchronized long used() {
        return used;
    }

    /** The process that used the disk is gone: its handles fail, its locks are free. */
    public synchronized void kill() {
        incarnation++;
        locks.clear();
    }

    /**
     * What was not durable when the machine lost power.
     *
     * @param any whether there was anything: a write, a truncation or a name
     * @param lied whether some of it was said to be durable, by a force that lied
     */
    public record NotDurable(boolean any, boolean lied) {}

    /** The machine lost power: as {@link #kill}, and a random part of what was not durable is gone. */
    public synchronized NotDurable losePower(RandomGenerator random) {
        kill();
        NotDurable before = notDurable();
        root.losePower(random);
        used = bytes(root);
        return before;
    }

    /** What is not durable now. */
    public synchronized NotDurable notDurable() {
        return new NotDurable(root.has(Inode::unforced), root.has(Inode::lied));
    }

    /**
     * What a file holds after a power loss now, whichever way it goes; null where that is open, or where there may be no
     * file of the name.
     */
    public synchronized byte @Nullable [] certain(Path file) {
        Inode.File content = certainly(file);
        return content == null || content.unforced() ? null : content.forced();
    }

    /** What of a file was forced; null where after a power loss there may be no file of the name. */
    public synchronized byte @Nullable [] forced(Path file) {
        Inode.File content = certainly(file);
        return content == null ? null : content.forced();
    }

    private Inode.@Nullable File certainly(Path file) {
        @Nullable Inode current = root;
        for (Path part : absolute(file)) {
            current = current instanceof Inode.Directory directory ? directory.certain(part.toString()) : null;
        }
        return current instanceof Inode.File content ? content : null;
    }

    /** Forces that lied become true, as when a machine ends in order and its disk empties its cache. */
    public synchronized void keepPromises() {
        root.keepPromises();
    }

    private static long bytes(Inode node) {
        if (node instanceof Inode.Directory directory) {
            long sum = 0;
            for (Inode child : directory.children.values()) {
                sum += bytes(child);
            }
            return sum;
        }
        return ((Inode.File) node).size();
    }

    @Override
    public synchronized FileHandle open(Path file, boolean create) throws IOException {
        Inode.Directory parent = parent(file);
        Inode node = parent.children.get(name(file));
        if (node == null) {
            if (!create) {
                throw new NoSuchFileException(file.toString());
            }
            faults.before(Effect.CREATE, file);
            node = new Inode.File();
            parent.bind(name(file), node);
            faults.after(Effect.CREATE, file);
        }
        if (node instanceof Inode.File content) {
            return new Handle(file, content, incarnation);
        }
        throw new IOException(file + ": is a directory");
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        Inode.Directory current = root;
        for (Path part : absolute(directory)) {
            Inode child = current.children.get(part.toString());
            if (child == null) {
                faults.before(Effect.CREATE, directory);
                child = new Inode.Directory();
                current.bind(part.toString(), child);
                faults.after(Effect.CREATE, directory);
            }
            if (!(child instanceof Inode.Directory next)) {
                throw new FileAlreadyExistsException(directory.toString());
            }
            current = next;
        }
    }

    @Override
    public synchronized List<Path> list(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        directory(directory).children.keySet().forEach(name -> children.add(directory.resolve(name)));
        return children;
    }

    @Override
    public synchronized boolean exists(Path path) {
        return find(path) != null;
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return find(path) instanceof Inode.Directory;
    }

    @Override
    public synchronized boolean delete(Path path) throws IOException {
        Inode node = find(path);
        if (node == null) {
            return false;
        }
        if (node instanceof Inode.Directory directory && !directory.children.isEmpty()) {
            throw new IOException(path + ": directory is not empty");
        }
        faults.before(Effect.DELETE, path);
        used -= bytes(node);
        parent(path).bind(name(path), null);
        faults.after(Effect.DELETE, path);
        return true;
    }

    @Override
    public synchronized boolean deleteTree(Path path) throws IOException {
        if (find(path) instanceof Inode.Directory directory) {
            for (String child : new ArrayList<>(directory.children.keySet())) {
                deleteTree(path.resolve(child));
            }
        }
        return delete(path);
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        Inode node = find(from);
        if (node == null) {
            throw new NoSuchFileException(from.toString());
        }
        Inode replaced = find(to);
        if (replaced instanceof Inode.Directory || (replaced != null && node instanceof Inode.Directory)) {
            throw new FileAlreadyExistsException(to.toString());
        }
        Inode.Directory target = parent(to);
        faults.before(Effect.RENAME, to);
        if (replaced != null && replaced != node) {
            used -= bytes(replaced);
        }
        target.bind(name(to), node);
        parent(from).bind(name(from), null);
        faults.after(Effect.RENAME, to);
    }

    @Override
    public synchronized void syncDirectory(Path directory) throws IOException {
        Inode.Directory node = directory(directory);
        faults.before(Effect.SYNC_DIRECTORY, directory);
        if (!faults.lies(Effect.SYNC_DIRECTORY, directory)) {
            node.sync();
        }
        faults.after(Effect.SYNC_DIRECTORY, directory);
    }

    @Override
    public synchronized Closeable lock(Path file) throws IOException {
        String key = absolute(file).toString();
        if (!locks.add(key)) {
            throw new IOException("locked by another process that uses this directory");
        }
        int owner = incarnation;
        return () -> {
            synchronized (MemoryDisk.this) {
                if (owner == incarnation) {
                    locks.remove(key);
                }
            }
        };
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static String name(Path path) throws IOException {
        Path name = absolute(path).getFileName();
        if (name == null) {
            throw new IOException("the root directory has no name");
        }
        return name.toString();
    }

    private @Nullable Inode find(Path path) {
        Inode current = root;
        for (Path part : absolute(path)) {
            if (!(current instanceof Inode.Directory directory)) {
                return null;
            }
            Map<String, Inode> children = directory.children;
            Inode child = children.get(part.toString());
            if (child == null) {
                return null;
            }
            current = child;
        }
        return current;
    }

    private Inode.Directory directory(Path path) throws IOException {
        if (find(path) instanceof Inode.Directory directory) {
            return directory;
        }
        throw new NoSuchFileException(path.toString());
    }

    private Inode.Directory parent(Path path) throws IOException {
        Path parent = absolute(path).getParent();
        return parent == null ? root : directory(parent);
    }

    private final class Handle implements FileHandle {
        private final Path path;
        private final Inode.File content;
        private final int owner;
        private boolean closed;

        private Handle(Path path, Inode.File content, int owner) {
            this.path = path;
            this.content = content;
            this.owner = owner;
        }

        private void checkOpen() throws IOException {
            if (closed || owner != incarnation) {
                throw new IOException(path + ": closed");
            }
        }

        @Override
        public Path path() {
            return path;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            synchronized (MemoryDisk.this) {
                checkOpen();
                faults.before(Effect.WRITE, path);
                long growth = Math.max(0, position + source.remaining() - content.size());
                boolean full = growth > 0 && used + growth > capacity;
                int count =
                        full ? (int) Math.max(0, source.remaining() - (used + growth - capacity)) : source.remaining();
                byte[] bytes = new byte[count];
                source.get(bytes);
                long before = content.size();
                if (count > 0) {
                    content.write(Math.toIntExact(position), bytes);
                }
                used += content.size() - before;
                if (full) {
                    throw new IOException(path + ": no space left on device");
                }
                faults.after(Effect.WRITE, path);
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            synchronized (MemoryDisk.this) {
                checkOpen();
                int count = (int) Math.max(0, Math.min(target.remaining(), content.size() - position));
                byte[] bytes = new byte[count];
                content.read(bytes, 0, (int) Math.min(position, content.size()), count);
                faults.reading(path, position, bytes);
                target.put(bytes);
                return count;
            }
        }

        @Override
        public long size() throws IOException {
            synchronized (MemoryDisk.this) {
                checkOpen();
                return content.size();
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (MemoryDisk.this) {
                checkOpen();
                if (size < 0) {
                    throw new EOFException(path + ": truncate to " + size);
                }
                if (size >= content.size()) {
                    return;
                }
                faults.before(Effect.TRUNCATE, path);
                used -= content.size() - size;
                content.truncate((int) size);
                faults.after(Effect.TRUNCATE, path);
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (MemoryDisk.this) {
                checkOpen();
                faults.before(Effect.FORCE, path);
                if (faults.lies(Effect.FORCE, path)) {
                    content.promise();
                } else {
                    content.force();
                }
                faults.after(Effect.FORCE, path);
            }
        }

        @Override
        public @Nullable FileChannel channel() {
            return null;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
