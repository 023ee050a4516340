package io.tidemark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class PayloadTest {
    @Property(tries = 300)
    void whatIsEncodedIsDecoded(
            @ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long value,
            @ForAll @IntRange(min = 1, max = 300) int size) {
        byte[] bytes = Payload.encode(value, size);
        assertThat(bytes.length).isGreaterThanOrEqualTo(size);
        assertThat(Payload.isValue(bytes)).isTrue();
        assertThat(Payload.decode(bytes)).isEqualTo(value);
    }

    @Property(tries = 300)
    void everyFlippedBitShows(
            @ForAll @LongRange(min = 0, max = 100_000) long value, @ForAll @IntRange(min = 0, max = 799) int bit) {
        byte[] bytes = Payload.encode(value, 100);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        assertThat(Payload.isValue(bytes))
                .as(new String(bytes, StandardCharsets.ISO_8859_1))
                .isFalse();
    }

    @Property(tries = 200)
    void foreignBytesAreNoValue(@ForAll byte[] bytes) {
        assertThat(Payload.isValue(bytes)).isEqualTo(looksLikeAValue(bytes));
    }

    private static boolean looksLikeAValue(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.matches("\\d{1,18} ");
    }
}
