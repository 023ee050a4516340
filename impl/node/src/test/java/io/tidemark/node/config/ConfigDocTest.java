package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigDocTest {
    private static final Path DOC = Path.of(System.getProperty("tidemark.root", "."), "docs", "configuration.md");

    @Test
    void theDocumentIsWhatTheTableSays() throws Exception {
        if (System.getProperty("tidemark.write.docs") != null) {
            ConfigDoc.main(new String[] {DOC.toString()});
        }
        assertThat(Files.readString(DOC)).isEqualTo(ConfigDoc.markdown());
    }
}
