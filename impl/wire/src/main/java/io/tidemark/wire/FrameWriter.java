package io.tidemark.wire;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/** Writes header and body into one buffer of the exact size; records and nested messages are pieces of their own. */
final class FrameWriter implements Writable {
    private final ByteBuffer buffer;
    private final ByteBufferAccessor out;
    private final List<Frame.Piece> pieces = new ArrayList<>(3);
    private int pieceStart;

    private FrameWriter(int sizeWithoutRecords) {
        buffer = ByteBuffer.allocate(sizeWithoutRecords);
        out = new ByteBufferAccessor(buffer);
    }

    static Frame frame(ApiMessage header, short headerVersion, ApiMessage body, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        header.addSize(size, cache, headerVersion);
        body.addSize(size, cache, version);
        FrameWriter writer = new FrameWriter(size.sizeExcludingZeroCopy() + Integer.BYTES);
        writer.writeInt(size.totalSize());
        header.write(writer, cache, headerVersion);
        body.write(writer, cache, version);
        writer.cut();
        return new Frame(size.totalSize() + Integer.BYTES, writer.pieces);
    }

    private void cut() {
        if (buffer.position() > pieceStart) {
            pieces.add(new Frame.Piece.Bytes(buffer.slice(pieceStart, buffer.position() - pieceStart)));
            pieceStart = buffer.position();
        }
    }

    @Override
    public void writeRecords(BaseRecords records) {
        if (records instanceof Ref ref) {
            if (ref.sizeInBytes() > 0) {
                cut();
                pieces.add(new Frame.Piece.Records(ref.records));
            }
        } else if (records instanceof MemoryRecords inMemory) {
            writeRecords(new Ref(new RecordBytes(inMemory.buffer())));
        } else {
            throw new IllegalArgumentException("records of " + records.getClass());
        }
    }

    /** Our records where generated code wants Kafka's. */
    record Ref(RecordsRef records) implements BaseRecords {
        @Override
        public int sizeInBytes() {
            return records.sizeInBytes();
        }

        @Override
        public RecordsSend<? extends BaseRecords> toSend() {
            throw new UnsupportedOperationException("the network sends a Frame's pieces");
        }
    }

    @Override
    public void writeByte(byte value) {
        out.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        out.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        out.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        out.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        out.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] array) {
        out.writeByteArray(array);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        out.writeUnsignedVarint(value);
    }

    @Override
    public void writeByteBuffer(ByteBuffer source) {
        cut();
        pieces.add(new Frame.Piece.Bytes(source.duplicate()));
    }

    @Override
    public void writeVarint(int value) {
        out.writeVarint(value);
    }

    @Override
    public void writeVarlong(long value) {
        out.writeVarlong(value);
    }
}
