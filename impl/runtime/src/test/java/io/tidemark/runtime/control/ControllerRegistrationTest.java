package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.storage.memory.MemoryDisk;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ControllerRegistrationTest {
    private static final List<Endpoint> TWO = List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9002));
    private static final List<Endpoint> THREE = List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9003));

    private final NodeSettings settings = TestSettings.node();
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final MetadataState committed = new MetadataState(1, new TreeMap<>());
    private final ControllerRegistration registration = new ControllerRegistration(
            settings, TestPorts.of(loop, network, work -> {}, new MemoryDisk(), StepListener.NONE), committed);

    private static ControllerResponse refused() {
        return new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, "not yet");
    }

    @Test
    void itAsksTheLeaderUntilThatIsActive() {
        registration.leader(TWO);
        ManualNetwork.Sent first = network.take();
        assertThat(first.to()).isEqualTo(TWO.get(0));
        assertThat(first.request())
                .isEqualTo(new ControllerRequest.RegisterController(
                        1, settings.incarnation(), settings.controllerEndpoints(), settings.features()));
        first.answer(refused());
        loop.elapse(1_000);
        network.take().answer(new ControllerResponse.RegisteredController());
        registration.leader(THREE);
        loop.elapse(1_000);
        assertThat(network.sent()).isEmpty();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void whereNoAnswerCameItAsksWhoeverLeadsByThen() {
        registration.leader(TWO);
        ManualNetwork.Sent first = network.take();
        registration.leader(THREE);
        first.answer(null);
        loop.elapse(1_000);
        assertThat(network.take().to()).isEqualTo(THREE.get(0));
    }

    @Test
    void withoutALeaderItWaitsForOne() {
        registration.leader(List.of());
        loop.elapse(1_000);
        assertThat(network.sent()).isEmpty();
        registration.leader(TWO);
        network.take();
    }

    @Test
    void anAnswerThatWasLostIsInTheMetadata() {
        registration.leader(TWO);
        network.take().answer(null);
        register(settings.incarnation());
        loop.elapse(1_000);
        assertThat(network.sent()).isEmpty();
    }

    @Test
    void theRegistrationOfAnEarlierLifeIsReplaced() {
        register(new UUID(9, 9));
        registration.leader(TWO);
        network.take();
    }

    private void register(UUID incarnation) {
        committed.apply(
                0,
                new MetadataRecord.RegisterController(
                        1, incarnation, false, settings.controllerEndpoints(), new TreeMap<>()));
    }

    @Test
    void aNodeThatStopsAsksNobody() {
        registration.leader(TWO);
        network.take().answer(null);
        registration.stop();
        loop.elapse(1_000);
        assertThat(network.sent()).isEmpty();
    }
}
