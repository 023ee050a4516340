package io.tidemark.core.metadata;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.ControlRecord;
import java.nio.ByteBuffer;
import java.util.List;

/** A format of the metadata log's batches. Encoded batches have base offset 0 and leader epoch 0, for storage to set. */
public interface MetadataCodec {
    /** One batch. */
    RecordBytes encode(List<MetadataRecord> records, long timestampMs);

    /** One control batch. */
    RecordBytes encodeControl(List<ControlRecord> records, long timestampMs);

    /**
     * The records of one data batch, in offset order, one an offset.
     *
     * @throws IllegalArgumentException where the bytes are no such batch
     */
    List<MetadataRecord> decode(ByteBuffer batch);

    /**
     * The records of one control batch. Kinds that the quorum does not act on are left out.
     *
     * @throws IllegalArgumentException where the bytes are no such batch
     */
    List<ControlRecord> decodeControl(ByteBuffer batch);
}
