package io.tidemark.node.config;

import io.tidemark.wire.DescribeContext;
import java.util.List;

/** The node's own configuration, as DescribeConfigs tells it. */
public final class NodeConfigs {
    private NodeConfigs() {}

    /** Every key that is served, in the order of names. */
    public static List<DescribeContext.NodeConfig> describe(ServerConfig config) {
        return ConfigKeys.ALL.values().stream()
                .filter(key -> key.use() == ConfigKey.Use.SERVED)
                .map(key -> new DescribeContext.NodeConfig(
                        key.name(),
                        config.given().get(key.name()),
                        key.defaultValue(),
                        DescribeContext.ConfigType.valueOf(key.type().name()),
                        key.scope().startsWith("topic:"),
                        key.text()))
                .toList();
    }
}
