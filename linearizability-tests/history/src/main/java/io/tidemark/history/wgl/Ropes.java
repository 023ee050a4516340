package io.tidemark.history.wgl;

import io.tidemark.history.columns.LongIntMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers strings that grow by appending: equal strings have the same number. A string that was appended to is kept as
 * its two parts and found again by a hash of its characters, which the hashes of its parts give; where hashes are equal
 * the characters are compared.
 */
final class Ropes {
    private static final long PRIME = (1L << 61) - 1;
    private static final long BASE = 0x1B873593CC9E2D51L % PRIME;
    private static final int ABSENT = -1;

    private int size;
    private int[] left = new int[64];
    private int[] right = new int[64];
    private String[] flat = new String[64];
    private int[] length = new int[64];
    private long[] hash = new long[64];
    /** The hashes of all beginnings of a string that was numbered whole. */
    private long[] @Nullable [] beginnings = new long[64][];

    private final LongIntMap appended = new LongIntMap();
    private int[] slots = new int[256];
    private long[] powers = {1};
    private long characters;

    Ropes() {
        Arrays.fill(slots, ABSENT);
    }

    int number(String text) {
        long[] codes = new long[text.length() + 1];
        for (int i = 0; i < text.length(); i++) {
            codes[i + 1] = add(times(codes[i], BASE), text.charAt(i) + 1);
        }
        int number = find(codes[text.length()], text.length(), ABSENT, ABSENT, text);
        beginnings[number] = codes;
        characters += text.length() * 4L;
        return number;
    }

    /**
     * Whether a string that was numbered by {@link #number} begins with another one; equal hashes are taken for equal
     * strings here, so that false is certain and true is not.
     */
    boolean mayStartWith(int text, int beginning) {
        long[] codes = beginnings[text];
        return codes == null || (length[beginning] < codes.length && codes[length[beginning]] == hash[beginning]);
    }

    int append(int to, int text) {
        long both = (long) to << 32 | text;
        int known = appended.get(both);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        long code = add(times(hash[to], power(length[text])), hash[text]);
        int number = find(code, Math.addExact(length[to], length[text]), to, text, "");
        appended.put(both, number);
        return number;
    }

    private int find(long code, int chars, int to, int text, String known) {
        int mask = slots.length - 1;
        int slot = (int) (code ^ code >>> 32) & mask;
        String whole = null;
        while (slots[slot] != ABSENT) {
            int other = slots[slot];
            if (hash[other] == code && length[other] == chars) {
                whole = whole == null ? (to == ABSENT ? known : text(to) + text(text)) : whole;
                if (text(other).equals(whole)) {
                    return other;
                }
            }
            slot = slot + 1 & mask;
        }
        int number = size++;
        if (number == left.length) {
            grow();
        }
        left[number] = to;
        right[number] = text;
        flat[number] = known;
        characters += known.length();
        length[number] = chars;
        hash[number] = code;
        slots[slot] = number;
        if (size * 2 > slots.length) {
            rehash();
        }
        return number;
    }

    private void grow() {
        int capacity = size * 2;
        left = Arrays.copyOf(left, capacity);
        right = Arrays.copyOf(right, capacity);
        flat = Arrays.copyOf(flat, capacity);
        length = Arrays.copyOf(length, capacity);
        hash = Arrays.copyOf(hash, capacity);
        beginnings = Arrays.copyOf(beginnings, capacity);
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        Arrays.fill(slots, ABSENT);
        for (int number = 0; number < size; number++) {
            int slot = (int) (hash[number] ^ hash[number] >>> 32) & slots.length - 1;
            while (slots[slot] != ABSENT) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = number;
        }
    }

    /** The characters of a string. */
    String text(int number) {
        char[] chars = new char[length[number]];
        int end = chars.length;
        int node = number;
        while (left[node] != ABSENT) {
            String last = text(right[node]);
            end -= last.length();
            last.getChars(0, last.length(), chars, end);
            node = left[node];
        }
        flat[node].getChars(0, length[node], chars, 0);
        return new String(chars);
    }

    private long power(int exponent) {
        if (exponent >= powers.length) {
            int from = powers.length;
            powers = Arrays.copyOf(powers, Math.max(exponent + 1, from * 2));
            for (int i = from; i < powers.length; i++) {
                powers[i] = times(powers[i - 1], BASE);
            }
        }
        return powers[exponent];
    }

    private static long times(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        return add(low & PRIME, low >>> 61 | high << 3);
    }

    private static long add(long a, long b) {
        long sum = a + b;
        return sum >= PRIME ? sum - PRIME : sum;
    }

    long bytes() {
        return left.length * 24L
                + slots.length * 4L
                + powers.length * 8L
                + appended.bytes()
                + characters * Character.BYTES;
    }
}
