package io.tidemark.runtime.broker;

import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerEffect;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registration, heartbeats and the controlled shutdown of this broker. Used from the data loop alone. */
final class BrokerLife implements BrokerEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerLife.class);

    private final NodeSettings settings;
    private final Ports ports;
    private final EventLoop loop;
    private final StepQueue steps;
    private final BrokerCore core;
    private final ControllerChannel controller;
    private final Consumer<BrokerState> stateChanged;
    private final Runnable mayStop;
    private final Consumer<String> fatal;
    private volatile BrokerState state = BrokerState.NOT_RUNNING;
    private long brokerEpoch = -1;
    private @Nullable ControllerRequest live;
    private EventLoop.@Nullable Timer heartbeat;
    private boolean stopped;

    BrokerLife(
            NodeSettings settings,
            Ports ports,
            StepQueue steps,
            BrokerCore core,
            ControllerChannel controller,
            Consumer<BrokerState> stateChanged,
            Runnable mayStop,
            Consumer<String> fatal) {
        this.settings = settings;
        this.ports = ports;
        this.loop = ports.dataLoop();
        this.steps = steps;
        this.core = core;
        this.controller = controller;
        this.stateChanged = stateChanged;
        this.mayStop = mayStop;
        this.fatal = fatal;
    }

    /** Any thread may ask. */
    BrokerState state() {
        return state;
    }

    long brokerEpoch() {
        return brokerEpoch;
    }

    void stop() {
        stopped = true;
        live = null;
    }

    void apply(BrokerInput input) {
        steps.submit(() -> {
            if (!stopped) {
                Step<BrokerEffect> step = core.apply(input);
                ports.listener().broker(input, step);
                step.effects().forEach(effect -> effect.applyTo(this));
            }
        });
    }

    @Override
    public void sendRegistration(BrokerEffect.SendRegistration effect) {
        ControllerRequest request = effect.request();
        live = request;
        controller.untilAnswered(
                Network.Channel.CONTROLLER,
                request,
                () -> live == request ? settings.brokerTimes().requestTimeoutMs() : 0,
                answer -> {
                    if (answer != null && live == request) {
                        live = null;
                        apply(new BrokerInput.HandleBrokerRegistrationResponse(answer));
                    }
                });
    }

    @Override
    public void sendHeartbeat(BrokerEffect.SendHeartbeat effect) {
        live = effect.request();
        controller.once(
                Network.Channel.CONTROLLER,
                effect.request(),
                settings.brokerTimes().sessionTimeoutMs() / 2,
                answer -> heartbeatAnswered(effect.request(), answer));
    }

    @Override
    public void setRegistrationTimer(BrokerEffect.SetRegistrationTimer effect) {
        loop.schedule(
                settings.brokerTimes().initialRegistrationTimeoutMs(),
                () -> apply(new BrokerInput.RegistrationTimeout()));
    }

    @Override
    public void setHeartbeatTimer(BrokerEffect.SetHeartbeatTimer effect) {
        setHeartbeatTimer();
    }

    @Override
    public void stateChanged(BrokerEffect.StateChanged effect) {
        LOG.info("Broker is {} with epoch {}", effect.state(), effect.brokerEpoch());
        brokerEpoch = effect.brokerEpoch();
        state = effect.state();
        stateChanged.accept(effect.state());
    }

    @Override
    public void shutDownNow(BrokerEffect.ShutDownNow effect) {
        mayStop.run();
    }

    @Override
    public void fatal(BrokerEffect.Fatal effect) {
        fatal.accept(effect.reason());
    }

    private void heartbeatAnswered(ControllerRequest request, @Nullable ControllerResponse answer) {
        if (live != request) {
            return;
        }
        live = null;
        if (answer == null || ControllerChannel.notController(answer)) {
            setHeartbeatTimer();
        } else {
            apply(new BrokerInput.HandleBrokerHeartbeatResponse(answer));
        }
    }

    private void setHeartbeatTimer() {
        if (heartbeat != null) {
            heartbeat.cancel();
        }
        heartbeat = loop.schedule(settings.brokerTimes().heartbeatIntervalMs(), () -> {
            heartbeat = null;
            apply(new BrokerInput.HeartbeatTimeout());
        });
    }
}
