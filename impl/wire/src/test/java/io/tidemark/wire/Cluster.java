package io.tidemark.wire;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A small cluster's metadata: brokers 1, 2 and a fenced 3; topic "a" with three partitions, the last without a leader. */
final class Cluster {
    static final String PLAINTEXT = "PLAINTEXT";
    static final UUID A = new UUID(10, 1);
    static final UUID B = new UUID(10, 2);
    private long offset;

    final MetadataState state =
            new MetadataState(1, new TreeMap<>(Map.of("log.retention.hours", "2", "min.insync.replicas", "2")));

    Cluster() {
        for (int id = 1; id <= 3; id++) {
            add(new MetadataRecord.RegisterBroker(new BrokerRegistration(
                    id,
                    100 + id,
                    new UUID(1, id),
                    List.of(new Endpoint(PLAINTEXT, "host" + id, 9090 + id), new Endpoint("OTHER", "other" + id, 1)),
                    new TreeMap<>(),
                    id == 1 ? "rack1" : null,
                    List.of(),
                    id == 3,
                    false)));
        }
        add(new MetadataRecord.RegisterController(7, new UUID(7, 7), false, Samples.ENDPOINTS, new TreeMap<>()));
        add(new MetadataRecord.FeatureLevel("metadata.version", (short) 29));
        add(new MetadataRecord.Topic("a", A));
        add(new MetadataRecord.Topic("b", B));
        partition(A, 0, List.of(1, 2, 3), List.of(1, 2), List.of(), 1);
        partition(A, 1, List.of(2, 3, 1), List.of(2), List.of(1), 2);
        partition(A, 2, List.of(3, 1), List.of(), List.of(3), -1);
        partition(B, 0, List.of(3), List.of(3), List.of(), 3);
        add(new MetadataRecord.Config((byte) 2, "a", "max.message.bytes", "1000"));
        add(new MetadataRecord.Config((byte) 4, "", "log.retention.ms", "7777"));
        add(new MetadataRecord.Config((byte) 4, "1", "message.max.bytes", "500000"));
    }

    private void partition(
            UUID topic, int number, List<Integer> replicas, List<Integer> isr, List<Integer> elr, int leader) {
        add(new MetadataRecord.Partition(
                topic,
                number,
                new PartitionRegistration(
                        replicas,
                        List.of(),
                        isr,
                        elr,
                        List.of(),
                        List.of(),
                        List.of(),
                        leader,
                        LeaderRecovery.RECOVERED,
                        5,
                        6)));
    }

    private void add(MetadataRecord record) {
        state.apply(offset++, record);
    }

    static DescribeContext context(Listener listener) {
        return new DescribeContext(
                1,
                "cluster",
                listener,
                listener == Listener.BROKER ? PLAINTEXT : Samples.LISTENER,
                7,
                3,
                true,
                Samples.features(),
                (short) 1,
                List.of(
                        new DescribeContext.NodeConfig(
                                "log.retention.ms", null, null, DescribeContext.ConfigType.LONG, true, "How long."),
                        new DescribeContext.NodeConfig(
                                "node.id", "1", null, DescribeContext.ConfigType.INT, false, "Who."),
                        new DescribeContext.NodeConfig(
                                "message.max.bytes", "700000", "1048588", DescribeContext.ConfigType.INT, true, null),
                        new DescribeContext.NodeConfig(
                                "ssl.key.password", "secret", null, DescribeContext.ConfigType.PASSWORD, true, null)));
    }
}
