package io.tidemark.runtime;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Batches name records that are kept here. */
public final class TestCodec implements MetadataCodec {
    private final List<List<MetadataRecord>> data = new ArrayList<>();
    private final List<List<ControlRecord>> control = new ArrayList<>();

    /** Whether no data batch can be read. */
    public boolean refuses;

    @Override
    public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
        data.add(records);
        return TestBatches.batch(records.size(), false, data.size() - 1);
    }

    @Override
    public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
        control.add(records);
        return TestBatches.batch(records.size(), true, control.size() - 1);
    }

    @Override
    public List<MetadataRecord> decode(ByteBuffer batch) {
        if (refuses) {
            throw new IllegalArgumentException("unknown record");
        }
        return data.get(TestBatches.content(batch));
    }

    @Override
    public List<ControlRecord> decodeControl(ByteBuffer batch) {
        return control.get(TestBatches.content(batch));
    }
}
