package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One node's directory: its configuration, and beside it what running it leaves.
 *
 * @param config {@code server.properties}, absolute, without symbolic links
 */
public record NodeDirectory(Path config) {
    private static final Pattern LISTENER = Pattern.compile("([A-Za-z0-9_]+)://[^,]*:(\\d+)");

    public NodeDirectory {
        config = real(config.toAbsolutePath().normalize());
    }

    // A node is recognised by this path among its JVM's arguments: two ways to one file must read the same.
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    /** The directory itself. */
    public Path dir() {
        Path parent = config.getParent();
        return parent == null ? Path.of("/") : parent;
    }

    /** The file that holds the JVM's process id. */
    public Path pidFile() {
        return dir().resolve("pid");
    }

    /** What the JVM printed, appended to from run to run. */
    public Path log() {
        return dir().resolve("log");
    }

    /** Where {@code cluster} puts the data. */
    public Path data() {
        return dir().resolve("data");
    }

    /** Whether the directory is a part of a cluster's directory. */
    public boolean inCluster() {
        return Files.exists(dir().resolveSibling(ClusterLayout.CLUSTER_FILE));
    }

    /** Kafka's {@code node.id}. */
    public int id() {
        String id = properties().getProperty("node.id", "");
        if (!id.matches("\\d{1,9}")) {
            throw new CliException(
                    config.toString(), "node.id is '" + id + "'", "a number", ExitCode.INPUT, "BAD_VALUE", null);
        }
        return Integer.parseInt(id);
    }

    public boolean hasRole(String role) {
        return properties().getProperty("process.roles", "").matches(".*\\b" + role + "\\b.*");
    }

    /** The port of the listener of that name. */
    public OptionalInt port(String listener) {
        Matcher matcher = LISTENER.matcher(properties().getProperty("listeners", ""));
        while (matcher.find()) {
            if (matcher.group(1).equals(listener)) {
                return OptionalInt.of(Integer.parseInt(matcher.group(2)));
            }
        }
        return OptionalInt.empty();
    }

    /** The configuration as it stands in the file. */
    public Properties properties() {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(config)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new CliException(
                    config.toString(),
                    Files.exists(config) ? "cannot be read: " + e.getMessage() : "no such file",
                    "a node's server.properties",
                    ExitCode.INPUT,
                    "NO_CONFIG",
                    null);
        }
        return properties;
    }

    /** The process id last written; empty where there is none or it is no number. */
    public OptionalLong pid() {
        try {
            String text = Files.readString(pidFile()).strip();
            return text.matches("[1-9]\\d{0,8}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Removes the file if it still names this process; a node that began in its place keeps its own. */
    public void forgetPid(long pid) {
        if (pid().equals(OptionalLong.of(pid))) {
            // Where it cannot be removed it stays, and is found to name nobody.
            pidFile().toFile().delete();
        }
    }

    /** Replaces the file at once, so that no reader sees half of a number. */
    void writePid(long pid) throws IOException {
        Path next = pidFile().resolveSibling("pid.new");
        Files.writeString(next, pid + "\n", StandardCharsets.US_ASCII);
        Files.move(next, pidFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
