package io.tidemark.core.quorum;

import java.util.Comparator;
import java.util.UUID;

/**
 * A replica of the quorum: node id and directory id (KIP-853), so that a voter with a wiped disk is another replica.
 * {@link #NO_DIRECTORY} where the directory is not known (static voters).
 */
public record ReplicaKey(int id, UUID directoryId) implements Comparable<ReplicaKey> {
    public static final UUID NO_DIRECTORY = new UUID(0L, 0L);

    private static final Comparator<ReplicaKey> ORDER =
            Comparator.comparingInt(ReplicaKey::id).thenComparing(ReplicaKey::directoryId);

    @Override
    public int compareTo(ReplicaKey other) {
        return ORDER.compare(this, other);
    }
}
