package io.tidemark.simulation;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.runtime.port.MetadataCodec;
import io.tidemark.wire.KafkaMetadataCodec;
import java.nio.ByteBuffer;
import java.util.List;

/** The real format of the metadata log. */
final class KafkaCodec implements MetadataCodec {
    private final KafkaMetadataCodec codec = new KafkaMetadataCodec();

    @Override
    public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
        return codec.encode(records, timestampMs);
    }

    @Override
    public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
        return codec.encodeControl(records, timestampMs);
    }

    @Override
    public List<MetadataRecord> decode(ByteBuffer batch) {
        return codec.decode(batch);
    }

    @Override
    public List<ControlRecord> decodeControl(ByteBuffer batch) {
        return codec.decodeControl(batch);
    }
}
