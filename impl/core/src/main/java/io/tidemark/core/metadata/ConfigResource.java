package io.tidemark.core.metadata;

import java.util.Comparator;

/** What has a config of its own: {@code type} is Kafka's number of its kind. */
public record ConfigResource(byte type, String name) implements Comparable<ConfigResource> {
    private static final Comparator<ConfigResource> ORDER =
            Comparator.comparing(ConfigResource::type).thenComparing(ConfigResource::name);

    @Override
    public int compareTo(ConfigResource other) {
        return ORDER.compare(this, other);
    }
}
