package io.tidemark.cli.spec;

import io.tidemark.cli.Cli;
import io.tidemark.cli.contract.Installation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The commands over the small specification of the module {@code spec}'s tests, with the real TLC. */
abstract class SpecHarness {
    @TempDir
    Path home;

    @BeforeEach
    void copySpecification() throws IOException {
        Path spec = Files.createDirectory(home.resolve("spec"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Cli.ROOT.resolve("spec/src/test/resources/tiny"))) {
            for (Path file : files) {
                Files.copy(file, spec.resolve(file.getFileName()));
            }
        }
    }

    Cli run(String line) {
        return Cli.run(new Installation(home, Optional.empty(), Installation.NODE_MAIN), line.split(" "));
    }

    Cli check(String line) {
        return run("spec check --heap 128m " + line);
    }
}
