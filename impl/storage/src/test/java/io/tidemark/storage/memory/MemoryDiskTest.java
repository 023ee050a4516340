package io.tidemark.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One test for each sentence of the fault model. */
final class MemoryDiskTest {
    private static final Path DIR = Path.of("/d");
    private static final Path FILE = DIR.resolve("f");

    private static byte[] bytes(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] content(MemoryDisk disk, Path path) throws IOException {
        try (FileHandle file = disk.open(path, false)) {
            ByteBuffer content = ByteBuffer.allocate((int) file.size());
            file.read(content, 0);
            return content.array();
        }
    }

    /** A file of 2000 ones, durable, then 2000 twos over its second half and on, not durable. */
    private static MemoryDisk halfDurable() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        disk.createDirectories(DIR);
        disk.syncDirectory(Path.of("/"));
        FileHandle file = disk.open(FILE, true);
        file.write(ByteBuffer.wrap(bytes(2000, 1)), 0);
        file.force();
        disk.syncDirectory(DIR);
        file.write(ByteBuffer.wrap(bytes(2000, 2)), 1000);
        return disk;
    }

    @Test
    void aKillLosesNothingButHandles() throws IOException {
        MemoryDisk disk = halfDurable();
        FileHandle file = disk.open(FILE, false);
        disk.kill();
        assertThatThrownBy(file::size).hasMessageContaining("closed");
        assertThat(content(disk, FILE)).hasSize(3000);
    }

    @Test
    void aPowerLossKeepsWhatWasForcedAndAnyPartOfTheRest() throws IOException {
        TreeSet<String> outcomes = new TreeSet<>();
        for (int seed = 0; seed < 200; seed++) {
            MemoryDisk disk = halfDurable();
            disk.losePower(new SplittableRandom(seed));
            byte[] content = content(disk, FILE);
            assertThat(content).startsWith(bytes(1000, 1)).hasSizeBetween(2000, 3000);
            for (int at = 1000; at < content.length; at++) {
                assertThat(content[at]).isIn((byte) (at < 2000 ? 1 : 0), (byte) 2);
            }
            outcomes.add(
                    content.length == 2000 && content[1000] == 1 && content[1999] == 1
                            ? "lost"
                            : content.length == 3000 && content[1000] == 2 && content[2999] == 2 && content[1600] == 2
                                    ? "kept"
                                    : "torn");
        }
        assertThat(outcomes).containsExactly("kept", "lost", "torn");
    }

    @Test
    void aNameIsLostOrNotUntilItsDirectoryIsSynced() throws IOException {
        TreeSet<String> outcomes = new TreeSet<>();
        for (int seed = 0; seed < 100; seed++) {
            MemoryDisk disk = halfDurable();
            FileHandle other = disk.open(DIR.resolve("g"), true);
            other.write(ByteBuffer.wrap(bytes(10, 3)), 0);
            other.force();
            disk.rename(DIR.resolve("g"), FILE);
            disk.losePower(new SplittableRandom(seed));
            outcomes.add(content(disk, FILE).length == 10 ? "new" : "old");
        }
        assertThat(outcomes).containsExactly("new", "old");

        MemoryDisk disk = halfDurable();
        disk.delete(FILE);
        disk.syncDirectory(DIR);
        disk.losePower(new SplittableRandom(1));
        assertThat(disk.exists(FILE)).isFalse();
    }

    @Test
    void theSameGeneratorGivesTheSameDisk() throws IOException {
        MemoryDisk first = halfDurable();
        MemoryDisk second = halfDurable();
        first.losePower(new SplittableRandom(9));
        second.losePower(new SplittableRandom(9));
        assertThat(content(first, FILE)).isEqualTo(content(second, FILE));
    }

    @Test
    void aFullDiskTakesAPartOfAWrite() throws IOException {
        MemoryDisk disk = halfDurable();
        disk.setCapacity(3005);
        FileHandle file = disk.open(FILE, false);
        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(bytes(10, 4)), 3000))
                .hasMessageContaining("no space left");
        assertThat(file.size()).isEqualTo(3005);
        file.write(ByteBuffer.wrap(bytes(10, 4)), 0);
        file.truncate(100);
        assertThat(disk.used()).isEqualTo(100);
    }

    @Test
    void aLyingForceDoesNothing() throws IOException {
        int lost = 0;
        for (int seed = 0; seed < 20; seed++) {
            for (boolean lie : new boolean[] {false, true}) {
                MemoryDisk disk = halfDurable();
                disk.setFaults(new Faults() {
                    @Override
                    public boolean lies(Effect effect, Path path) {
                        return lie && effect == Effect.FORCE;
                    }
                });
                disk.open(FILE, false).force();
                disk.losePower(new SplittableRandom(seed));
                boolean whole = content(disk, FILE).length == 3000;
                assertThat(whole || lie).isTrue();
                lost += whole ? 0 : 1;
            }
        }
        assertThat(lost).isPositive();
    }
}
