package io.tidemark.wire;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * A frame to send, its 4-byte size first: pieces to be written one after the other, so that records go from where they lie
 * to the socket without a copy.
 *
 * @param sizeInBytes of all pieces, the prefix included
 */
public record Frame(int sizeInBytes, List<Piece> pieces) {
    public Frame {
        pieces = List.copyOf(pieces);
    }

    /** Bytes in memory or records wherever they are. */
    public sealed interface Piece {
        /** Between position and limit. */
        record Bytes(ByteBuffer buffer) implements Piece {}

        record Records(RecordsRef records) implements Piece {}
    }

    /** The whole frame in one buffer; {@code bytesOf} reads records that are not in memory. */
    public ByteBuffer join(Function<RecordsRef, ByteBuffer> bytesOf) {
        ByteBuffer whole = ByteBuffer.allocate(sizeInBytes);
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Bytes bytes) {
                whole.put(bytes.buffer().duplicate());
            } else if (piece instanceof Piece.Records part) {
                whole.put(
                        part.records() instanceof RecordBytes inMemory
                                ? inMemory.buffer().duplicate()
                                : bytesOf.apply(part.records()).duplicate());
            }
        }
        return whole.flip();
    }
}
