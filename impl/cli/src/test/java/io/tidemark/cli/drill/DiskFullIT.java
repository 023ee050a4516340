package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that really runs full under three real nodes: where a tmpfs can be mounted, which takes root. */
class DiskFullIT {
    @TempDir
    private Path dir;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(dir.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString()) == 0,
                "tmpfs: this user cannot mount one; no disk runs full");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", disk.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void whatWasAcknowledgedBeforeTheDiskRanFullIsStillThere() throws Exception {
        Cli cli = Cli.run(
                "drill", "--format=json", "--for=1s", "--seed=7", "--faults=disk-full", "--dir", disk.toString());
        JsonNode document = Schemas.validated("drill", cli.out());
        assertThat(document.at("/reasons")).isEmpty();
        assertThat(cli.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(document.at("/verdict").asText()).isEqualTo("HOLDS");
        assertThat(document.at("/faults/0/fault").asText()).isEqualTo("disk-full");
        assertThat(document.at("/faults/0/effective").asBoolean()).isTrue();
        assertThat(document.at("/faults/0/evidence").asText()).startsWith("writes refused for ");
        Path records = Path.of(document.at("/artifacts/dir").asText());
        assertThat(records.startsWith(disk)).as("the history is elsewhere").isFalse();
        assertThat(records.resolve(document.at("/artifacts/history").asText())).exists();
        new RunDirectory(records, disk.resolve("cluster"), false).delete();
        assertThat(disk.resolve("filler")).doesNotExist();
        assertThat(disk.resolve("cluster/node-1/data")).exists();
    }

    @Test
    void aDiskThatTheLoadAloneWouldFillIsRefused() {
        Cli cli = Cli.run("drill", "--for=10m", "--faults=disk-full", "--dir", disk.toString());
        assertThat(cli.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.err())
                .matches("tidemark: drill: --dir " + disk + " has room for 6[34] MiB, the data of 600000 records needs"
                        + " \\d+; a larger file system, or less --rate or --for\n");
    }
}
