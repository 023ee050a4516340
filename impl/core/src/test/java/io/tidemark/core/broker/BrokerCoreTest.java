package io.tidemark.core.broker;

import static io.tidemark.core.broker.BrokerState.PENDING_CONTROLLED_SHUTDOWN;
import static io.tidemark.core.broker.BrokerState.RECOVERY;
import static io.tidemark.core.broker.BrokerState.RUNNING;
import static io.tidemark.core.broker.BrokerState.SHUTTING_DOWN;
import static io.tidemark.core.broker.BrokerState.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerEffect.Fatal;
import io.tidemark.core.broker.BrokerEffect.SendHeartbeat;
import io.tidemark.core.broker.BrokerEffect.SendRegistration;
import io.tidemark.core.broker.BrokerEffect.SetHeartbeatTimer;
import io.tidemark.core.broker.BrokerEffect.SetRegistrationTimer;
import io.tidemark.core.broker.BrokerEffect.ShutDownNow;
import io.tidemark.core.broker.BrokerEffect.StateChanged;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokerCoreTest {
    private static final BrokerConfig CONFIG = new BrokerConfig(
            1,
            "cluster",
            new UUID(1, 1),
            List.of(new Endpoint("PLAINTEXT", "localhost", 9092)),
            new TreeMap<>(Map.of("metadata.version", new FeatureRange((short) 7, (short) 27))),
            null,
            List.of(new UUID(2, 2)));
    private static final long EPOCH = 40;

    private final BrokerCore core = new BrokerCore(CONFIG);

    private static SendRegistration registration(long previousEpoch) {
        return new SendRegistration(new ControllerRequest.RegisterBroker(
                1,
                "cluster",
                CONFIG.incarnation(),
                CONFIG.endpoints(),
                CONFIG.features(),
                null,
                CONFIG.directories(),
                previousEpoch));
    }

    private static SendHeartbeat heartbeat(long offset, boolean wantShutDown) {
        return new SendHeartbeat(new ControllerRequest.BrokerHeartbeat(1, EPOCH, offset, false, wantShutDown));
    }

    private Step<BrokerEffect> registered(ControllerResponse response) {
        return core.apply(new BrokerInput.HandleBrokerRegistrationResponse(response));
    }

    private Step<BrokerEffect> answered(boolean caughtUp, boolean fenced, boolean shouldShutDown) {
        return core.apply(new BrokerInput.HandleBrokerHeartbeatResponse(
                new ControllerResponse.Heartbeat(caughtUp, fenced, shouldShutDown)));
    }

    private Step<BrokerEffect> refused(ErrorCode error) {
        return core.apply(new BrokerInput.HandleBrokerHeartbeatResponse(new ControllerResponse.Refused(error, null)));
    }

    /** The life before this one stopped cleanly. */
    private void toRecovery() {
        core.apply(new BrokerInput.StartRegistration(7));
        registered(new ControllerResponse.RegisteredBroker(EPOCH));
    }

    private void toRunning() {
        toRecovery();
        core.apply(new BrokerInput.MetadataApplied(EPOCH));
        answered(true, false, false);
    }

    @Test
    void itRegistersWithTheEpochOfItsCleanShutdown() {
        assertThat(core.apply(new BrokerInput.StartRegistration(7)))
                .isEqualTo(Step.stutter(List.of(new SetRegistrationTimer(), registration(7))));
        assertThat(core.apply(new BrokerInput.StartRegistration(7))).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void aStartThatCannotRegisterInTimeEnds() {
        core.apply(new BrokerInput.StartRegistration(-1));
        Step<BrokerEffect> step = core.apply(new BrokerInput.RegistrationTimeout());
        assertThat(step)
                .isEqualTo(Step.stutter(List.of(
                        new StateChanged(SHUTTING_DOWN, -1),
                        new Fatal("broker 1 could not register with the controller within"
                                + " initial.broker.registration.timeout.ms"))));
        assertThat(registered(new ControllerResponse.RegisteredBroker(EPOCH)))
                .as("the answer comes too late")
                .isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void theTimeToRegisterIsThatOfTheFirstRegistration() {
        toRunning();
        assertThat(core.apply(new BrokerInput.RegistrationTimeout())).isEqualTo(Step.stutter(List.of()));
        core.apply(new BrokerInput.HeartbeatTimeout());
        refused(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(core.state()).isEqualTo(STARTING);
        assertThat(core.apply(new BrokerInput.RegistrationTimeout())).isEqualTo(Step.stutter(List.of()));
        assertThat(core.state()).isEqualTo(STARTING);
    }

    @Test
    void registeredItIsInRecoveryAndHeartbeatsAtOnce() {
        core.apply(new BrokerInput.MetadataApplied(12));
        core.apply(new BrokerInput.StartRegistration(-1));

        Step<BrokerEffect> step = registered(new ControllerResponse.RegisteredBroker(EPOCH));

        assertThat(step)
                .isEqualTo(Step.of(
                        SpecAction.HandleBrokerRegistrationResponse,
                        List.of(new StateChanged(RECOVERY, EPOCH), heartbeat(12, false))));
        assertThat(core.brokerEpoch()).isEqualTo(EPOCH);
    }

    @Test
    void itRunsOnceTheControllerHasUnfencedIt() {
        toRecovery();
        assertThat(answered(false, true, false)).isEqualTo(Step.stutter(List.of(new SetHeartbeatTimer())));
        assertThat(core.apply(new BrokerInput.HeartbeatTimeout()))
                .isEqualTo(Step.stutter(List.of(heartbeat(-1, false))));

        assertThat(answered(true, false, false))
                .isEqualTo(Step.of(
                        SpecAction.HandleBrokerHeartbeatResponse,
                        List.of(new StateChanged(RUNNING, EPOCH), new SetHeartbeatTimer())));
    }

    @Test
    void thatItsRegistrationIsAppliedDoesNotWaitForTheTimer() {
        toRecovery();
        answered(false, true, false);
        assertThat(core.apply(new BrokerInput.MetadataApplied(EPOCH - 1))).isEqualTo(Step.stutter(List.of()));

        assertThat(core.apply(new BrokerInput.MetadataApplied(EPOCH)))
                .isEqualTo(Step.stutter(List.of(heartbeat(EPOCH, false))));
        assertThat(core.apply(new BrokerInput.MetadataApplied(EPOCH + 1))).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void appliedWhileAHeartbeatIsLiveItIsToldWithTheNext() {
        toRecovery();
        core.apply(new BrokerInput.MetadataApplied(EPOCH));

        assertThat(answered(false, true, false)).isEqualTo(Step.stutter(List.of(heartbeat(EPOCH, false))));
    }

    @Test
    void aRunningBrokerStaysRunningWhileItIsFenced() {
        toRunning();
        core.apply(new BrokerInput.HeartbeatTimeout());

        assertThat(answered(true, true, false)).isEqualTo(Step.stutter(List.of(new SetHeartbeatTimer())));
        assertThat(core.state()).isEqualTo(RUNNING);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"DUPLICATE_BROKER_REGISTRATION", "NOT_CONTROLLER", "REQUEST_TIMED_OUT"})
    void aRegistrationThatMaySucceedLaterIsSentAgain(ErrorCode error) {
        core.apply(new BrokerInput.StartRegistration(-1));

        assertThat(registered(new ControllerResponse.Refused(error, null)))
                .isEqualTo(Step.stutter(List.of(new SetHeartbeatTimer())));
        assertThat(core.apply(new BrokerInput.HeartbeatTimeout())).isEqualTo(Step.stutter(List.of(registration(-1))));
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"INCONSISTENT_CLUSTER_ID", "INVALID_REGISTRATION", "UNSUPPORTED_VERSION"})
    void aRegistrationThatCanNotSucceedIsFatal(ErrorCode error) {
        core.apply(new BrokerInput.StartRegistration(-1));

        Step<BrokerEffect> step = registered(new ControllerResponse.Refused(error, "the reason"));

        assertThat(step.effects()).first().isEqualTo(new StateChanged(SHUTTING_DOWN, -1));
        assertThat(((BrokerEffect.Fatal) step.effects().get(1)).reason())
                .contains(error.name(), "the reason", "broker 1");
        assertThat(core.apply(new BrokerInput.HeartbeatTimeout())).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void aStaleEpochRegistersAgainWithoutAClaimToACleanShutdown() {
        toRunning();
        core.apply(new BrokerInput.HeartbeatTimeout());

        assertThat(refused(ErrorCode.STALE_BROKER_EPOCH))
                .isEqualTo(Step.of(
                        SpecAction.HandleBrokerHeartbeatResponse,
                        List.of(new StateChanged(STARTING, -1), registration(-1))));
        assertThat(core.brokerEpoch()).isEqualTo(-1);
    }

    @Test
    void anyOtherRefusalIsRetried() {
        toRunning();
        core.apply(new BrokerInput.HeartbeatTimeout());

        assertThat(refused(ErrorCode.NOT_CONTROLLER)).isEqualTo(Step.stutter(List.of(new SetHeartbeatTimer())));
    }

    @Test
    void aShutdownAsksUntilTheControllerLetsItGo() {
        toRunning();

        assertThat(core.apply(new BrokerInput.RequestShutdown()))
                .isEqualTo(Step.stutter(
                        List.of(new StateChanged(PENDING_CONTROLLED_SHUTDOWN, EPOCH), heartbeat(EPOCH, true))));
        assertThat(answered(true, false, false)).isEqualTo(Step.stutter(List.of(new SetHeartbeatTimer())));
        core.apply(new BrokerInput.HeartbeatTimeout());
        assertThat(answered(true, true, true))
                .isEqualTo(Step.of(
                        SpecAction.HandleBrokerHeartbeatResponse,
                        List.of(new StateChanged(SHUTTING_DOWN, EPOCH), new ShutDownNow())));
        assertThat(core.apply(new BrokerInput.RequestShutdown())).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void aShutdownWhileAHeartbeatIsLiveIsToldWithTheNext() {
        toRunning();
        core.apply(new BrokerInput.HeartbeatTimeout());
        assertThat(core.apply(new BrokerInput.RequestShutdown()))
                .isEqualTo(Step.stutter(List.of(new StateChanged(PENDING_CONTROLLED_SHUTDOWN, EPOCH))));

        assertThat(answered(true, false, false)).isEqualTo(Step.stutter(List.of(heartbeat(EPOCH, true))));
    }

    @Test
    void aShutdownOfABrokerThatIsNotOrNoMoreRegisteredIsImmediate() {
        assertThat(core.apply(new BrokerInput.RequestShutdown()))
                .isEqualTo(Step.stutter(List.of(new StateChanged(SHUTTING_DOWN, -1), new ShutDownNow())));

        BrokerCoreTest other = new BrokerCoreTest();
        other.toRunning();
        other.core.apply(new BrokerInput.RequestShutdown());
        assertThat(other.refused(ErrorCode.STALE_BROKER_EPOCH).effects())
                .containsExactly(new StateChanged(SHUTTING_DOWN, EPOCH), new ShutDownNow());
    }

    @Test
    void anAnswerToNothingIsIgnored() {
        assertThat(answered(true, false, true)).isEqualTo(Step.stutter(List.of()));
        assertThat(registered(new ControllerResponse.RegisteredBroker(3))).isEqualTo(Step.stutter(List.of()));
        assertThat(core.state()).isEqualTo(STARTING);
    }
}
