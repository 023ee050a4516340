package io.tidemark.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.CommandProcess;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM in the middle of a seed, twice: to the process group and by the launcher, as {@code timeout} sends it. */
class SimulateInterruptIT {
    @TempDir
    private Path dir;

    @Test
    void theResultIsOneDocumentAndNothingElse() throws Exception {
        Path out = dir.resolve("out");
        Path progress = dir.resolve("err");
        Process simulate =
                CommandProcess.start(out, progress, "simulate", "--format=json", "--seeds=910001..930000", "--jobs=2");
        try {
            CommandProcess.await(simulate, progress, "simulate: ");
            for (int i = 0; i < 2; i++) {
                CommandProcess.signal("TERM", simulate);
            }
            assertThat(CommandProcess.end(simulate)).isEqualTo(ExitCode.TERMINATED.processStatus());
        } finally {
            simulate.destroyForcibly();
        }
        JsonNode document = Schemas.validated("simulate", Files.readString(out));
        assertThat(document.at("/verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.at("/reasons/0/code").asText()).isEqualTo("INTERRUPTED");
    }
}
