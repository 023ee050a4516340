package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real output against docs/schemas. */
class DocumentsTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({
        "start,''",
        "version,--version",
        "help,--help",
        "help,doctor --help",
        "doctor,doctor",
        "completion,completion zsh",
        "faults,drill --list-faults",
        "faults,simulate --list-faults",
        "simulate,simulate --seed 1 --for 2s",
        "history-generate,history generate --seed 1 --operations 10",
        "error,history check /nonexistent/history.edn",
        "error,drill --acks 2",
        "error,doctro",
        "error,doctor --fromat x",
        "error,kafka topics",
        "error,server --config /nonexistent/server.properties"
    })
    void oneDocumentThatItsSchemaAccepts(String schema, String line) throws IOException {
        Cli run = Cli.run(("--format json " + line).strip().split(" "));
        JsonNode document = Schemas.validated(schema, run.out());
        assertThat(document.path("exitCode").asInt()).isEqualTo(run.exitCode().code());
    }

    @Test
    void theOptionMayFollowTheCommand() throws IOException {
        Schemas.validated("doctor", Cli.run("doctor", "--format=json").out());
        Schemas.validated(
                "error", Cli.run("doctor", "--no-such", "--format", "json").out());
    }

    @Test
    void anErrorNamesWhatWasMeant() throws IOException {
        JsonNode error = Schemas.validated(
                        "error", Cli.run("--format", "json", "doctro").out())
                .path("error");
        assertThat(error.path("code").asText()).isEqualTo("UNKNOWN_COMMAND");
        assertThat(error.path("nearest").asText()).isEqualTo("doctor");
        JsonNode none = Schemas.validated(
                        "error", Cli.run("--format", "json", "xxxxxxx").out())
                .path("error");
        assertThat(none.path("nearest").isNull()).isTrue();
    }

    @Test
    void outWritesTheDocumentBesideTheText() throws IOException {
        Path file = dir.resolve("doctor.json");
        Cli run = Cli.run("doctor", "--out", "json=" + file);
        assertThat(run.out()).contains("\n  JDK ");
        JsonNode document = Schemas.validated("doctor", Files.readString(file));
        assertThat(document.path("command")).hasSize(3);
        assertThat(document.path("checks").get(0).path("name").asText()).isEqualTo("JDK");
    }

    @Test
    void outToAPlaceThatCannotBeWrittenIsFive() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        Cli run = Cli.run("doctor", "--out", "json=" + file.resolve("x.json"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(run.out()).as("noticed before the work").isEmpty();
        assertThat(run.err())
                .startsWith("tidemark: --out " + file.resolve("x.json") + ": there is no directory " + file + "; ");
    }

    @Test
    void outMakesNoDirectory() {
        Path file = dir.resolve("missing").resolve("x.json");
        assertThat(Cli.run("doctor", "--out", "json=" + file).exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(dir.resolve("missing")).doesNotExist();
    }

    @Test
    void aResultIsPrintedThoughItsFileCannotBeWritten() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "/dev/full: a device that Linux has");
        Cli run = Cli.run("doctor", "--out", "json=" + full);
        assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(run.out()).contains("\n  JDK ");
        assertThat(run.err()).contains("--out /dev/full: cannot be written: ");
    }
}
