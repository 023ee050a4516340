package io.tidemark.node;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.runtime.port.MetadataCodec;
import io.tidemark.storage.RecordScanner;
import io.tidemark.storage.TimestampOffset;
import io.tidemark.wire.KafkaMetadataCodec;
import io.tidemark.wire.RecordScan;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Kafka's formats where runtime and storage ask for them. */
public final class KafkaCodec implements MetadataCodec, RecordScanner {
    private final KafkaMetadataCodec metadata = new KafkaMetadataCodec();

    @Override
    public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
        return metadata.encode(records, timestampMs);
    }

    @Override
    public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
        return metadata.encodeControl(records, timestampMs);
    }

    @Override
    public List<MetadataRecord> decode(ByteBuffer batch) {
        return metadata.decode(batch);
    }

    @Override
    public List<ControlRecord> decodeControl(ByteBuffer batch) {
        return metadata.decodeControl(batch);
    }

    @Override
    public @Nullable TimestampOffset firstAtOrAfter(
            BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
        return found(header, RecordScan.firstAtOrAfter(batch, header.baseOffset(), timestamp, fromOffset));
    }

    @Override
    public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
        return found(header, RecordScan.maxTimestamp(batch, header.baseOffset()));
    }

    private static @Nullable TimestampOffset found(BatchHeader header, RecordScan.@Nullable Found found) {
        return found == null ? null : new TimestampOffset(found.timestamp(), found.offset(), header.leaderEpoch());
    }
}
