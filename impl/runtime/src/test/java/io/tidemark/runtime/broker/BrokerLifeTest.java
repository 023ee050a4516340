package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.broker.BrokerConfig;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.storage.memory.MemoryDisk;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BrokerLifeTest {
    private static final long EPOCH = 40;
    private static final ControllerResponse REGISTERED = new ControllerResponse.RegisteredBroker(EPOCH);
    private static final ControllerResponse UNFENCED = new ControllerResponse.Heartbeat(true, false, false);

    private final NodeSettings settings = TestSettings.node();
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final ControllerChannel controller = new ControllerChannel(loop, network);
    private final List<BrokerState> states = new ArrayList<>();
    private final List<String> fatal = new ArrayList<>();
    private final List<String> stops = new ArrayList<>();
    private final BrokerLife life = new BrokerLife(
            settings,
            TestPorts.of(loop, network, Runnable::run, new MemoryDisk(), StepListener.NONE),
            new StepQueue(),
            new BrokerCore(new BrokerConfig(
                    settings.nodeId(),
                    settings.clusterId(),
                    settings.incarnation(),
                    settings.brokerEndpoints(),
                    settings.features(),
                    settings.brokerRole().rack(),
                    List.of(settings.directoryId()))),
            controller,
            states::add,
            () -> stops.add("may stop"),
            fatal::add);

    private void leader(int id) {
        controller.leadership(
                new ControlPlane.Leadership(id, id, List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + id))));
        loop.run();
    }

    private void answer(ControllerResponse response) {
        network.take().answer(response);
        loop.run();
    }

    private void heartbeatIs(long offset, boolean wantShutDown) {
        assertThat(network.sent())
                .singleElement()
                .extracting(ManualNetwork.Sent::request)
                .isEqualTo(new ControllerRequest.BrokerHeartbeat(1, EPOCH, offset, false, wantShutDown));
    }

    private void running() {
        leader(2);
        life.apply(new BrokerInput.StartRegistration(-1));
        loop.run();
        answer(REGISTERED);
        life.apply(new BrokerInput.MetadataApplied(EPOCH));
        network.take();
        answerNext(UNFENCED);
    }

    /** The first heartbeat said less than is known now: it goes unanswered, and the next one is answered so. */
    private void answerNext(ControllerResponse response) {
        loop.elapse(settings.brokerTimes().sessionTimeoutMs());
        leader(3);
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        heartbeatIs(EPOCH, false);
        answer(response);
    }

    @Test
    void itRegistersWithWhoeverIsTheControllerAndThenBeats() {
        leader(2);
        life.apply(new BrokerInput.StartRegistration(-1));
        loop.run();
        answer(new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null));
        leader(3);
        loop.elapse(100);
        assertThat(network.sent()).singleElement().satisfies(sent -> {
            assertThat(sent.to().port()).isEqualTo(9003);
            assertThat(sent.request()).isInstanceOf(ControllerRequest.RegisterBroker.class);
        });
        answer(REGISTERED);
        assertThat(life.brokerEpoch()).isEqualTo(EPOCH);
        assertThat(life.state()).isEqualTo(BrokerState.RECOVERY);
        heartbeatIs(-1, false);
    }

    @Test
    void unfencedItRunsAndAHeartbeatWithoutAnAnswerIsFollowedByAnother() {
        running();
        assertThat(states).containsExactly(BrokerState.RECOVERY, BrokerState.RUNNING);
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs() - 1);
        assertThat(network.sent()).isEmpty();
        loop.elapse(1);
        heartbeatIs(EPOCH, false);
        network.take().answer(null);
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        heartbeatIs(EPOCH, false);
    }

    @Test
    void aStopWaitsForTheControllersWord() {
        running();
        life.apply(new BrokerInput.RequestShutdown());
        loop.run();
        heartbeatIs(EPOCH, true);
        answer(new ControllerResponse.Heartbeat(true, false, false));
        assertThat(stops).isEmpty();
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        heartbeatIs(EPOCH, true);
        answer(new ControllerResponse.Heartbeat(true, true, true));
        assertThat(stops).containsExactly("may stop");
    }

    @Test
    void withoutAControllerTheStartEndsInTime() {
        life.apply(new BrokerInput.StartRegistration(-1));
        loop.elapse(settings.brokerTimes().initialRegistrationTimeoutMs() - 1);
        assertThat(fatal).isEmpty();
        loop.elapse(1);
        assertThat(fatal).singleElement().asString().contains("initial.broker.registration.timeout.ms");
        assertThat(states).containsExactly(BrokerState.SHUTTING_DOWN);
    }

    /** The timer that asks again runs while the metadata log makes the broker ask at once. */
    private ManualNetwork.Sent beatsBesideItsTimer() {
        leader(2);
        life.apply(new BrokerInput.StartRegistration(-1));
        loop.run();
        answer(REGISTERED);
        answer(new ControllerResponse.Heartbeat(false, true, false));
        life.apply(new BrokerInput.MetadataApplied(EPOCH));
        heartbeatIs(EPOCH, false);
        return network.take();
    }

    @Test
    void theAnswerToAHeartbeatThatAnotherFollowedIsNotTaken() {
        ManualNetwork.Sent first = beatsBesideItsTimer();
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        heartbeatIs(EPOCH, false);
        first.answer(UNFENCED);
        loop.run();
        assertThat(life.state()).isEqualTo(BrokerState.RECOVERY);
        answer(UNFENCED);
        assertThat(life.state()).isEqualTo(BrokerState.RUNNING);
    }

    @Test
    void theAnswerToARegistrationThatAnotherFollowedIsNotTaken() {
        beatsBesideItsTimer().answer(new ControllerResponse.Refused(ErrorCode.STALE_BROKER_EPOCH, null));
        loop.run();
        ManualNetwork.Sent first = network.take();
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        assertThat(network.sent())
                .singleElement()
                .extracting(ManualNetwork.Sent::request)
                .isInstanceOf(ControllerRequest.RegisterBroker.class);
        first.answer(REGISTERED);
        loop.run();
        assertThat(life.state()).isEqualTo(BrokerState.STARTING);
        answer(new ControllerResponse.RegisteredBroker(EPOCH + 1));
        assertThat(life.state()).isEqualTo(BrokerState.RECOVERY);
        assertThat(life.brokerEpoch()).isEqualTo(EPOCH + 1);
    }

    @Test
    void stoppedWhileItRegistersItAsksNoMore() {
        leader(2);
        life.apply(new BrokerInput.StartRegistration(-1));
        loop.run();
        ManualNetwork.Sent unanswered = network.take();
        life.stop();
        unanswered.answer(null);
        loop.elapse(2L * settings.brokerTimes().initialRegistrationTimeoutMs());
        assertThat(network.sent()).isEmpty();
        assertThat(fatal).isEmpty();
    }

    @Test
    void stoppedItsHeartbeatsEnd() {
        running();
        life.stop();
        loop.elapse(2L * settings.brokerTimes().heartbeatIntervalMs());
        assertThat(network.sent()).isEmpty();
    }

    @Test
    void stoppedItSaysAndHearsNothing() {
        running();
        loop.elapse(settings.brokerTimes().heartbeatIntervalMs());
        ManualNetwork.Sent late = network.take();
        life.stop();
        late.answer(new ControllerResponse.Refused(ErrorCode.STALE_BROKER_EPOCH, null));
        loop.elapse(10L * settings.brokerTimes().sessionTimeoutMs());
        assertThat(network.sent()).isEmpty();
        assertThat(life.state()).isEqualTo(BrokerState.RUNNING);
    }
}
