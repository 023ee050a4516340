package io.tidemark.cli.drill;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A drill's directory: the cluster with its data, configurations and logs, the history and the report.
 *
 * @param given whether the user named it: then it is kept whatever the verdict
 */
record RunDirectory(Path dir, boolean given) {
    /** A new directory; one that is given must be empty or not exist. */
    static RunDirectory create(@Nullable Path given, Path state) {
        try {
            if (given == null) {
                Path runs = Files.createDirectories(state.resolve("drill"));
                return new RunDirectory(Files.createTempDirectory(runs, "run-"), false);
            }
            Path dir = Files.createDirectories(given.toAbsolutePath().normalize());
            try (Stream<Path> entries = Files.list(dir)) {
                if (entries.findAny().isPresent()) {
                    throw new CliException(
                            "drill --dir " + given,
                            "the directory is not empty",
                            "a new or empty one: a drill starts from nothing",
                            ExitCode.USAGE,
                            "NOT_EMPTY",
                            null);
                }
            }
            return new RunDirectory(dir, true);
        } catch (IOException e) {
            throw new CliException(
                    "drill --dir",
                    "cannot be written: " + e,
                    "a writable directory",
                    ExitCode.ENVIRONMENT,
                    "NOT_WRITABLE",
                    null);
        }
    }

    Path cluster() {
        return dir.resolve("cluster");
    }

    Path history() {
        return dir.resolve("history.edn");
    }

    Path report() {
        return dir.resolve("report.txt");
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
