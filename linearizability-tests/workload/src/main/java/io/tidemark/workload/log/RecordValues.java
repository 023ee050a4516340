package io.tidemark.workload.log;

import io.tidemark.history.log.ReplicaLog;
import io.tidemark.workload.Payload;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Decodes the records inside of a batch; the one class here that knows kafka-clients' internal record classes. */
final class RecordValues {
    /** Receives one record. */
    @FunctionalInterface
    interface Sink {
        void accept(long offset, long value);
    }

    private RecordValues() {}

    /** The value of each record, {@link ReplicaLog#NO_VALUE} for what no workload writes. */
    static void forEach(LogBatch batch, Sink sink) {
        for (RecordBatch records :
                MemoryRecords.readableRecords(batch.bytes().duplicate()).batches()) {
            for (Record each : records) {
                sink.accept(each.offset(), records.isControlBatch() ? ReplicaLog.NO_VALUE : value(each));
            }
        }
    }

    private static long value(Record message) {
        ByteBuffer value = message.value();
        if (value == null) {
            return ReplicaLog.NO_VALUE;
        }
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return Payload.isValue(bytes) ? Payload.decode(bytes) : ReplicaLog.NO_VALUE;
    }
}
