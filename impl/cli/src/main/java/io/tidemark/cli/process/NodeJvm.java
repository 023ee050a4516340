package io.tidemark.cli.process;

import io.tidemark.cli.contract.Installation;
import io.tidemark.node.config.Launcher;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node's JVM is started. Tests pass a main class of their own.
 *
 * @param classPath a node's alone, not the command's
 * @param mainClass takes {@code --config FILE}
 * @param options heap and other options of the JVM
 */
public record NodeJvm(Path java, String classPath, String mainClass, List<String> options) {
    private static final String TRACE = "-Dtidemark.trace=";
    private static final List<String> DEFAULT_HEAP = List.of("-Xms128m", "-Xmx512m");

    public NodeJvm {
        options = List.copyOf(options);
    }

    /** The installed node; {@code KAFKA_HEAP_OPTS} and {@code KAFKA_OPTS} mean what they mean to Kafka's scripts. */
    public static NodeJvm of(Installation installation, Map<String, String> environment) {
        List<String> options = new ArrayList<>();
        options.addAll(words(environment.getOrDefault("KAFKA_HEAP_OPTS", String.join(" ", DEFAULT_HEAP))));
        options.addAll(List.of(
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.awt.headless=true",
                Launcher.jvmOption()));
        options.addAll(archive(installation));
        options.addAll(words(environment.getOrDefault("KAFKA_OPTS", "")));
        return new NodeJvm(Installation.java(), installation.nodeClassPath(), installation.nodeMain(), options);
    }

    /**
     * The class data archive that the launcher made for this JVM, which halves a node's start; the JVM starts without it
     * where it does not fit, and is not to say so in the node's log.
     */
    private static List<String> archive(Installation installation) {
        Path file = installation
                .lib()
                .orElse(installation.state())
                .resolve("node-" + System.getProperty("java.vm.version") + ".jsa");
        // The option's value is a list of files.
        return Files.isRegularFile(file) && !file.toString().contains(File.pathSeparator)
                ? List.of("-XX:SharedArchiveFile=" + file, "-Xshare:auto", "-Xlog:cds*=off", "-Xlog:class+path*=off")
                : List.of();
    }

    /** The same for a node that is not to outlive the process, however that ends. */
    public NodeJvm endingWith(ProcessHandle process) {
        List<String> more = new ArrayList<>(options);
        more.add("-Dtidemark.parent=" + process.pid());
        return new NodeJvm(java, classPath, mainClass, more);
    }

    /**
     * The same for a node whose every step is told.
     *
     * @param file relative to the directory of the node's configuration
     */
    public NodeJvm tracing(Path file) {
        List<String> more = new ArrayList<>(options);
        more.add(TRACE + file);
        return new NodeJvm(java, classPath, mainClass, more);
    }

    /** Where the node's every step is told; the next process of the node goes on with that file. */
    Optional<Path> traced(NodeDirectory node) {
        return options.stream()
                .filter(option -> option.startsWith(TRACE))
                .map(option -> node.dir().resolve(option.substring(TRACE.length())))
                .reduce((earlier, later) -> later);
    }

    /** The words of the command that starts the node; its configuration's absolute path is one of them. */
    List<String> command(NodeDirectory node) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(options);
        command.addAll(
                List.of("-cp", classPath, mainClass, "--config", node.config().toString()));
        return command;
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }
}
