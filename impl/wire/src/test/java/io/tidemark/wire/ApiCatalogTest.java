package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.wire.ApiCatalog.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class ApiCatalogTest {
    /**
     * A line more means that another kafka-clients knows other versions. Before a range in {@link ApiCatalog} follows: read
     * the KIP of the new version, map its fields, and let {@code EveryVersionTest} try it. A version that is not served yet
     * is a line here, with its reason. Between nodes a wider range changes nothing: see {@link PeerVersions}.
     */
    @Test
    void servesTheVersionsOfKafkaClients() {
        List<String> differences = new ArrayList<>();
        for (Listener listener : Listener.values()) {
            ApiCatalog.served(listener).forEach((id, served) -> {
                ApiKeys key = ApiKeys.forId(id);
                VersionRange known = new VersionRange(
                        key.messageType.lowestSupportedVersion(), key.messageType.highestSupportedVersion(false));
                if (!served.equals(known)) {
                    differences.add(listener + " " + key + ": served are " + text(served) + ", known " + text(known));
                }
            });
        }
        assertThat(differences)
                .containsExactly(
                        // Older versions have no place for a diverging epoch.
                        "CONTROLLER FETCH: served are 12 to 18, known 4 to 18");
    }

    /** librdkafka compresses with zstd alone, else (KAFKA-18659); what is below 3 is refused all the same. */
    @Test
    void produceIsOfferedFromZero() {
        ApiVersionsResponseData offered = ClusterAnswers.unsupported(Listener.BROKER);
        assertThat(offered.apiKeys().find(ApiKeys.PRODUCE.id).minVersion()).isZero();
        assertThat(ApiCatalog.served(Listener.BROKER).get(ApiKeys.PRODUCE.id).contains((short) 2))
                .isFalse();
        for (var served : ApiCatalog.served(Listener.BROKER).entrySet()) {
            if (served.getKey() != ApiKeys.PRODUCE.id) {
                assertThat(offered.apiKeys().find(served.getKey()).minVersion())
                        .isEqualTo(served.getValue().min());
            }
        }
    }

    @Test
    void anApiThatIsInATableTwiceIsRefused() {
        Api<?, ?> broker = Objects.requireNonNull(ApiCatalog.find(Listener.BROKER, ApiKeys.FETCH.id));
        Api<?, ?> controller = Objects.requireNonNull(ApiCatalog.find(Listener.CONTROLLER, ApiKeys.FETCH.id));
        assertThatIllegalStateException()
                .isThrownBy(() -> ApiCatalog.table(List.of(broker), List.of(controller)))
                .withMessage("FETCH is in the table twice");
        assertThatIllegalStateException().isThrownBy(() -> ApiCatalog.table(List.of(broker, broker), List.of()));
    }

    private static String text(VersionRange range) {
        return range.min() + " to " + range.max();
    }
}
