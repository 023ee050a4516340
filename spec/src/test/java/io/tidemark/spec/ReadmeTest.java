package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What {@code spec/README.md} says of the models is what the manifests say. */
class ReadmeTest {
    private static final Path SPEC = Path.of("").toAbsolutePath();
    private static final Manifest MANIFEST = Manifest.read(SPEC);

    private final List<String> lines = Files.readAllLines(SPEC.resolve("README.md"));

    ReadmeTest() throws IOException {}

    @Test
    void itsTableHasEachModelOnceWithSetAndPurpose() {
        List<String> rows = MANIFEST.models().stream()
                .filter(model -> model.kind() != ModelKind.MUTANT && model.kind() != ModelKind.REACH)
                .map(ReadmeTest::row)
                .toList();
        int table = lines.indexOf("| model | set | what |");
        assertThat(lines.subList(table + 2, table + 2 + rows.size())).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(lines.get(table + 2 + rows.size())).as("the table's end").isEmpty();
    }

    @Test
    void itCountsMutantsAndReaches() {
        assertThat(lines)
                .anyMatch(line -> line.startsWith("Beside them " + count(ModelKind.MUTANT) + " mutants")
                        && line.contains(" and " + count(ModelKind.REACH) + " rows"));
    }

    private static String row(Model model) {
        return "| `" + model.name() + "` | " + model.set().name().toLowerCase(Locale.ROOT) + " | " + model.purpose()
                + " |";
    }

    private static long count(ModelKind kind) {
        return MANIFEST.models().stream().filter(model -> model.kind() == kind).count();
    }
}
