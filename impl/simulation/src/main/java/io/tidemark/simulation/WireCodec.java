package io.tidemark.simulation;

import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.Regions;
import io.tidemark.wire.Body;
import io.tidemark.wire.Frame;
import io.tidemark.wire.Listener;
import io.tidemark.wire.MalformedFrameException;
import io.tidemark.wire.NodeFacts;
import io.tidemark.wire.PeerCodec;
import io.tidemark.wire.RequestCodec;
import io.tidemark.wire.batch.ProduceRules;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Takes what nodes say to one another through the real wire code, bytes and all, in both directions. */
final class WireCodec implements NodeFacts {
    /** One request that went through the wire, and the way back for its answer. */
    record Passed(Object request, Back back) {}

    /** The way back. */
    interface Back {
        Object answer(Object response);
    }

    private final World world;
    private final RequestCodec server = new RequestCodec(this);
    private final PeerCodec client = new PeerCodec("simulated", "CONTROLLER");
    private int correlationId;

    WireCodec(World world) {
        this.world = world;
    }

    /** As it arrives at the other side; both sides must understand one another, or the run fails. */
    Passed pass(Object request, boolean controllerListener) {
        PeerCodec.Call call = client.encode(request, correlationId++);
        try {
            RequestCodec.Decoded decoded = server.decode(
                    withoutSize(call.frame()), controllerListener ? Listener.CONTROLLER : Listener.BROKER);
            return new Passed(neutral(decoded.body()), response -> back(call, decoded, response));
        } catch (MalformedFrameException e) {
            throw new IllegalStateException("not understood: " + request, e);
        }
    }

    private Object back(PeerCodec.Call call, RequestCodec.Decoded decoded, Object response) {
        try {
            return call.decode(withoutSize(server.encode(decoded.exchange(), response)));
        } catch (MalformedFrameException e) {
            throw new IllegalStateException("not understood: " + response, e);
        }
    }

    private static Object neutral(Body body) {
        if (body instanceof Body.Quorum quorum) {
            return quorum.request();
        } else if (body instanceof Body.Controller controller) {
            return controller.request();
        } else if (body instanceof Body.Client broker) {
            return broker.request();
        }
        throw new IllegalStateException("nodes do not ask one another for " + body);
    }

    private static ByteBuffer withoutSize(Frame frame) {
        ByteBuffer whole = frame.join(Regions::bytes);
        return whole.position(whole.position() + Integer.BYTES).slice();
    }

    @Override
    public ProduceRules produceRules(PartitionRef partition) {
        return ProduceRules.DEFAULT;
    }

    @Override
    public @Nullable Endpoint broker(int id) {
        return null;
    }

    @Override
    public long nowMs() {
        return world.wallMs();
    }
}
