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
import io.tidemark.runtime.Turn;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registration, heartbeats and the controlled shutdown of this broker. Used from the data loop alone. */
final class BrokerLife {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerLife.class);
    private static final long RETRY_MS = 100;

    private final NodeSettings settings;
    private final Ports ports;
    private final EventLoop loop;
    private final Turn turn;
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
            Turn turn,
            BrokerCore core,
            ControllerChannel controller,
            Consumer<BrokerState> stateChanged,
            Runnable mayStop,
            Consumer<String> fatal) {
        this.settings = settings;
        this.ports = ports;
        this.loop = ports.dataLoop();
        this.turn = turn;
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
        if (heartbeat != null) {
            heartbeat.cancel();
        }
    }

    void apply(BrokerInput input) {
        turn.submit(() -> {
            if (!stopped) {
                Step<BrokerEffect> step = core.apply(input);
                ports.listener().broker(input, step);
                step.effects().forEach(this::carryOut);
            }
        });
    }

    private void carryOut(BrokerEffect effect) {
        if (effect instanceof BrokerEffect.SendHeartbeat send) {
            live = send.request();
            controller.once(
                    Network.Channel.CONTROLLER,
                    send.request(),
                    settings.brokerTimes().sessionTimeoutMs() / 2,
                    answer -> heartbeatAnswered(send.request(), answer));
        } else if (effect instanceof BrokerEffect.SendRegistration send) {
            live = send.request();
            register(send.request());
        } else if (effect instanceof BrokerEffect.SetHeartbeatTimer) {
            setHeartbeatTimer();
        } else if (effect instanceof BrokerEffect.StateChanged changed) {
            LOG.info("Broker is {} with epoch {}", changed.state(), changed.brokerEpoch());
            brokerEpoch = changed.brokerEpoch();
            state = changed.state();
            stateChanged.accept(changed.state());
        } else if (effect instanceof BrokerEffect.ShutDownNow) {
            mayStop.run();
        } else if (effect instanceof BrokerEffect.Fatal f) {
            fatal.accept(f.reason());
        } else {
            throw new IllegalStateException("nobody carries out " + effect);
        }
    }

    private void register(ControllerRequest.RegisterBroker request) {
        controller.once(
                Network.Channel.CONTROLLER, request, settings.brokerTimes().requestTimeoutMs(), answer -> {
                    if (stopped || live != request) {
                        return;
                    }
                    if (answer == null || ControllerChannel.notController(answer)) {
                        loop.schedule(RETRY_MS, () -> {
                            if (!stopped && live == request) {
                                register(request);
                            }
                        });
                        return;
                    }
                    live = null;
                    apply(new BrokerInput.HandleBrokerRegistrationResponse(answer));
                });
    }

    private void heartbeatAnswered(ControllerRequest request, @Nullable ControllerResponse answer) {
        if (stopped || live != request) {
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
