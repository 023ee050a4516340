package io.tidemark.node.config;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/** Kafka's text form of a UUID: URL-safe base64 without padding, 22 characters. */
public final class Uuids {
    private Uuids() {}

    public static String text(UUID uuid) {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static Optional<UUID> parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length != 16) {
                return Optional.empty();
            }
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return Optional.of(new UUID(buffer.getLong(), buffer.getLong()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A random one whose text does not begin with a dash, so that it can stand on a command line. */
    public static UUID random() {
        UUID uuid = UUID.randomUUID();
        while (text(uuid).startsWith("-")) {
            uuid = UUID.randomUUID();
        }
        return uuid;
    }
}
