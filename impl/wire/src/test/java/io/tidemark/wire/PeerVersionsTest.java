package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
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

    @ParameterizedTest
    @EnumSource(names = {"PRODUCE", "METADATA", "API_VERSIONS"})
    void whatNodesDoNotAskOneAnotherHasNone(ApiKeys api) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeerVersions.of(api))
                .withMessage("not sent to peers: " + api.name);
    }
}
