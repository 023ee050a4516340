package io.tidemark.conformance.partition;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What module Controller has, as the code names it. Record n of the specification lies at offset {@link #BASE} + n: what comes
 * before the specification begins (features, the topic, its configs) is below.
 */
final class ControllerNames {
    static final long BASE = 1000;
    static final String TOPIC = "topic";
    static final TopicPartition PARTITION = new TopicPartition(new UUID(7, 7), 0);
    static final ReplyToken TOKEN = new ReplyToken() {};
    static final String CLUSTER = "cluster";
    static final SortedMap<String, FeatureRange> FEATURES = new TreeMap<>(Map.of(
            "metadata.version",
            new FeatureRange((short) 7, (short) 29),
            MetadataState.ELR_FEATURE,
            new FeatureRange((short) 0, (short) 1)));

    private ControllerNames() {}

    static UUID incarnation(int broker, int life) {
        return new UUID(broker, life);
    }

    static UUID directory(int broker) {
        return new UUID(1000, broker);
    }

    static List<Endpoint> endpoints(int broker) {
        return List.of(new Endpoint("PLAINTEXT", "host" + broker, 9092));
    }

    /** What a broker tells of a metadata offset; nothing is applied before it acts on metadata. */
    static long offset(int applied) {
        return applied == 0 ? -1 : BASE + applied;
    }
}
