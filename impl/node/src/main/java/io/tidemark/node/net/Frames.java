package io.tidemark.node.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.storage.FileRegion;
import io.tidemark.wire.Frame;
import java.util.List;

/** Writes frames without copying them: buffers are wrapped, regions of files go from the file to the socket. */
final class Frames {
    private Frames() {}

    /** Writes all pieces, without a flush; the future is of the last one. A frame has at least one. */
    static ChannelFuture write(Channel channel, Frame frame) {
        List<Frame.Piece> pieces = frame.pieces();
        ChannelPromise last = channel.newPromise();
        ChannelFuture written = last;
        for (int i = 0; i < pieces.size(); i++) {
            ChannelPromise promise = i == pieces.size() - 1 ? last : channel.voidPromise();
            written = channel.write(message(pieces.get(i)), promise);
        }
        return written;
    }

    /** Closes without waiting for it. */
    static void close(Channel channel) {
        ChannelFuture unused = channel.close();
    }

    private static Object message(Frame.Piece piece) {
        if (piece instanceof Frame.Piece.Bytes bytes) {
            return Unpooled.wrappedBuffer(bytes.buffer());
        }
        RecordsRef records = ((Frame.Piece.Records) piece).records();
        if (records instanceof RecordBytes inMemory) {
            return Unpooled.wrappedBuffer(inMemory.buffer());
        }
        if (records instanceof FileRegion region) {
            return new RegionMessage(region);
        }
        throw new IllegalArgumentException("records of " + records.getClass());
    }
}
