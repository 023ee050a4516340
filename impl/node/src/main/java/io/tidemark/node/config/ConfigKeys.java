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
import org.jspecify.annotations.Nullable;

/** Every key that Kafka's brokers and controllers know, from the table {@code kafka-keys.tsv}. */
final class ConfigKeys {
    /** Keys by name. */
    static final SortedMap<String, ConfigKey> ALL = load();

    private static final int NEAR = 2;

    private ConfigKeys() {}

    static ConfigKey get(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }

    /** The known key with the fewest edits to {@code name}, at most two; null where there is none. */
    static @Nullable String nearest(String name) {
        String best = null;
        int least = NEAR + 1;
        for (String known : ALL.keySet()) {
            if (Math.abs(known.length() - name.length()) < least) {
                int edits = edits(known, name);
                if (edits < least) {
                    best = known;
                    least = edits;
                }
            }
        }
        return best;
    }

    /** Insertions, deletions, replacements and swaps of neighbours between two texts. */
    static int edits(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replace = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                int best = Math.min(cost[i - 1][j - 1] + replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    best = Math.min(best, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = best;
            }
        }
        return cost[from.length()][to.length()];
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
