package io.tidemark.simulation;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.runtime.port.MetadataCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

final class TableCodec implements MetadataCodec {
    private final List<List<?>> table = new ArrayList<>();

    private RecordBytes put(List<?> records, long ts, boolean control) {
        table.add(records);
        int size = 61 + 4;
        ByteBuffer b = ByteBuffer.allocate(size);
        b.putLong(0).putInt(size - 12).putInt(-1).put((byte) 2).putInt(0);
        b.putShort((short) (control ? 0x20 : 0))
                .putInt(records.size() - 1)
                .putLong(ts)
                .putLong(ts);
        b.putLong(-1).putShort((short) -1).putInt(-1).putInt(records.size());
        b.putInt(table.size() - 1);
        CRC32C crc = new CRC32C();
        crc.update(b.array(), 21, size - 21);
        b.putInt(17, (int) crc.getValue());
        return new RecordBytes(b.flip());
    }

    @Override
    public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
        return put(records, timestampMs, false);
    }

    @Override
    public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
        return put(records, timestampMs, true);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<MetadataRecord> decode(ByteBuffer batch) {
        return (List<MetadataRecord>) table.get(batch.getInt(batch.position() + 61));
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<ControlRecord> decodeControl(ByteBuffer batch) {
        return (List<ControlRecord>) table.get(batch.getInt(batch.position() + 61));
    }
}
