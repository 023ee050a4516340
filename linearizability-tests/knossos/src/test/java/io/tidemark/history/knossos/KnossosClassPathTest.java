package io.tidemark.history.knossos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnossosClassPathTest {
    @TempDir
    Path dir;

    private Path sources() throws IOException {
        Path file = dir.resolve("src/knossos/competition.clj");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        return dir.resolve("src");
    }

    private Path jar(String entry) throws IOException {
        Path file = Files.createDirectories(dir.resolve("jars")).resolve("a.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(entry));
        }
        return file;
    }

    @Test
    void sourcesJarsAndFoldersOfJarsWillDo() throws Exception {
        String sources = sources().toString();
        String jar = jar("knossos/competition.clj").toString();
        assertThat(KnossosClassPath.find(sources, null).entries()).isEqualTo(sources);
        assertThat(KnossosClassPath.find(null, sources).entries()).isEqualTo(sources);
        String several = "/nonexistent.jar" + File.pathSeparator + jar;
        assertThat(KnossosClassPath.find(several, null).entries()).isEqualTo(several);
        assertThat(KnossosClassPath.find(dir.resolve("jars") + "/*", null).entries())
                .endsWith("*");
    }

    @Test
    void theCommandLineBeatsTheEnvironment() throws Exception {
        String sources = sources().toString();
        assertThat(KnossosClassPath.find(sources, "/elsewhere").entries()).isEqualTo(sources);
        assertThatThrownBy(() -> KnossosClassPath.find("/elsewhere", sources))
                .hasMessage("no knossos/competition.clj in '/elsewhere'");
    }

    @Test
    void whereItIsNotIsSaid() throws IOException {
        String other = jar("other/file.clj").toString();
        assertThatThrownBy(() -> KnossosClassPath.find(other, null))
                .hasMessage("no knossos/competition.clj in '" + other + "'");
        assertThatThrownBy(() -> KnossosClassPath.find(null, other))
                .hasMessage("no knossos/competition.clj in KNOSSOS_CLASSPATH='" + other + "'");
        assertThatThrownBy(() -> KnossosClassPath.find("/nonexistent/*", null))
                .hasMessage("'/nonexistent/*' cannot be listed");
        assertThatThrownBy(() -> KnossosClassPath.find("", null)).hasMessageContaining("no knossos/competition.clj");
    }

    @Test
    void withoutAWordItMustBeOnOurOwnClassPath() {
        // Built with -Pknossos it is there.
        boolean here = KnossosClassPathTest.class.getResource("/knossos/competition.clj") != null;
        if (here) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> KnossosClassPath.find(null, null)))
                    .isNull();
        } else {
            assertThatThrownBy(() -> KnossosClassPath.find(null, null)).hasMessage("Knossos is not here");
            assertThatThrownBy(() -> KnossosClassPath.find(null, "")).hasMessage("Knossos is not here");
        }
    }
}
