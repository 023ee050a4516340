package io.tidemark.cli.drill;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.node.config.IoReason;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a drill leaves what it made.
 *
 * @param dir history, report and the clients' log
 * @param cluster the nodes with their data, configurations and logs; in {@code dir} but where they have a small file
 *     system to themselves, so that what fills it up does not take the history with it
 * @param given whether the user named a directory: then all is kept whatever the verdict
 */
record RunDirectory(Path dir, Path cluster, boolean given) {
    static final String LOST = "lost.tsv";
    private static final String UNNAMED = "run-";

    /**
     * A new directory; one that is given must be empty or not exist.
     *
     * @param state where directories go that nobody named
     * @param clusterAlone whether the given directory is for the nodes alone
     */
    static RunDirectory create(@Nullable Path given, Path state, boolean clusterAlone) {
        try {
            if (given == null) {
                Path dir = unnamed(state.toAbsolutePath().normalize());
                return new RunDirectory(dir, dir.resolve("cluster"), false);
            }
            if (Files.exists(given) && !Files.isDirectory(given)) {
                throw new CliException(
                        "drill --dir " + given,
                        "is no directory",
                        "a new or empty one",
                        ExitCode.USAGE,
                        "NOT_A_DIRECTORY",
                        null);
            }
            Path dir = Files.createDirectories(given.toAbsolutePath().normalize());
            try (Stream<Path> entries = Files.list(dir)) {
                // A new ext file system has lost+found.
                if (entries.anyMatch(entry -> !entry.endsWith("lost+found"))) {
                    throw new CliException(
                            "drill --dir " + given,
                            "the directory is not empty",
                            "a new or empty one: a drill starts from nothing",
                            ExitCode.USAGE,
                            "NOT_EMPTY",
                            null);
                }
            }
            return new RunDirectory(
                    clusterAlone ? unnamed(state.toAbsolutePath().normalize()) : dir, dir.resolve("cluster"), true);
        } catch (IOException e) {
            throw new CliException(
                    given == null ? state.resolve("drill").toString() : "drill --dir " + given,
                    "cannot be written: " + IoReason.of(e),
                    "a writable directory",
                    ExitCode.ENVIRONMENT,
                    "NOT_WRITABLE",
                    null);
        }
    }

    private static Path unnamed(Path state) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(state.resolve("drill")), UNNAMED);
    }

    Path history() {
        return dir.resolve("history.edn");
    }

    /** Every lost record, a line each. */
    Path lost() {
        return dir.resolve(LOST);
    }

    Path report() {
        return dir.resolve("report.txt");
    }

    /** How many runs before this one were kept beside it, to be appended to a line; empty for none. */
    String earlier() {
        Path parent = dir.getParent();
        if (parent == null || !dir.getFileName().toString().startsWith(UNNAMED)) {
            return "";
        }
        try (Stream<Path> runs = Files.list(parent)) {
            long others = runs.filter(run ->
                            !run.equals(dir) && run.getFileName().toString().startsWith(UNNAMED))
                    .count();
            return others == 0 ? "" : "; " + others + " more in " + parent;
        } catch (IOException e) {
            return "";
        }
    }

    void delete() throws IOException {
        Files.walkFileTree(dir, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException error) throws IOException {
                if (error != null) {
                    throw error;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
