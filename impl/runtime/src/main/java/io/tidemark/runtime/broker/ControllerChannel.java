package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The way from this broker to the active controller, wherever it is. Used from the data loop alone. */
final class ControllerChannel {
    private static final long RETRY_MS = 50;

    private final EventLoop loop;
    private final Network network;
    private final Set<Asked> waiting = new LinkedHashSet<>();
    private int leaderId = -1;
    private int epoch;
    private List<Endpoint> endpoints = List.of();

    ControllerChannel(EventLoop loop, Network network) {
        this.loop = loop;
        this.network = network;
    }

    void leadership(ControlPlane.Leadership leadership) {
        if (leadership.leaderId() != leaderId) {
            // Who asked a controller that is one no longer need not wait for its time-out: it may be frozen.
            List.copyOf(waiting).forEach(asked -> loop.post(() -> asked.end(null)));
        }
        leaderId = leadership.leaderId();
        epoch = leadership.epoch();
        endpoints = leadership.endpoints();
    }

    /** Whether there is a controller to ask; nothing is sent where there is none. */
    boolean known() {
        return leaderId >= 0 && !endpoints.isEmpty();
    }

    /** One attempt; {@code done} gets null where no answer came or no controller is known. */
    void once(
            Network.Channel channel,
            ControllerRequest request,
            int timeoutMs,
            Consumer<@Nullable ControllerResponse> done) {
        ask(channel, request, timeoutMs, answer -> done.accept(answer instanceof ControllerResponse r ? r : null));
    }

    private void ask(Network.Channel channel, Object request, int timeoutMs, Consumer<@Nullable Object> done) {
        if (!known()) {
            loop.schedule(RETRY_MS, () -> done.accept(null));
            return;
        }
        Asked asked = new Asked(done);
        waiting.add(asked);
        network.request(endpoints.get(0), channel, request, timeoutMs, loop, asked::end);
    }

    /** A request on its way; ends once. */
    private final class Asked {
        private final Consumer<@Nullable Object> done;

        Asked(Consumer<@Nullable Object> done) {
            this.done = done;
        }

        void end(@Nullable Object answer) {
            if (waiting.remove(this)) {
                done.accept(answer);
            }
        }
    }

    /**
     * Attempt after attempt until the active controller has answered.
     *
     * @param timeoutMs of the next attempt; none is made where it is not positive: then {@code done} gets null
     */
    void untilAnswered(
            Network.Channel channel,
            ControllerRequest request,
            LongSupplier timeoutMs,
            Consumer<@Nullable ControllerResponse> done) {
        long timeout = timeoutMs.getAsLong();
        if (timeout <= 0) {
            done.accept(null);
            return;
        }
        once(channel, request, (int) timeout, answer -> {
            if (answer == null || notController(answer)) {
                loop.schedule(RETRY_MS, () -> untilAnswered(channel, request, timeoutMs, done));
            } else {
                done.accept(answer);
            }
        });
    }

    /** Until the active controller has answered or the time is over: then REQUEST_TIMED_OUT. */
    void until(long deadlineMs, ControllerRequest request, Consumer<ControllerResponse> done) {
        untilAnswered(
                Network.Channel.FORWARD,
                request,
                () -> deadlineMs - loop.nowMs(),
                answer -> done.accept(
                        answer != null
                                ? answer
                                : new ControllerResponse.Refused(
                                        ErrorCode.REQUEST_TIMED_OUT, "The active controller did not answer in time.")));
    }

    /** DescribeQuorum is answered by the leader alone. */
    void describeQuorum(int timeoutMs, Consumer<ClientResponse> done) {
        ask(
                Network.Channel.FORWARD,
                new ClientRequest.DescribeQuorum(),
                timeoutMs,
                answer -> done.accept(
                        answer instanceof ClientResponse.Quorum quorum
                                ? quorum
                                : new ClientResponse.Quorum(
                                        ErrorCode.NOT_LEADER_OR_FOLLOWER, leaderId, epoch, -1, List.of(), List.of())));
    }

    static boolean notController(ControllerResponse answer) {
        return answer instanceof ControllerResponse.Refused refused && refused.error() == ErrorCode.NOT_CONTROLLER;
    }
}
