package io.tidemark.history.knossos;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Where Knossos is. */
public final class KnossosClassPath {
    /** The variable of the environment that names its class path. */
    public static final String VARIABLE = "KNOSSOS_CLASSPATH";

    /** How to get it, for messages. */
    public static final String HOW_TO_GET = "give the class path of Knossos and its libraries, which are on Clojars, by"
            + " --knossos-classpath or " + VARIABLE + "; docs/knossos.md says how to get them";

    private static final String PART_OF_IT = "knossos/competition.clj";

    /** Knossos is not where it was looked for; the message says where that was. */
    public static final class MissingException extends Exception {
        private static final long serialVersionUID = 1;

        private MissingException(String message) {
            super(message);
        }
    }

    private final String entries;

    private KnossosClassPath(String entries) {
        this.entries = entries;
    }

    /**
     * Looks for Knossos: where the user says, else where the environment says, else on this JVM's own class path.
     *
     * @param given as {@code -cp} takes it, entries with a final {@code *} included; null where nothing was said
     * @param environment the value of {@link #VARIABLE}, null where it has none
     */
    public static KnossosClassPath find(@Nullable String given, @Nullable String environment) throws MissingException {
        String named = given != null ? given : environment == null ? "" : environment;
        if (named.isBlank() && given == null) {
            if (KnossosClassPath.class.getClassLoader().getResource(PART_OF_IT) == null) {
                throw new MissingException("Knossos is not here");
            }
            return new KnossosClassPath("");
        }
        for (Path entry : expanded(named)) {
            if (holdsKnossos(entry)) {
                return new KnossosClassPath(named);
            }
        }
        throw new MissingException(
                "no " + PART_OF_IT + " in " + (given != null ? "'" + named + "'" : VARIABLE + "='" + named + "'"));
    }

    /** What is put in front of a class path; empty where Knossos is on it already. */
    String entries() {
        return entries;
    }

    private static List<Path> expanded(String classPath) throws MissingException {
        List<Path> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (entry.endsWith("*")) {
                Path directory = Path.of(entry.substring(0, entry.length() - 1));
                try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
                    jars.forEach(entries::add);
                } catch (IOException e) {
                    throw new MissingException("'" + entry + "' cannot be listed");
                }
            } else if (!entry.isEmpty()) {
                entries.add(Path.of(entry));
            }
        }
        return entries;
    }

    private static boolean holdsKnossos(Path entry) {
        if (Files.isDirectory(entry)) {
            return Files.exists(entry.resolve(PART_OF_IT));
        }
        if (!Files.isReadable(entry)) {
            return false;
        }
        try (ZipFile jar = new ZipFile(entry.toFile())) {
            return jar.getEntry(PART_OF_IT) != null;
        } catch (IOException e) {
            // No jar, so that Knossos is not in it.
            return false;
        }
    }
}
