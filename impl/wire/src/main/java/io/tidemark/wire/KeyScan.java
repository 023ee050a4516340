package io.tidemark.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Looks for keys made to collide, before a request with a large array is read. Kafka's hash collections probe linearly and
 * grow by taking out one element after the other, which moves all behind it: n elements with one key cost n * n * n steps;
 * 4,000 of them, a frame of 40 KB, hold a thread for minutes. This walk over the frame by its schema allocates nothing but
 * two arrays as long as the one it looks at.
 */
final class KeyScan {
    /** Arrays up to this length are harmless, whatever is in them. */
    static final int HARMLESS = 64;
    /** Steps that one array may cost: some tenths of a second; 10,000 keys in a row cost half of it. */
    private static final long MAX_STEPS = 200_000_000;

    private static final int NUMBER = 1;
    private static final int ID = 2;
    private static final int NAME = 3;

    private final ByteBuffer in;

    private KeyScan(ByteBuffer in) {
        this.in = in;
    }

    /** An expected size with which a collection of that many elements is never rehashed. */
    static int withoutRehash(int elements) {
        return 2 * elements + 8;
    }

    /** @throws IllegalArgumentException where an array's keys collide, or the frame does not fit the schema */
    static void check(ByteBuffer body, Schema schema) {
        new KeyScan(body.duplicate()).struct(schema);
    }

    /**
     * The hash of the struct's key: of its first name, else of its first id, else its first number. A name that is null is
     * none.
     */
    private int struct(Schema schema) {
        int best = 0;
        int hash = 0;
        for (BoundField field : schema.fields()) {
            Type type = field.def.type;
            int before = in.position();
            int found = 0;
            int value = 0;
            if (isString(type)) {
                value = string(type);
                found = isNull(type, before) ? 0 : NAME;
            } else if (type == Type.UUID) {
                need(2 * Long.BYTES);
                value = new Uuid(in.getLong(), in.getLong()).hashCode();
                found = ID;
            } else if (type == Type.INT32) {
                need(Integer.BYTES);
                value = in.getInt();
                found = NUMBER;
            } else {
                other(type);
            }
            if (found > best) {
                best = found;
                hash = value;
            }
        }
        return hash;
    }

    private boolean isNull(Type type, int at) {
        return isCompact(type) ? in.get(at) == 0 : in.get(at) < 0;
    }

    /** Whether its elements have something to be told apart by; those of a hash collection always do. */
    private static boolean hasKey(Type element) {
        if (element instanceof Schema schema) {
            for (BoundField field : schema.fields()) {
                Type type = field.def.type;
                if (isString(type) || type == Type.UUID || type == Type.INT32) {
                    return true;
                }
            }
        }
        return false;
    }

    private void other(Type type) {
        if (type.isArray()) {
            array(type);
        } else if (type instanceof Schema schema) {
            struct(schema);
        } else if (type instanceof TaggedFields) {
            int count = ByteUtils.readUnsignedVarint(in);
            for (int i = 0; i < count; i++) {
                ByteUtils.readUnsignedVarint(in);
                skip(ByteUtils.readUnsignedVarint(in));
            }
        } else if (type == Type.BOOLEAN || type == Type.INT8) {
            skip(1);
        } else if (type == Type.INT16 || type == Type.UINT16) {
            skip(Short.BYTES);
        } else if (type == Type.INT64 || type == Type.FLOAT64) {
            skip(Long.BYTES);
        } else if (type == Type.UNSIGNED_INT32) {
            skip(Integer.BYTES);
        } else {
            bytes(type);
        }
    }

    private static boolean isString(Type type) {
        return type == Type.STRING
                || type == Type.COMPACT_STRING
                || type == Type.NULLABLE_STRING
                || type == Type.COMPACT_NULLABLE_STRING;
    }

    private static boolean isCompact(Type type) {
        return type == Type.COMPACT_STRING || type == Type.COMPACT_NULLABLE_STRING;
    }

    private int string(Type type) {
        int length;
        if (isCompact(type)) {
            length = ByteUtils.readUnsignedVarint(in) - 1;
        } else {
            need(Short.BYTES);
            length = in.getShort();
        }
        if (length <= 0) {
            return 0;
        }
        need(length);
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8).hashCode();
    }

    private void bytes(Type type) {
        boolean compact = type == Type.COMPACT_BYTES
                || type == Type.COMPACT_NULLABLE_BYTES
                || type == Type.COMPACT_RECORDS
                || type == Type.COMPACT_NULLABLE_RECORDS;
        if (!compact) {
            need(Integer.BYTES);
        }
        skip(Math.max(0, compact ? ByteUtils.readUnsignedVarint(in) - 1 : in.getInt()));
    }

    private void array(Type type) {
        boolean compact = type instanceof org.apache.kafka.common.protocol.types.CompactArrayOf;
        if (!compact) {
            need(Integer.BYTES);
        }
        int count = compact ? ByteUtils.readUnsignedVarint(in) - 1 : in.getInt();
        Type element = type.arrayElementType().orElseThrow();
        if (count <= 0) {
            return;
        }
        need(count); // an element takes a byte or more
        int[] hashes = count > HARMLESS && hasKey(element) ? new int[count] : new int[0];
        for (int i = 0; i < count; i++) {
            int hash = element instanceof Schema schema ? struct(schema) : scalar(element);
            if (hashes.length > 0) {
                hashes[i] = hash;
            }
        }
        if (hashes.length > 0 && Math.max(steps(hashes, 2 * count + 1), steps(hashes, 4 * count + 3)) > MAX_STEPS) {
            throw new IllegalArgumentException("an array of " + count + " elements whose keys collide");
        }
    }

    private int scalar(Type type) {
        if (isString(type)) {
            return string(type);
        } else if (type == Type.INT32) {
            skip(Integer.BYTES);
        } else if (type == Type.UUID) {
            skip(2 * Long.BYTES);
        } else {
            other(type);
        }
        return 0;
    }

    /**
     * What it takes to fill a table of linear probing and to empty it from the front: for each run of full slots the square
     * of its length times how far its elements lie from where they belong.
     */
    private static long steps(int[] hashes, int capacity) {
        int[] slots = new int[capacity];
        for (int hash : hashes) {
            slots[(hash & Integer.MAX_VALUE) % capacity]++;
        }
        long steps = 0;
        long run = 0;
        long displaced = 0;
        long most = 0;
        // Twice around, so that a run over the end is seen whole.
        for (int i = 0; i < 2 * capacity; i++) {
            displaced += slots[i % capacity];
            if (displaced == 0) {
                steps += run * run * most;
                run = 0;
                most = 0;
            } else {
                run++;
                most = Math.max(most, displaced);
                displaced--;
            }
        }
        return steps + run * run * most;
    }

    private void need(int length) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException(
                    "a length of " + length + " where " + in.remaining() + " bytes are left");
        }
    }

    private void skip(int length) {
        need(length);
        in.position(in.position() + length);
    }
}
