package io.tidemark.node.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Every key that Kafka's brokers and controllers know, from the table {@code kafka-keys.tsv}. */
final class ConfigKeys {
    /** Keys by name. */
    static final SortedMap<String, ConfigKey> ALL = load();

    private ConfigKeys() {}

    static ConfigKey get(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }

    private static SortedMap<String, ConfigKey> load() {
        TreeMap<String, ConfigKey> keys = new TreeMap<>();
        InputStream table = Objects.requireNonNull(ConfigKeys.class.getResourceAsStream("kafka-keys.tsv"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    ConfigKey key = ConfigKey.parse(line);
                    keys.put(key.name(), key);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return keys;
    }
}
