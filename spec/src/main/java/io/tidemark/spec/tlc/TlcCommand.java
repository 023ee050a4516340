package io.tidemark.spec.tlc;

import io.tidemark.spec.SpecException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What starts TLC for one module.
 *
 * @param library directories of modules, beside the module's own
 * @param work a directory of this run alone: metadata and temporary files, for two TLCs in one place spoil each other
 * @param config its file, in a directory of its own
 */
public record TlcCommand(TlcOptions options, Path module, Path config, List<Path> library, Path work) {

    /** The command line. */
    public List<String> line() {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                options.brief() ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC",
                options.brief() ? "-XX:TieredStopAtLevel=1" : "-XX:TieredStopAtLevel=4",
                // TLC tells that memory ran out, if it has memory to tell; else it would neither speak nor end.
                "-XX:+ExitOnOutOfMemoryError",
                "-Xss64m",
                "-Xmx" + options.heap(),
                "-Djava.io.tmpdir=" + temporary(),
                "-DTLA-Library=" + path(places()),
                "-cp",
                path(List.of(options.jar().file(), TlcJar.placeOf(TlcMain.class))),
                TlcMain.class.getName(),
                "-tool",
                "-workers",
                Integer.toString(options.workers()),
                "-fp",
                "0",
                "-metadir",
                work.resolve("states").toString()));
        // Liveness is judged at the end alone: in between it would be by the clock, and figures would not repeat.
        line.addAll(List.of("-lncheck", "final"));
        if (options.coverage()) {
            // Once at the end; in between once in so many minutes.
            line.addAll(List.of("-coverage", "10000"));
        }
        if (options.simulate()) {
            line.add("-simulate");
        }
        line.addAll(options.further());
        // TLC looks for a configuration by its name alone: beside the module first, then along the library.
        line.addAll(List.of("-config", String.valueOf(config.getFileName()), module.toString()));
        return line;
    }

    /** Makes the directory of temporary files that the command line names. */
    public void makeDirectories() {
        try {
            Files.createDirectories(temporary());
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT,
                    work.toString(),
                    "cannot be made: " + e.getMessage(),
                    "a writable directory");
        }
    }

    private Path temporary() {
        return work.resolve("tmp");
    }

    /** Where TLC looks, beside the module's own directory. */
    public List<Path> places() {
        List<Path> places = new ArrayList<>(library);
        Path own = config.toAbsolutePath().getParent();
        if (own != null) {
            places.add(0, own);
        }
        return places;
    }

    private static String path(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** For a shell. */
    public String shown() {
        return line().stream()
                .map(word -> word.matches("[A-Za-z0-9_./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
