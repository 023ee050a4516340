package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.wire.batch.ProduceRules;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** Values that several tests use. */
final class Samples {
    static final String LISTENER = "CONTROLLER";
    static final long NOW = 1_700_000_000_000L;
    static final UUID TOPIC_ID = new UUID(0x1234, 0x5678);
    static final UUID DIRECTORY = new UUID(77, 88);
    static final ReplicaKey KEY = new ReplicaKey(2, DIRECTORY);
    static final List<Endpoint> ENDPOINTS = List.of(new Endpoint(LISTENER, "127.0.0.1", 9093));
    static final OffsetAndEpoch END = new OffsetAndEpoch(40, 3);

    private Samples() {}

    static final NodeFacts FACTS = new NodeFacts() {
        @Override
        public ProduceRules produceRules(PartitionRef partition) {
            return ProduceRules.DEFAULT;
        }

        @Override
        public @Nullable Endpoint broker(int id) {
            return id == 3 ? new Endpoint("PLAINTEXT", "three", 9092) : null;
        }

        @Override
        public long nowMs() {
            return NOW;
        }
    };

    static SortedMap<String, FeatureRange> features() {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        features.put("metadata.version", new FeatureRange((short) 7, (short) 29));
        features.put("kraft.version", new FeatureRange((short) 0, (short) 1));
        return features;
    }

    static RecordBytes records(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(NOW + i, "key".getBytes(), values[i].getBytes());
        }
        return new RecordBytes(
                MemoryRecords.withRecords(Compression.NONE, records).buffer());
    }

    /** The frame without its size, as a connection hands it on. */
    static ByteBuffer bytes(Frame frame) {
        ByteBuffer whole = frame.join(records -> {
            throw new AssertionError("all records are in memory");
        });
        if (whole.getInt() != whole.remaining()) {
            throw new AssertionError("the size of the frame is wrong");
        }
        return whole.slice();
    }

    static ErrorCode[] someErrors() {
        return new ErrorCode[] {
            ErrorCode.NONE,
            ErrorCode.FENCED_LEADER_EPOCH,
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ErrorCode.INVALID_REQUEST
        };
    }
}
