package io.tidemark.node.config;

import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.wire.DescribeContext;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The node's own configuration, as DescribeConfigs tells it. */
public final class NodeConfigs {
    private NodeConfigs() {}

    /** Every key of Kafka's, as Kafka does, in the order of names; the text says which have no effect here. */
    public static List<DescribeContext.NodeConfig> describe(ServerConfig config) {
        return ConfigKeys.ALL.values().stream()
                .map(key -> new DescribeContext.NodeConfig(
                        key.name(),
                        config.given().get(key.name()),
                        key.defaultValue(),
                        DescribeContext.ConfigType.valueOf(key.type().name()),
                        isDynamic(key),
                        text(key)))
                .toList();
    }

    private static String text(ConfigKey key) {
        return switch (key.use()) {
            case SERVED -> key.text();
            case DEFAULT_ONLY -> "Only the default is served: " + key.text() + ".";
            case UNUSED -> "Without effect here: " + key.text() + ".";
        };
    }

    /** What may be altered while nodes run: the properties behind topic configs, and the log cleaner's. */
    static boolean isDynamic(ConfigKey key) {
        return TopicConfigs.isDynamicProperty(key.name())
                || (key.name().startsWith("log.cleaner.") && !key.name().equals("log.cleaner.enable"));
    }

    /** Names of all other keys. */
    static SortedSet<String> readOnly() {
        SortedSet<String> names = new TreeSet<>();
        ConfigKeys.ALL.values().stream().filter(key -> !isDynamic(key)).forEach(key -> names.add(key.name()));
        return names;
    }
}
