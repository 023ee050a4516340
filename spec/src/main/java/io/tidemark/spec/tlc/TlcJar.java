package io.tidemark.spec.tlc;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.zip.ZipFile;
import tlc2.TLC;

/**
 * A build of TLC.
 *
 * @param file the jar
 * @param pinned the one that this release was made with
 */
public record TlcJar(Path file, boolean pinned) {
    /** The jar on the class path. */
    public static TlcJar ofThisRelease() {
        return new TlcJar(placeOf(TLC.class), true);
    }

    /** A jar that the user has. */
    public static TlcJar given(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new SpecException(SpecException.Kind.ENVIRONMENT, file.toString(), "no such file", "a tla2tools.jar");
        }
        try (ZipFile jar = new ZipFile(file.toFile())) {
            if (jar.getEntry("tlc2/TLC.class") == null) {
                throw new SpecException(
                        SpecException.Kind.ENVIRONMENT, file.toString(), "has no tlc2.TLC", "a tla2tools.jar");
            }
        } catch (IOException e) {
            throw new SpecException(SpecException.Kind.ENVIRONMENT, file.toString(), "is no jar", "a tla2tools.jar");
        }
        return new TlcJar(file.toAbsolutePath(), false);
    }

    /** The jar or directory that a class was loaded from. */
    static Path placeOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            URI uri = source.getLocation().toURI();
            return Path.of(uri);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no file for " + type, e);
        }
    }
}
