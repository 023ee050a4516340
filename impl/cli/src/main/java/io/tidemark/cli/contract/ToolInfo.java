package io.tidemark.cli.contract;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What produced a result.
 *
 * @param commit the checkout's commit, {@code -dirty} behind it where files differ from it
 * @param specHash the beginning of a SHA-256 over the specification's files, null where there is no module
 * @param tlc the Maven artifact that TLC is in, with its version: TLC has a number of its own
 */
public record ToolInfo(
        String version,
        @Nullable String commit,
        @Nullable String specHash,
        String java,
        @Nullable String tlc,
        @Nullable String kafkaClients) {

    public static ToolInfo of(Installation installation) throws InterruptedException {
        Properties own = resource("/io/tidemark/cli/tidemark.properties").orElseThrow();
        return new ToolInfo(
                own.getProperty("version"),
                commit(installation.home()),
                specHash(installation.home().resolve("spec")),
                System.getProperty("java.version"),
                own.getProperty("tlc"),
                resource("/kafka/kafka-version.properties")
                        .map(p -> p.getProperty("version"))
                        .orElse(null));
    }

    /** The version of Kafka whose clients, tools and peer this release belongs to. */
    public static String kafkaVersion() {
        return resource("/io/tidemark/cli/tidemark.properties").orElseThrow().getProperty("kafka");
    }

    public ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("version", version)
                .put("commit", commit)
                .put("specHash", specHash)
                .put("java", java)
                .put("tlc", tlc)
                .put("kafkaClients", kafkaClients);
    }

    private static @Nullable String commit(Path home) throws InterruptedException {
        String given = System.getProperty("tidemark.commit");
        if (given != null || !Files.exists(home.resolve(".git"))) {
            return given;
        }
        return Shell.ask(
                        Duration.ofSeconds(5),
                        List.of(
                                "git",
                                "-C",
                                home.toString(),
                                "describe",
                                "--always",
                                "--dirty",
                                "--abbrev=12",
                                "--exclude=*"))
                .orElse(null);
    }

    private static @Nullable String specHash(Path spec) {
        if (!Files.isDirectory(spec)) {
            return null;
        }
        try (Stream<Path> files = Files.walk(spec)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<Path> hashed = files.filter(
                            file -> spec.relativize(file).toString().matches("(models/)?[^/]*\\.(tla|cfg|tsv)"))
                    .sorted()
                    .toList();
            if (hashed.stream().noneMatch(file -> file.toString().endsWith(".tla"))) {
                return null;
            }
            for (Path file : hashed) {
                digest.update((spec.relativize(file) + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (IOException | NoSuchAlgorithmException e) {
            return null;
        }
    }

    private static Optional<Properties> resource(String name) {
        try (InputStream in = ToolInfo.class.getResourceAsStream(name)) {
            if (in == null) {
                return Optional.empty();
            }
            Properties properties = new Properties();
            properties.load(in);
            return Optional.of(properties);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
