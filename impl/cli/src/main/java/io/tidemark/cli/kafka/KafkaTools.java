package io.tidemark.cli.kafka;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The classes behind the scripts that Apache Kafka ships, by the scripts' names without {@code kafka-} and {@code .sh}. */
public final class KafkaTools {
    private static final String TOOLS = "org.apache.kafka.tools.";
    private static final String WITHOUT_GROUP = "--partition 0 --offset earliest";
    private static final Map<String, String> CLASSES = new LinkedHashMap<>();

    static {
        CLASSES.put("acls", TOOLS + "AclCommand");
        CLASSES.put("broker-api-versions", TOOLS + "BrokerApiVersionsCommand");
        CLASSES.put("client-metrics", TOOLS + "ClientMetricsCommand");
        CLASSES.put("cluster", TOOLS + "ClusterTool");
        CLASSES.put("configs", "kafka.admin.ConfigCommand");
        CLASSES.put("console-consumer", TOOLS + "consumer.ConsoleConsumer");
        CLASSES.put("console-producer", TOOLS + "ConsoleProducer");
        CLASSES.put("console-share-consumer", TOOLS + "consumer.ConsoleShareConsumer");
        CLASSES.put("consumer-groups", TOOLS + "consumer.group.ConsumerGroupCommand");
        CLASSES.put("consumer-perf-test", TOOLS + "ConsumerPerformance");
        CLASSES.put("delegation-tokens", TOOLS + "DelegationTokenCommand");
        CLASSES.put("delete-records", TOOLS + "DeleteRecordsCommand");
        CLASSES.put("dump-log", TOOLS + "DumpLogSegments");
        CLASSES.put("e2e-latency", TOOLS + "EndToEndLatency");
        CLASSES.put("features", TOOLS + "FeatureCommand");
        CLASSES.put("get-offsets", TOOLS + "GetOffsetShell");
        CLASSES.put("groups", TOOLS + "GroupsCommand");
        CLASSES.put("jmx", TOOLS + "JmxTool");
        CLASSES.put("leader-election", TOOLS + "LeaderElectionCommand");
        CLASSES.put("log-dirs", TOOLS + "LogDirsCommand");
        CLASSES.put("metadata-quorum", TOOLS + "MetadataQuorumCommand");
        CLASSES.put("producer-perf-test", TOOLS + "ProducerPerformance");
        CLASSES.put("reassign-partitions", TOOLS + "reassign.ReassignPartitionsCommand");
        CLASSES.put("replica-verification", TOOLS + "ReplicaVerificationTool");
        CLASSES.put("share-consumer-perf-test", TOOLS + "ShareConsumerPerformance");
        CLASSES.put("share-groups", TOOLS + "consumer.group.ShareGroupCommand");
        CLASSES.put("streams-application-reset", TOOLS + "StreamsResetter");
        CLASSES.put("streams-groups", TOOLS + "streams.StreamsGroupCommand");
        CLASSES.put("topics", TOOLS + "TopicCommand");
        CLASSES.put("transactions", TOOLS + "TransactionsCommand");
        CLASSES.put("verifiable-consumer", TOOLS + "VerifiableConsumer");
        CLASSES.put("verifiable-producer", TOOLS + "VerifiableProducer");
        CLASSES.put("verifiable-share-consumer", TOOLS + "VerifiableShareConsumer");
    }

    private KafkaTools() {}

    /**
     * What a tool needs that Tidemark's brokers do not serve yet, and what works instead; empty where nothing is to be said.
     *
     * @param name as {@link #classOf} takes it
     * @param arguments the tool's own
     */
    public static Optional<String> hint(String name, List<String> arguments) {
        String cure = switch (plain(name)) {
            case "console-consumer" -> "add " + WITHOUT_GROUP;
            case "consumer-perf-test", "verifiable-consumer" ->
                "console-consumer " + WITHOUT_GROUP + " reads without one";
            default -> "";
        };
        boolean needsGroup = !cure.isEmpty()
                && arguments.stream()
                        .noneMatch(argument -> argument.startsWith("--partition")
                                || argument.equals("--help")
                                || argument.equals("--version"));
        return needsGroup
                ? Optional.of("Tidemark's brokers serve no consumer groups yet, which this needs; " + cure)
                : Optional.empty();
    }

    /** All names, in alphabetical order. */
    public static List<String> names() {
        return new ArrayList<>(CLASSES.keySet());
    }

    /** The name without {@code kafka-} and {@code .sh}. */
    public static String plain(String name) {
        return name.replaceFirst("^kafka-", "").replaceFirst("\\.sh$", "");
    }

    /** The class of the tool; a script's whole name is accepted too. */
    public static Optional<String> classOf(String name) {
        return Optional.ofNullable(CLASSES.get(plain(name)));
    }
}
