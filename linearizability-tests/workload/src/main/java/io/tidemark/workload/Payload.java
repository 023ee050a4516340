package io.tidemark.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A record's value as bytes that a person can read: the number in decimal, a space, and filling that depends on the
 * number. Any damaged byte makes it undecodable, so that it shows as a record nobody sent.
 */
public final class Payload {
    private static final int LETTERS = 26;

    private Payload() {}

    /**
     * The value's bytes.
     *
     * @param size in bytes; a number that needs more has more
     */
    public static byte[] encode(long value, int size) {
        byte[] digits = (value + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(digits, Math.max(size, digits.length));
        for (int i = digits.length; i < bytes.length; i++) {
            bytes[i] = filling(value, i);
        }
        return bytes;
    }

    /** Whether {@link #encode} makes these bytes of some number. */
    public static boolean isValue(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] >= '0' && bytes[end] <= '9') {
            end++;
        }
        return end > 0
                && end <= 18
                && end < bytes.length
                && Arrays.equals(encode(number(bytes, end), bytes.length), bytes);
    }

    /** The number; only for bytes of which {@link #isValue} is true. */
    public static long decode(byte[] bytes) {
        int end = 0;
        while (bytes[end] != ' ') {
            end++;
        }
        return number(bytes, end);
    }

    private static long number(byte[] bytes, int end) {
        return Long.parseLong(new String(bytes, 0, end, StandardCharsets.US_ASCII));
    }

    private static byte filling(long value, int position) {
        return (byte) ('a' + Math.floorMod(value + position, LETTERS));
    }
}
