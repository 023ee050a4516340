package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/** Hands out producer ids from the block that the controller gave this broker (KIP-730); none is given twice. */
final class ProducerIds {
    private static final long TIMEOUT_MS = 10_000;

    private final int brokerId;
    private final EventLoop loop;
    private final ControllerChannel controller;
    private final LongSupplier brokerEpoch;
    private final ArrayDeque<Responder<ClientResponse>> waiting = new ArrayDeque<>();
    private long next;
    private long end;
    private boolean asking;

    ProducerIds(int brokerId, EventLoop loop, ControllerChannel controller, LongSupplier brokerEpoch) {
        this.brokerId = brokerId;
        this.loop = loop;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
    }

    void next(Responder<ClientResponse> responder) {
        if (next < end) {
            responder.respond(new ClientResponse.ProducerId(ErrorCode.NONE, next++, (short) 0));
            return;
        }
        waiting.add(responder);
        if (!asking) {
            asking = true;
            controller.until(
                    loop.nowMs() + TIMEOUT_MS,
                    new ControllerRequest.AllocateProducerIds(brokerId, brokerEpoch.getAsLong()),
                    this::answered);
        }
    }

    private void answered(ControllerResponse response) {
        asking = false;
        ArrayDeque<Responder<ClientResponse>> served = new ArrayDeque<>(waiting);
        waiting.clear();
        if (response instanceof ControllerResponse.ProducerIdBlock block) {
            next = block.first();
            end = block.first() + block.length();
            served.forEach(this::next);
        } else {
            // The client retries: the broker is not registered yet, or the controller is away.
            served.forEach(responder -> responder.respond(
                    new ClientResponse.ProducerId(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, -1, (short) -1)));
        }
    }
}
