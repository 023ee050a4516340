package io.tidemark.node.config;

import io.tidemark.core.metadata.TopicConfigs;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the broker's own values mean for topics that do not set theirs. */
final class TopicDefaults {
    private TopicDefaults() {}

    /** Topic configs by key. Of a key that the broker has in several units, the finest one that is set counts. */
    static SortedMap<String, String> read(ConfigValues values) {
        TreeMap<String, String> defaults = new TreeMap<>();
        TopicConfigs.all().forEach((key, definition) -> defaults.put(key, value(values, definition)));
        return defaults;
    }

    private static String value(ConfigValues values, TopicConfigs.Definition definition) {
        for (TopicConfigs.Synonym synonym : definition.synonyms()) {
            String value = values.isSet(synonym.property()) ? values.text(synonym.property()) : null;
            if (value != null) {
                return synonym.millis() == 1 ? value : inMillis(Long.parseLong(value), synonym.millis());
            }
        }
        return definition.defaultValue();
    }

    /** As Kafka: hours and minutes below zero stand for no limit. */
    private static String inMillis(long count, long unit) {
        return Long.toString(count < 0 ? -1 : count * unit);
    }
}
