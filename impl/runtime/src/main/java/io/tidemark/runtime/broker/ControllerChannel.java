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
import org.jspecify.annotations.Nullable;

/** The way from this broker to the active controller, wherever it is. Used from the data loop alone. */
final class ControllerChannel {
    private static final long RETRY_MS = 50;

    private final EventLoop loop;
    private final Network network;
    private final Set<Attempt> attempts = new LinkedHashSet<>();
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
            List<Attempt> abandoned = List.copyOf(attempts);
            abandoned.forEach(attempt -> loop.post(() -> attempt.end(null)));
        }
        leaderId = leadership.leaderId();
        epoch = leadership.epoch();
        endpoints = leadership.endpoints();
    }

    int leaderId() {
        return leaderId;
    }

    int epoch() {
        return epoch;
    }

    /** One attempt; {@code done} gets null where no answer came or no controller is known. */
    void once(
            Network.Channel channel,
            ControllerRequest request,
            int timeoutMs,
            Consumer<@Nullable ControllerResponse> done) {
        if (leaderId < 0 || endpoints.isEmpty()) {
            loop.schedule(RETRY_MS, () -> done.accept(null));
            return;
        }
        Attempt attempt = new Attempt(done);
        attempts.add(attempt);
        network.request(
                endpoints.get(0),
                channel,
                request,
                timeoutMs,
                loop,
                answer -> attempt.end(answer instanceof ControllerResponse response ? response : null));
    }

    /** A request on its way; ends once. */
    private final class Attempt {
        private final Consumer<@Nullable ControllerResponse> done;

        Attempt(Consumer<@Nullable ControllerResponse> done) {
            this.done = done;
        }

        void end(@Nullable ControllerResponse answer) {
            if (attempts.remove(this)) {
                done.accept(answer);
            }
        }
    }

    /** Again and again until the active controller has answered or the time is over: then REQUEST_TIMED_OUT. */
    void until(long deadlineMs, ControllerRequest request, Consumer<ControllerResponse> done) {
        long left = deadlineMs - loop.nowMs();
        if (left <= 0) {
            done.accept(new ControllerResponse.Refused(
                    ErrorCode.REQUEST_TIMED_OUT, "The active controller did not answer in time."));
            return;
        }
        once(Network.Channel.FORWARD, request, (int) left, answer -> {
            if (answer == null || notController(answer)) {
                loop.schedule(RETRY_MS, () -> until(deadlineMs, request, done));
            } else {
                done.accept(answer);
            }
        });
    }

    /** DescribeQuorum is answered by the leader alone. */
    void describeQuorum(int timeoutMs, Consumer<ClientResponse> done) {
        ClientResponse unknown =
                new ClientResponse.Quorum(ErrorCode.NOT_LEADER_OR_FOLLOWER, leaderId, epoch, -1, List.of(), List.of());
        if (leaderId < 0 || endpoints.isEmpty()) {
            done.accept(unknown);
            return;
        }
        network.request(
                endpoints.get(0),
                Network.Channel.FORWARD,
                new ClientRequest.DescribeQuorum(),
                timeoutMs,
                loop,
                answer -> done.accept(answer instanceof ClientResponse.Quorum quorum ? quorum : unknown));
    }

    static boolean notController(ControllerResponse answer) {
        return answer instanceof ControllerResponse.Refused refused && refused.error() == ErrorCode.NOT_CONTROLLER;
    }
}
