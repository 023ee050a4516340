package io.tidemark.core.broker;

import static io.tidemark.core.broker.BrokerState.PENDING_CONTROLLED_SHUTDOWN;
import static io.tidemark.core.broker.BrokerState.RECOVERY;
import static io.tidemark.core.broker.BrokerState.RUNNING;
import static io.tidemark.core.broker.BrokerState.SHUTTING_DOWN;
import static io.tidemark.core.broker.BrokerState.STARTING;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of one broker as the controller sees it (KIP-631).
 *
 * <pre>
 * from                         on                                     to
 * STARTING                     registered                             RECOVERY
 * RECOVERY                     heartbeat answer: unfenced             RUNNING
 * RECOVERY, RUNNING            STALE_BROKER_EPOCH                     STARTING, registers again
 * RECOVERY, RUNNING            asked to shut down                     PENDING_CONTROLLED_SHUTDOWN
 * PENDING_CONTROLLED_SHUTDOWN  may shut down, or STALE_BROKER_EPOCH   SHUTTING_DOWN
 * STARTING                     asked to shut down, or never possible  SHUTTING_DOWN
 * STARTING                     never registered in time               SHUTTING_DOWN
 * </pre>
 *
 * <p>At most one heartbeat is live. News that the controller waits for (the own registration is applied, a shutdown is
 * asked for) does not wait for the timer.
 */
public final class BrokerCore implements BrokerActions {
    private static final long NO_EPOCH = -1;

    private final BrokerConfig config;
    private BrokerState state = STARTING;
    private long brokerEpoch = NO_EPOCH;
    private long metadataOffset = -1;
    private long previousBrokerEpoch = NO_EPOCH;
    /** A registration was sent and not answered. */
    private boolean registering;
    /** This life has been registered: a later registration may take as long as it takes. */
    private boolean everRegistered;
    /** The live heartbeat; null when none is. */
    private ControllerRequest.@Nullable BrokerHeartbeat heartbeat;

    public BrokerCore(BrokerConfig config) {
        this.config = config;
    }

    public Step<BrokerEffect> apply(BrokerInput input) {
        return input.applyTo(this);
    }

    public BrokerState state() {
        return state;
    }

    /** The spec's {@code brokerEpoch}; -1 where not registered. */
    public long brokerEpoch() {
        return brokerEpoch;
    }

    @Override
    public Step<BrokerEffect> startRegistration(BrokerInput.StartRegistration input) {
        if (state != STARTING || registering) {
            return Step.stutter(List.of());
        }
        previousBrokerEpoch = input.previousBrokerEpoch();
        return Step.stutter(List.of(new BrokerEffect.SetRegistrationTimer(), registration()));
    }

    /** Code only: a start that finds no controller ends, rather than to wait for ever. */
    @Override
    public Step<BrokerEffect> registrationTimeout(BrokerInput.RegistrationTimeout input) {
        if (state != STARTING || everRegistered) {
            return Step.stutter(List.of());
        }
        registering = false;
        return Step.stutter(List.of(
                moved(SHUTTING_DOWN),
                new BrokerEffect.Fatal("broker " + config.brokerId()
                        + " could not register with the controller within initial.broker.registration.timeout.ms")));
    }

    private BrokerEffect registration() {
        registering = true;
        return new BrokerEffect.SendRegistration(new ControllerRequest.RegisterBroker(
                config.brokerId(),
                config.clusterId(),
                config.incarnation(),
                config.endpoints(),
                config.features(),
                config.rack(),
                config.directories(),
                previousBrokerEpoch));
    }

    @Override
    public Step<BrokerEffect> handleBrokerRegistrationResponse(BrokerInput.HandleBrokerRegistrationResponse input) {
        if (state != STARTING || !registering) {
            return Step.stutter(List.of());
        }
        if (input.response() instanceof ControllerResponse.RegisteredBroker registered) {
            registering = false;
            everRegistered = true;
            brokerEpoch = registered.brokerEpoch();
            return Step.of(SpecAction.HandleBrokerRegistrationResponse, List.of(moved(RECOVERY), heartbeat()));
        }
        ErrorCode error = error(input.response());
        if (neverPossible(error)) {
            registering = false;
            return Step.stutter(List.of(moved(SHUTTING_DOWN), new BrokerEffect.Fatal(reason(input.response()))));
        }
        // Another incarnation's session still lives, or no controller is active: again after the timer.
        return Step.stutter(List.of(new BrokerEffect.SetHeartbeatTimer()));
    }

    private static boolean neverPossible(ErrorCode error) {
        return error == ErrorCode.INCONSISTENT_CLUSTER_ID
                || error == ErrorCode.INVALID_REGISTRATION
                || error == ErrorCode.UNSUPPORTED_VERSION;
    }

    private static ErrorCode error(ControllerResponse response) {
        return response instanceof ControllerResponse.Refused refused
                ? refused.error()
                : ErrorCode.UNKNOWN_SERVER_ERROR;
    }

    private String reason(ControllerResponse response) {
        String message = response instanceof ControllerResponse.Refused refused ? refused.message() : null;
        return "the registration of broker " + config.brokerId() + " was refused: " + error(response)
                + (message == null ? "" : ", " + message);
    }

    @Override
    public Step<BrokerEffect> handleBrokerHeartbeatResponse(BrokerInput.HandleBrokerHeartbeatResponse input) {
        ControllerRequest.BrokerHeartbeat asked = heartbeat;
        if (asked == null) {
            return Step.stutter(List.of());
        }
        heartbeat = null;
        if (input.response() instanceof ControllerResponse.Heartbeat answer) {
            if (state == PENDING_CONTROLLED_SHUTDOWN && asked.wantShutDown() && answer.shouldShutDown()) {
                return Step.of(SpecAction.HandleBrokerHeartbeatResponse, gone());
            }
            if (state == RECOVERY && !answer.fenced()) {
                return Step.of(
                        SpecAction.HandleBrokerHeartbeatResponse,
                        List.of(moved(RUNNING), new BrokerEffect.SetHeartbeatTimer()));
            }
            return Step.stutter(List.of(news(asked) ? heartbeat() : new BrokerEffect.SetHeartbeatTimer()));
        }
        if (error(input.response()) != ErrorCode.STALE_BROKER_EPOCH) {
            return Step.stutter(List.of(new BrokerEffect.SetHeartbeatTimer()));
        }
        if (state == PENDING_CONTROLLED_SHUTDOWN) {
            return Step.of(SpecAction.HandleBrokerHeartbeatResponse, gone());
        }
        // Whoever registered meanwhile had another log: this one makes no claim to a clean shutdown.
        brokerEpoch = NO_EPOCH;
        previousBrokerEpoch = NO_EPOCH;
        return Step.of(SpecAction.HandleBrokerHeartbeatResponse, List.of(moved(STARTING), registration()));
    }

    /** Something that the controller waits for and the last heartbeat did not say. */
    private boolean news(ControllerRequest.BrokerHeartbeat asked) {
        boolean shutdown = state == PENDING_CONTROLLED_SHUTDOWN && !asked.wantShutDown();
        boolean caughtUp =
                state == RECOVERY && metadataOffset >= brokerEpoch && asked.currentMetadataOffset() < brokerEpoch;
        return shutdown || caughtUp;
    }

    @Override
    public Step<BrokerEffect> heartbeatTimeout(BrokerInput.HeartbeatTimeout input) {
        return switch (state) {
            case STARTING -> Step.stutter(registering ? List.of(registration()) : List.of());
            case RECOVERY, RUNNING, PENDING_CONTROLLED_SHUTDOWN -> Step.stutter(List.of(heartbeat()));
            case NOT_RUNNING, SHUTTING_DOWN -> Step.stutter(List.of());
        };
    }

    @Override
    public Step<BrokerEffect> metadataApplied(BrokerInput.MetadataApplied input) {
        boolean behind = metadataOffset < brokerEpoch;
        metadataOffset = Math.max(metadataOffset, input.offset());
        boolean waitedFor = state == RECOVERY && heartbeat == null && behind && metadataOffset >= brokerEpoch;
        return Step.stutter(waitedFor ? List.of(heartbeat()) : List.of());
    }

    @Override
    public Step<BrokerEffect> requestShutdown(BrokerInput.RequestShutdown input) {
        if (state == STARTING) {
            return Step.stutter(gone());
        }
        if (state != RECOVERY && state != RUNNING) {
            return Step.stutter(List.of());
        }
        BrokerEffect moved = moved(PENDING_CONTROLLED_SHUTDOWN);
        return Step.stutter(heartbeat == null ? List.of(moved, heartbeat()) : List.of(moved));
    }

    private List<BrokerEffect> gone() {
        return List.of(moved(SHUTTING_DOWN), new BrokerEffect.ShutDownNow());
    }

    private BrokerEffect moved(BrokerState to) {
        state = to;
        return new BrokerEffect.StateChanged(to, brokerEpoch);
    }

    private BrokerEffect heartbeat() {
        heartbeat = new ControllerRequest.BrokerHeartbeat(
                config.brokerId(), brokerEpoch, metadataOffset, false, state == PENDING_CONTROLLED_SHUTDOWN);
        return new BrokerEffect.SendHeartbeat(heartbeat);
    }
}
