package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeerVersionsTest {
    /** A version raised here without the listener, or a range whose end is cut off, would part the nodes of one build. */
    @Test
    void eachIsServedByAListenerOfThisBuild() {
        List<ApiKeys> asked = new ArrayList<>();
        for (ApiKeys api : ApiKeys.values()) {
            short version;
            try {
                version = PeerVersions.of(api);
            } catch (IllegalArgumentException e) {
                continue;
            }
            asked.add(api);
            assertThat(ApiCatalog.served(Listener.CONTROLLER))
                    .as(api.name)
                    .hasEntrySatisfying(
                            api.id,
                            served -> assertThat(served.contains(version)).isTrue());
        }
        assertThat(asked).contains(ApiKeys.FETCH, ApiKeys.VOTE, ApiKeys.ENVELOPE);
        assertThat(ApiCatalog.served(Listener.BROKER).get(ApiKeys.FETCH.id).contains(PeerVersions.of(ApiKeys.FETCH)))
                .as("a follower asks a broker's listener")
                .isTrue();
    }

    /** Written down once more: a change means that the nodes of a cluster are upgraded all at once, and is to be meant. */
    @Test
    void theyAreTheSameInEveryBuildUntilAReleaseRaisesThem() {
        Map<ApiKeys, Integer> pinned = Map.ofEntries(
                Map.entry(ApiKeys.FETCH, 18),
                Map.entry(ApiKeys.VOTE, 2),
                Map.entry(ApiKeys.BEGIN_QUORUM_EPOCH, 1),
                Map.entry(ApiKeys.END_QUORUM_EPOCH, 1),
                Map.entry(ApiKeys.DESCRIBE_QUORUM, 2),
                Map.entry(ApiKeys.BROKER_REGISTRATION, 4),
                Map.entry(ApiKeys.BROKER_HEARTBEAT, 2),
                Map.entry(ApiKeys.CONTROLLER_REGISTRATION, 0),
                Map.entry(ApiKeys.ALTER_PARTITION, 3),
                Map.entry(ApiKeys.ALLOCATE_PRODUCER_IDS, 0),
                Map.entry(ApiKeys.ENVELOPE, 0),
                Map.entry(ApiKeys.CREATE_TOPICS, 7),
                Map.entry(ApiKeys.DELETE_TOPICS, 6),
                Map.entry(ApiKeys.CREATE_PARTITIONS, 3),
                Map.entry(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 1),
                Map.entry(ApiKeys.ELECT_LEADERS, 2),
                Map.entry(ApiKeys.UPDATE_FEATURES, 1));
        Map<ApiKeys, Integer> used = new EnumMap<>(ApiKeys.class);
        for (ApiKeys api : ApiKeys.values()) {
            try {
                used.put(api, (int) PeerVersions.of(api));
            } catch (IllegalArgumentException e) {
                assertThat(pinned).doesNotContainKey(api);
            }
        }
        assertThat(used).isEqualTo(pinned);
    }

    @ParameterizedTest
    @EnumSource(names = {"PRODUCE", "METADATA", "API_VERSIONS"})
    void whatNodesDoNotAskOneAnotherHasNone(ApiKeys api) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeerVersions.of(api))
                .withMessage("not sent to peers: " + api.name);
    }
}
