package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.runtime.DurabilityGate;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the active controller decides; there is a core only while this node leads the quorum. Used from the
 * control loop alone.
 */
final class ControllerRunner implements ControllerEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerRunner.class);
    private static final ControllerResponse NOT_CONTROLLER =
            new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, "This node is not the active controller.");

    private final NodeSettings settings;
    private final Ports ports;
    private final EventLoop loop;
    private final StepQueue steps;
    private final QuorumRunner quorum;
    private final Map<Integer, EventLoop.Timer> sessions = new TreeMap<>();
    private @Nullable ControllerCore core;

    ControllerRunner(NodeSettings settings, Ports ports, StepQueue steps, QuorumRunner quorum) {
        this.settings = settings;
        this.ports = ports;
        this.loop = ports.controlLoop();
        this.steps = steps;
        this.quorum = quorum;
    }

    /** A request of a broker or an administrator. */
    void handle(ControllerRequest request, Responder<ControllerResponse> responder) {
        steps.submit(() -> {
            if (core == null) { // Where there is a core, it refuses by itself what comes outside of its term.
                responder.respond(NOT_CONTROLLER);
            } else {
                applyNow(ControllerInput.of(withDraws(request), responder));
            }
        });
    }

    /** What the core may not draw itself is drawn here: topic ids, and where placement starts. */
    private ControllerRequest withDraws(ControllerRequest request) {
        RandomGenerator random = ports.random();
        if (request instanceof ControllerRequest.CreateTopics r) {
            List<UUID> ids = new ArrayList<>(r.topics().size());
            for (int i = 0; i < r.topics().size(); i++) {
                ids.add(new UUID(random.nextLong(), random.nextLong()));
            }
            return new ControllerRequest.CreateTopics(
                    r.topics(), r.validateOnly(), ids, random.nextInt(Integer.MAX_VALUE));
        } else if (request instanceof ControllerRequest.CreatePartitions r) {
            return new ControllerRequest.CreatePartitions(
                    r.topics(), r.validateOnly(), random.nextInt(Integer.MAX_VALUE));
        }
        return request;
    }

    /** This node leads in {@code epoch}; {@code committed} holds every record below {@code nextOffset}. */
    void activate(int epoch, long nextOffset, MetadataState committed) {
        LOG.info("Becoming the active controller in epoch {} at offset {}", epoch, nextOffset);
        core = new ControllerCore(settings.controllerConfig(), committed.copy());
        applyNow(new ControllerInput.Activate(epoch, nextOffset));
        if (settings.brokerTimes().autoLeaderRebalance()) {
            every(
                    settings.brokerTimes().leaderImbalanceCheckIntervalMs(),
                    epoch,
                    new ControllerInput.PreferredLeaderTimeout());
        }
        every(settings.brokerTimes().uncleanElectionIntervalMs(), epoch, new ControllerInput.UncleanElectionTimeout());
    }

    /** This node leads no longer; nothing happens where it is not the active controller. */
    void deactivate() {
        if (core == null) {
            return;
        }
        LOG.info("No longer the active controller");
        applyNow(new ControllerInput.Deactivate());
        stop();
    }

    /** Decides nothing any more, whatever timers still run out; who waits for a commit is refused. */
    void stop() {
        core = null;
        gate().refuseUncommitted();
    }

    void committed(long hw) {
        if (core != null) {
            applyNow(new ControllerInput.CommitMetadata(hw));
        }
        gate().committed(hw);
    }

    private void apply(ControllerInput input) {
        steps.submit(() -> {
            if (core != null) {
                applyNow(input);
            }
        });
    }

    private void applyNow(ControllerInput input) {
        ControllerCore acting = Objects.requireNonNull(core);
        Step<ControllerEffect> step = acting.apply(input);
        ports.listener().controller(acting, input, step);
        step.effects().forEach(effect -> effect.applyTo(this));
    }

    @Override
    public void append(ControllerEffect.Append effect) {
        boolean taken = quorum.append(
                effect.epoch(),
                effect.baseOffset(),
                effect.records().size(),
                ports.codec().encode(effect.records(), ports.wallClock().nowMs()));
        if (!taken) {
            steps.submit(this::deactivate);
        }
    }

    @Override
    public void reply(ControllerEffect.Reply effect) {
        gate().when(
                        effect.requires(),
                        () -> respond(effect.token(), effect.response()),
                        () -> respond(effect.token(), NOT_CONTROLLER));
    }

    @Override
    public void setSession(ControllerEffect.SetSession effect) {
        int brokerId = effect.brokerId();
        cancelSession(brokerId);
        sessions.put(brokerId, loop.schedule(settings.brokerTimes().sessionTimeoutMs(), () -> {
            sessions.remove(brokerId);
            LOG.info("Session of broker {} expired", brokerId);
            apply(new ControllerInput.BrokerSessionTimeout(brokerId));
        }));
    }

    @Override
    public void cancelSession(ControllerEffect.CancelSession effect) {
        cancelSession(effect.brokerId());
    }

    @Override
    public void self(ControllerEffect.Self effect) {
        apply(effect.input());
    }

    private void cancelSession(int brokerId) {
        EventLoop.Timer running = sessions.remove(brokerId);
        if (running != null) {
            running.cancel();
        }
    }

    /** Hands {@code input} in again and again while this node is the active controller of {@code epoch}. */
    private void every(long intervalMs, int epoch, ControllerInput input) {
        loop.schedule(intervalMs, () -> {
            if (core != null && core.view().epoch() == epoch) {
                every(intervalMs, epoch, input);
                apply(input);
            }
        });
    }

    private DurabilityGate gate() {
        return quorum.gate();
    }

    @SuppressWarnings("unchecked") // every token that reaches the controller was made by NodeApi.controller
    private static void respond(ReplyToken token, ControllerResponse response) {
        ((Responder<ControllerResponse>) token).respond(response);
    }
}
