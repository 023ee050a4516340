package io.tidemark.wire.batch;

import io.tidemark.core.log.BatchLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the records of one batch (magic 2) without making objects of them: each call of {@link #next} checks one
 * record wholly and leaves its figures in fields. Compressed records are decompressed as a stream into one small window, so
 * that memory does not depend on what they claim to become.
 */
final class RecordWalker implements AutoCloseable {
    /** What a batch may become, at least; Kafka has no such bound. */
    private static final long MIN_EXPANDED = 256L << 20;
    /** Or this many times its size, if that is more. */
    private static final long MAX_RATIO = 16;

    private static final int WINDOW = 16 << 10;
    /** Varints: 5 bytes for an int, 10 for a long. */
    private static final int INT_BYTES = 5;

    private static final int LONG_BYTES = 10;

    /** What is wrong with the records; the message is for the client. */
    static final class BadRecordsException extends Exception {
        private static final long serialVersionUID = 1L;

        BadRecordsException(String message) {
            super(message, null, false, false);
        }
    }

    private final int count;
    private final long baseTimestamp;
    private final @Nullable InputStream stream;
    private final long maxBytes;
    private byte[] window;
    private int position;
    private int limit;
    /** Bytes before the window. */
    private long before;

    private int index = -1;
    /** Of the current record: ms since 1970. */
    private long timestamp;

    private boolean hasKey;

    /** @param batch a whole batch whose header fields were checked */
    RecordWalker(ByteBuffer batch) throws BadRecordsException {
        Batch header = new Batch(batch);
        count = header.count();
        baseTimestamp = header.baseTimestamp();
        ByteBuffer records =
                batch.slice(batch.position() + BatchLayout.HEADER_SIZE, batch.remaining() - BatchLayout.HEADER_SIZE);
        CompressionType codec = CompressionType.forId(header.codec());
        if (codec == CompressionType.NONE) {
            stream = null;
            maxBytes = records.remaining();
            if (records.hasArray()) {
                window = records.array();
                position = records.arrayOffset();
                limit = position + records.remaining();
                before = -position;
            } else {
                window = new byte[records.remaining()];
                records.get(window);
                limit = window.length;
            }
        } else {
            maxBytes = Math.max(MIN_EXPANDED, MAX_RATIO * batch.remaining());
            window = new byte[WINDOW];
            stream = open(codec, records);
        }
    }

    private static InputStream open(CompressionType codec, ByteBuffer records) throws BadRecordsException {
        if (codec == CompressionType.SNAPPY) {
            SnappyBounds.check(records.duplicate());
        }
        try {
            return Compression.of(codec).build().wrapForInput(records, Batch.MAGIC, BufferSupplier.NO_CACHING);
        } catch (RuntimeException e) {
            throw new BadRecordsException("The records are no valid " + codec.name + " data.");
        }
    }

    /** Steps to the next record; false behind the last one, where the data must end. */
    boolean next() throws BadRecordsException {
        if (index + 1 == count) {
            if (position < limit || refill()) {
                throw new BadRecordsException("There are bytes behind the last of " + count + " records.");
            }
            return false;
        }
        index++;
        long size = varint(INT_BYTES);
        long end = at() + size;
        if (size < 0 || end > maxBytes) {
            throw bad("has a size of " + size);
        }
        octet(); // attributes: none are defined
        timestamp = baseTimestamp + varint(LONG_BYTES);
        long delta = varint(INT_BYTES);
        if (delta != index) {
            throw bad("has offset delta " + delta);
        }
        hasKey = skipField("key", -1, end) >= 0;
        skipField("value", -1, end);
        long headers = varint(INT_BYTES);
        if (headers < 0 || headers > size) {
            throw bad("has " + headers + " headers");
        }
        for (long i = 0; i < headers; i++) {
            skipField("header key", 0, end);
            skipField("header value", -1, end);
        }
        if (at() != end) {
            throw bad("does not end where its size says");
        }
        return true;
    }

    int index() {
        return index;
    }

    long timestamp() {
        return timestamp;
    }

    boolean hasKey() {
        return hasKey;
    }

    private long skipField(String name, int lowest, long end) throws BadRecordsException {
        long length = varint(INT_BYTES);
        if (length < lowest || length > end - at()) {
            throw bad("has a " + name + " length of " + length);
        }
        long left = length;
        while (left > limit - position) {
            left -= limit - position;
            position = limit;
            if (!refill()) {
                throw bad("is cut");
            }
        }
        position += (int) Math.max(left, 0);
        return length;
    }

    private BadRecordsException bad(String how) {
        return new BadRecordsException("Record " + index + " of " + count + " " + how + ".");
    }

    private long at() {
        return before + position;
    }

    private int octet() throws BadRecordsException {
        if (position == limit && !refill()) {
            throw bad("is cut");
        }
        return window[position++];
    }

    /** Zigzag. More bits than the type has are refused. */
    private long varint(int maxBytesOfIt) throws BadRecordsException {
        long raw = 0;
        for (int i = 0; i < maxBytesOfIt; i++) {
            int next = octet();
            raw |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                if (maxBytesOfIt == INT_BYTES && raw > 0xffff_ffffL) {
                    break;
                }
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw bad("has a number of too many bytes");
    }

    private boolean refill() throws BadRecordsException {
        if (stream == null) {
            return false;
        }
        before += limit;
        position = 0;
        limit = 0;
        if (before > maxBytes) {
            throw new BadRecordsException("The records take more than " + maxBytes + " bytes when decompressed.");
        }
        try {
            int read = stream.read(window, 0, window.length);
            limit = Math.max(read, 0);
            return read > 0;
        } catch (IOException | RuntimeException e) {
            throw new BadRecordsException("The records cannot be decompressed.");
        }
    }

    @Override
    public void close() {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException | RuntimeException e) {
                // What was read was checked as it came; there is nothing behind it that we would miss.
                limit = 0;
            }
        }
    }
}
