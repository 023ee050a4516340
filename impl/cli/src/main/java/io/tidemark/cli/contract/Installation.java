package io.tidemark.cli.contract;

import io.tidemark.node.config.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where this program lives.
 *
 * @param home the checkout or the image's directory
 * @param lib the launcher's build, with {@code node.classpath}; empty where the JVM was started without the launcher
 * @param nodeMain the main class of a node's JVM; tests have nodes of their own
 */
public record Installation(Path home, Optional<Path> lib, String nodeMain) {
    /** The class of a real node. */
    public static final String NODE_MAIN = "io.tidemark.node.NodeMain";

    /** From the launcher's system properties; a build's tests have only {@code tidemark.root}. */
    public static Installation current() {
        String home = System.getProperty("tidemark.home", System.getProperty("tidemark.root", ""));
        return new Installation(
                Path.of(home).toAbsolutePath().normalize(),
                Optional.ofNullable(System.getProperty("tidemark.lib")).map(Path::of),
                NODE_MAIN);
    }

    /** The directory for what may be thrown away: builds, caches, the default cluster. Not created here. */
    public Path state() {
        return home.resolve(".tidemark");
    }

    /** The class path of a node alone, without this command's own; ours where nothing better is known. */
    public String nodeClassPath() {
        Path file = lib.map(dir -> dir.resolve("node.classpath")).orElse(state());
        try {
            return Files.isRegularFile(file) ? Files.readString(file).strip() : System.getProperty("java.class.path");
        } catch (IOException e) {
            throw new CliException(
                    file.toString(),
                    "cannot be read: " + e.getMessage(),
                    "start " + called() + " again",
                    ExitCode.ENVIRONMENT);
        }
    }

    /** How the user starts this program: what the launcher was called as, to be shown in commands to copy. */
    public static String called() {
        return Launcher.called();
    }

    /** The {@code java} of the JVM that runs this. */
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
