package io.tidemark.node.net;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together as their bytes arrive: 4 bytes of length, then so many. Memory follows what has arrived, not what was
 * announced: it at most doubles with each growth. Of the budget a large frame takes its whole length once its first bytes
 * are here, so that a frame that was begun can always be finished.
 */
final class FrameAssembler {
    /** The first bytes of a frame, which are not counted in the budget. */
    static final int FREE = 64 << 10;

    private static final int PREFIX = 4;

    private final int maxBytes;
    private final MemoryBudget budget;
    private int prefix;
    private int prefixBytes;
    private byte @Nullable [] content;
    private int length;
    private int filled;
    private long reserved;
    private boolean starved;

    /** @param maxBytes largest frame, without its length */
    FrameAssembler(int maxBytes, MemoryBudget budget) {
        this.maxBytes = maxBytes;
        this.budget = budget;
    }

    /**
     * Takes bytes until a frame is whole or there are none left.
     *
     * @return the frame without its length, or null: more bytes are needed, or memory ({@link #starved})
     * @throws FrameException where the length is negative or above the limit
     */
    @Nullable
    ByteBuffer read(ByteBuf in) throws FrameException {
        starved = false;
        if (content == null && !readPrefix(in)) {
            return null;
        }
        while (filled < length) {
            if (!in.isReadable() || !grow()) {
                return null;
            }
            byte[] target = content();
            int count = Math.min(in.readableBytes(), target.length - filled);
            in.readBytes(target, filled, count);
            filled += count;
        }
        ByteBuffer frame = ByteBuffer.wrap(content(), 0, length);
        content = null;
        return frame;
    }

    private byte[] content() {
        byte[] bytes = content;
        if (bytes == null) {
            throw new IllegalStateException("no frame is being read");
        }
        return bytes;
    }

    private boolean readPrefix(ByteBuf in) throws FrameException {
        while (prefixBytes < PREFIX && in.isReadable()) {
            prefix = prefix << 8 | in.readUnsignedByte();
            prefixBytes++;
        }
        if (prefixBytes < PREFIX) {
            return false;
        }
        length = prefix;
        prefix = 0;
        prefixBytes = 0;
        if (length < 0 || length > maxBytes) {
            throw new FrameException("a frame of " + length + " bytes; 0 to " + maxBytes);
        }
        filled = 0;
        content = new byte[Math.min(length, FREE)];
        return true;
    }

    /** Makes room for at least one more byte; false where the budget has none. */
    private boolean grow() {
        byte[] bytes = content();
        if (filled < bytes.length) {
            return true;
        }
        if (reserved == 0) {
            if (!budget.tryReserve(length - FREE)) {
                starved = true;
                return false;
            }
            reserved = Math.subtractExact(length, FREE);
        }
        content = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
        return true;
    }

    /** Whether the last {@link #read} stopped for want of memory. */
    boolean starved() {
        return starved;
    }

    /** Bytes that a frame which holds some of the budget has, -1 where there is no such frame. */
    int filledOfReserved() {
        return content != null && reserved > 0 ? filled : -1;
    }

    /** What the frame that {@link #read} gave holds of the budget; from now on it is the caller's to release. */
    long takeReserved() {
        long taken = reserved;
        reserved = 0;
        return taken;
    }

    /** Forgets a partial frame. */
    void release() {
        content = null;
        budget.release(takeReserved());
    }

    /** A length that no frame may have. */
    static final class FrameException extends Exception {
        private static final long serialVersionUID = 1L;

        FrameException(String message) {
            super(message, null, false, false);
        }
    }
}
