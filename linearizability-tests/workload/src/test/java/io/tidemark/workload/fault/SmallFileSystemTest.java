package io.tidemark.workload.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs no file system of its own; one that runs full is in DiskFullIT of the command. */
class SmallFileSystemTest {
    @TempDir
    private Path dir;

    @Test
    void aDirectoryOfALargerFileSystemIsUnfit() {
        assertThat(SmallFileSystem.unfit(dir)).isEqualTo("is no file system of its own");
        assertThat(SmallFileSystem.unfit(dir.resolve("missing"))).isEqualTo("does not exist");
    }

    @Test
    void aLinkToADirectoryIsJudgedByTheDirectory() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("link"), Files.createDirectory(dir.resolve("target")));
        assertThat(SmallFileSystem.unfit(link)).isEqualTo("is no file system of its own");
    }

    @Test
    void nothingIsWrittenWhereLessThanTheRestIsLeft() {
        SmallFileSystem disk = new SmallFileSystem(dir);
        assertThat(disk.fill(disk.usableBytes() + (1L << 40))).isZero();
        assertThat(disk.refuses()).isFalse();
        disk.free();
        assertThat(dir).isEmptyDirectory();
    }
}
