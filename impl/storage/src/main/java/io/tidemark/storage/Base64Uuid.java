package io.tidemark.storage;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Kafka's text form of an id: 16 bytes in URL-safe Base64 without padding, 22 characters. */
public final class Base64Uuid {
    private static final int LENGTH = 22;

    private Base64Uuid() {}

    public static String encode(UUID id) {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The id that a text names.
     *
     * @throws IllegalArgumentException if the text is no id
     */
    public static UUID decode(String text) {
        if (text.length() != LENGTH) {
            throw new IllegalArgumentException("'" + text + "'; expected 22 characters of Base64");
        }
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        return new UUID(bytes.getLong(), bytes.getLong());
    }
}
