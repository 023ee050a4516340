package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.ClientResponse.Quorum;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplicaTimesTest {
    private static final ReplicaKey ONE = new ReplicaKey(1, new UUID(1, 7));
    private static final ReplicaKey TWO = new ReplicaKey(2, new UUID(2, 7));
    private static final ReplicaKey THREE = new ReplicaKey(3, new UUID(3, 7));
    private static final ReplicaKey OBSERVER = new ReplicaKey(9, new UUID(9, 7));
    private static final VoterSet VOTERS = VoterSet.of(Stream.of(ONE, TWO, THREE)
            .map(key -> new VoterSet.Voter(key, endpoints(key)))
            .toList());

    private long now = 1_000;
    private final ReplicaTimes times = new ReplicaTimes(() -> now);

    private static List<Endpoint> endpoints(ReplicaKey key) {
        return List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + key.id()));
    }

    /** Node 1 in epoch 3. */
    private static QuorumView view(QuorumRole role) {
        return (QuorumView) Proxy.newProxyInstance(
                QuorumView.class.getClassLoader(),
                new Class<?>[] {QuorumView.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "role" -> role;
                    case "leaderId" -> 1;
                    case "currentEpoch" -> 3;
                    case "hw" -> 7L;
                    case "voters" -> VOTERS;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static Quorum.Replica replica(ReplicaKey key, long logEnd, long fetch, long caughtUp) {
        return new Quorum.Replica(key, logEnd, fetch, caughtUp, key.equals(OBSERVER) ? List.of() : endpoints(key));
    }

    @Test
    void votersAndObserversAreToldWhenTheyFetchedAndWereCaughtUp() {
        times.fetched(TWO, 4, 10);
        times.fetched(OBSERVER, 10, 10);
        now = 2_000;
        times.fetched(TWO, 10, 15);
        assertThat(times.describe(view(QuorumRole.LEADER), 15, 1))
                .isEqualTo(new Quorum(
                        ErrorCode.NONE,
                        1,
                        3,
                        7,
                        List.of(
                                replica(ONE, 15, 2_000, 2_000),
                                replica(TWO, 10, 2_000, 1_000),
                                replica(THREE, -1, -1, -1)),
                        List.of(replica(OBSERVER, 10, 1_000, 1_000))));
    }

    @Test
    void whoDoesNotLeadKnowsNothing() {
        times.fetched(TWO, 4, 10);
        assertThat(times.describe(view(QuorumRole.FOLLOWER), 15, 1))
                .isEqualTo(new Quorum(ErrorCode.NOT_LEADER_OR_FOLLOWER, 1, 3, 7, List.of(), List.of()));
    }

    @Test
    void anotherEpochBeginsAnew() {
        times.fetched(TWO, 10, 10);
        times.reset();
        assertThat(times.describe(view(QuorumRole.LEADER), 15, 1).voters()).contains(replica(TWO, -1, -1, -1));
    }
}
