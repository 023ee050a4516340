package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.DoctorCommand.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
    private static final Check JDK = new Check("JDK", true, "17", "everything", "install it");
    private static final Check KCAT = new Check("kcat", false, null, "a second client", "apt-get install kcat");

    @Test
    void whatIsOptionalKeepsNothingFromRunning() {
        assertThat(DoctorCommand.lines(List.of(JDK, KCAT)))
                .containsExactly(
                        "All that drill, cluster and spec need is here.",
                        "  JDK       17 (for everything)",
                        "Optional:",
                        "  kcat      missing (for a second client)",
                        "            get it: apt-get install kcat");
    }

    /** A busy machine may take longer for {@code mvn -version} than anyone waits: that is no reason to install Maven. */
    @Test
    void aProgramThatAnswersLateIsHere(@TempDir Path dir) throws IOException {
        Path slow = script(dir.resolve("mvn"), "exec sleep 60");
        Check check = DoctorCommand.check(
                Duration.ofSeconds(1), "Maven", "building", "apt-get install maven", slow.toString(), "-version");
        assertThat(DoctorCommand.lines(List.of(JDK, check)))
                .endsWith("  Maven     here, no answer to '" + slow + " -version' within 1 s (for building)");
    }

    @Test
    void aProgramThatFailsIsNotMissingEither(@TempDir Path dir) throws IOException {
        Path broken = script(dir.resolve("mvn"), "echo 1.0; exit 3");
        Check check = DoctorCommand.check(
                Duration.ofSeconds(20), "Maven", "building", "apt-get install maven", broken.toString(), "-version");
        assertThat(DoctorCommand.lines(List.of(JDK, check)))
                .endsWith(
                        "  Maven     here, but '" + broken + " -version' fails (for building)",
                        "            get it: apt-get install maven");
    }

    @Test
    void aProgramThatIsNowhereIsMissing(@TempDir Path dir) {
        Check check = DoctorCommand.check(
                Duration.ofSeconds(20),
                "Maven",
                "building",
                "get it",
                dir.resolve("mvn").toString(),
                "-version");
        assertThat(check.state()).isEqualTo("missing");
    }

    private static Path script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void whatIsMissingIsInTheFirstLine() {
        Check kill = new Check("kill", true, null, "freezing nodes", "apt-get install procps");
        assertThat(DoctorCommand.lines(List.of(JDK, kill, KCAT)))
                .startsWith("Missing for drill, cluster and spec: kill");
    }
}
