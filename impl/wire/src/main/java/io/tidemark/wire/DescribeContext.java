package io.tidemark.wire;

import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What describe calls need beside the metadata.
 *
 * @param listenerName the listener that was asked: endpoints of the same name are answered
 * @param activeController id of the active controller as this node knows it, or -1
 * @param salt any number, another one each call: brokers name an arbitrary broker as the controller
 * @param autoCreateTopics {@code auto.create.topics.enable}
 * @param supportedFeatures versions that this node supports, by feature name
 * @param kraftVersion level of {@code kraft.version}, which the quorum keeps: 0 static voters, 1 voters in its log
 * @param nodeConfigs the node's own configuration, in the order of definition
 */
public record DescribeContext(
        int nodeId,
        String clusterId,
        Listener listener,
        String listenerName,
        int activeController,
        int salt,
        boolean autoCreateTopics,
        SortedMap<String, FeatureRange> supportedFeatures,
        short kraftVersion,
        List<NodeConfig> nodeConfigs) {

    /**
     * A server property.
     *
     * @param value as the file says, null where it says nothing
     * @param defaultValue null where there is none
     * @param type as Kafka's ConfigDef names it
     * @param dynamic may be altered while the node runs
     */
    public record NodeConfig(
            String name,
            @Nullable String value,
            @Nullable String defaultValue,
            ConfigType type,
            boolean dynamic,
            @Nullable String documentation) {}

    /** Codes are Kafka's. */
    public enum ConfigType {
        BOOLEAN(1),
        STRING(2),
        INT(3),
        SHORT(4),
        LONG(5),
        DOUBLE(6),
        LIST(7),
        CLASS(8),
        PASSWORD(9);

        private final byte code;

        ConfigType(int code) {
            this.code = (byte) code;
        }

        byte code() {
            return code;
        }
    }
}
