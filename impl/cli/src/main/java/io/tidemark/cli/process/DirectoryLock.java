package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.node.config.IoReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second command out of a directory; the operating system releases it however the process ends. */
public final class DirectoryLock implements AutoCloseable {
    private final Path dir;
    private final FileChannel channel;

    private DirectoryLock(Path dir, FileChannel channel) {
        this.dir = dir;
        this.channel = channel;
    }

    /** Creates the directory if it is not there, and locks it. */
    public static DirectoryLock take(Path dir) {
        FileChannel channel;
        try {
            Files.createDirectories(dir);
            channel = FileChannel.open(dir.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new CliException(
                    dir.toString(),
                    "cannot be written: " + IoReason.of(e),
                    "a directory that this user may write",
                    ExitCode.ENVIRONMENT,
                    "NOT_WRITABLE",
                    null);
        }
        try {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                return new DirectoryLock(dir, channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new CliException(
                    dir.toString(),
                    "cannot be locked: " + IoReason.of(e),
                    "a file system with locks",
                    ExitCode.ENVIRONMENT);
        }
        throw new CliException(
                dir.toString(),
                "another tidemark uses this directory",
                "end it, or give another --dir",
                ExitCode.ENVIRONMENT,
                "LOCKED",
                null);
    }

    /** The directory that is ours while this is open. */
    public Path dir() {
        return dir;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the descriptor, which is closed even so.
            return;
        }
    }
}
