package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.Regions;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import io.tidemark.runtime.port.Responder;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.CorruptBatchException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network between nodes, and from clients to nodes; with the real wire every message between nodes goes through the
 * real codecs as bytes. Fault model:
 *
 * <ul>
 *   <li>A message is delivered after a random delay; with <b>latency</b>, <b>bandwidth</b> or <b>reorder</b> after a longer
 *       one, in the last case not in order. A dead node refuses at once.
 *   <li>A message that is lost (<b>message-loss</b>), or meets a cut link when it is sent or when it would arrive
 *       (<b>partition</b>, <b>one-way</b>, <b>bridge</b>, <b>ring</b>, <b>isr-lag</b>), is gone: its asker hears nothing
 *       until its time-out.
 *   <li><b>duplicate</b>: a request arrives a second time, up to three seconds late; the second answer goes nowhere.
 *   <li><b>reset</b>: askers of what is under way on a link hear at once that the connection is gone; the request arrives or
 *       not, its answer never.
 * </ul>
 */
final class SimNetwork {
    /** A test's hand on single messages. */
    interface Hand {
        /** True: the message does not go its way; {@code arrival} delivers it, if and when the hand runs that. */
        boolean takes(int from, int to, Object request, Runnable arrival);
    }

    /** Waits for a change of an ISR. */
    interface Joins {
        /** True: the request does not go its way, {@code arrival} delivers it; and nobody waits any more. */
        boolean takes(ControllerRequest.AlterPartition change, Runnable arrival);
    }

    private static final int CLIENTS = 0;
    private static final int LATE_US = 3_000_000;

    /** A request that is not answered yet. */
    private final class Call {
        final Links.Link there;
        final Links.Link back;
        final Object request;
        private final Consumer<@Nullable Object> done;
        private final World.Event timeout;
        private final @Nullable Incarnation asker;
        private Effects.@Nullable Injection lostBy;
        private boolean answered;

        Call(
                Links.Link there,
                Links.Link back,
                Object request,
                long timeoutMs,
                @Nullable Incarnation asker,
                Consumer<@Nullable Object> done) {
            this.there = there;
            this.back = back;
            this.request = request;
            this.asker = asker;
            this.done = done;
            this.timeout = world.after(timeoutMs * 1000L, this::timesOut);
            underWay.add(this);
        }

        private void timesOut() {
            if (!answered && (asker == null || !asker.dead())) {
                Effects.took(lostBy);
            }
            answer(null);
        }

        void answer(@Nullable Object answer) {
            if (!answered) {
                answered = true;
                underWay.remove(this);
                world.cancel(timeout);
                done.accept(answer);
            }
        }

        void lost(Effects.Injection by) {
            lostBy = by;
        }
    }

    private final World world;
    private final Effects effects;
    private final Answers answers;
    private final @Nullable WireCodec wire;
    private final Links links;
    private final TreeMap<Integer, SimNode> nodesByPort = new TreeMap<>();
    private final LinkedHashSet<Call> underWay = new LinkedHashSet<>();
    private @Nullable Joins joins;
    private Hand hand = (from, to, request, arrival) -> false;
    private @Nullable UUID flushed;

    SimNetwork(World world, Effects effects, Answers answers, int nodes, boolean realWire) {
        this.world = world;
        this.answers = answers;
        this.effects = effects;
        this.links = new Links(world, nodes);
        this.wire = realWire ? new WireCodec(world) : null;
    }

    void register(int port, SimNode node) {
        nodesByPort.put(port, node);
    }

    Links links() {
        return links;
    }

    void hand(Hand newHand) {
        hand = newHand;
    }

    /** The next change of an ISR that this wants is its own; null: none is. */
    void holdNextJoin(@Nullable Joins waiting) {
        joins = waiting;
    }

    /** Records of this topic are fsynced one by one: what followers show of it is looked at. */
    void flushesEach(UUID topic) {
        flushed = topic;
    }

    private boolean isHeld(Object request, Runnable arrival) {
        if (joins != null
                && request instanceof ControllerRequest.AlterPartition change
                && joins.takes(change, arrival)) {
            joins = null;
            return true;
        }
        return false;
    }

    /** A direction is cut, by a test's hand. */
    void cut(int from, int to) {
        Effects.Injection byHand = effects.uncounted(Fault.PARTITION);
        links.begin(all -> all.link(from, to).cut(byHand));
    }

    void healAll() {
        links.healAll();
    }

    /** The port of one life of node {@code from}. */
    Network of(int from, Incarnation life) {
        return (to, channel, request, timeoutMs, loop, done) -> send(from, life, to, request, timeoutMs, loop, done);
    }

    /** A node's process died: a change of an ISR that it asked for may still be on its way. */
    void died(int node) {
        underWay.forEach(call -> {
            if (call.request instanceof ControllerRequest.AlterPartition
                    && (call.there.from == node || call.there.to == node)) {
                effects.event("isr-change-across-death");
            }
        });
    }

    /** Connections between two nodes break. Returns whether anything was under way. */
    boolean reset(int one, int other) {
        List<Call> broken = new ArrayList<>();
        underWay.forEach(call -> {
            if ((call.there.from == one && call.there.to == other)
                    || (call.there.from == other && call.there.to == one)) {
                broken.add(call);
            }
        });
        broken.forEach(call -> call.answer(null));
        return !broken.isEmpty();
    }

    // ---- Between nodes

    private void send(
            int from,
            Incarnation life,
            Endpoint to,
            Object request,
            int timeoutMs,
            EventLoop loop,
            Consumer<@Nullable Object> done) {
        SimNode target = nodesByPort.get(to.port());
        if (target == null) {
            throw new IllegalStateException("nobody has port " + to.port());
        }
        SimNode sender = nodesByPort.get(SimSettings.BROKER_PORT + from);
        if (sender != null) {
            Promises.asks(sender, request, flushed);
        }
        boolean controllerListener = target.isControllerPort(to.port());
        Call call = new Call(
                links.link(from, target.id()),
                links.link(target.id(), from),
                request,
                timeoutMs,
                life,
                answer -> loop.post(() -> done.accept(answer)));
        Runnable arrival = () -> arrive(target, controllerListener, call, call::answer);
        if (hand.takes(from, target.id(), request, arrival) || isHeld(request, arrival)) {
            return;
        }
        boolean replicaFetch =
                request instanceof ClientRequest.Fetch fetch && fetch.replicaId() != ClientRequest.Fetch.CONSUMER;
        deliver(call, call.there, replicaFetch, arrival);
        Effects.Injection doubled = call.there.doublesNow();
        if (doubled != null) {
            world.after(call.there.random().nextLong(1, LATE_US), () -> {
                if (target.alive()) {
                    doubled.took();
                    if (call.answered && request instanceof ControllerRequest.AlterPartition) {
                        effects.event("isr-change-twice");
                    }
                }
                arrive(target, controllerListener, call, answer -> {});
            });
        }
    }

    private void deliver(Call call, Links.Link link, boolean replicaFetch, Runnable arrival) {
        Effects.Injection lost = link.losesNow(replicaFetch);
        if (lost != null) {
            call.lost(lost);
            return;
        }
        long delayUs = link.delayUs(world.nowUs());
        world.after(delayUs, () -> {
            Effects.Injection cut = link.cutBy();
            if (cut != null) {
                call.lost(cut);
            } else {
                link.arrived(delayUs);
                arrival.run();
            }
        });
    }

    private void arrive(SimNode target, boolean controllerListener, Call call, Consumer<@Nullable Object> answer) {
        NodeApi api = target.api();
        if (api == null) {
            deliver(call, call.back, false, () -> answer.accept(null));
            return;
        }
        WireCodec.Passed passed = wire == null
                ? new WireCodec.Passed(call.request, SimNetwork::withBytes)
                : wire.pass(call.request, controllerListener);
        hand(api, passed.request(), response -> {
            Promises.answers(target, call.request, response);
            answers.leaves(target.id(), response);
            SimDisk.Read<Object> read =
                    target.faultyDisk().read(() -> passed.back().answer(response));
            deliver(call, call.back, false, () -> {
                damageIsExplained(read);
                answer.accept(read.value());
            });
        });
    }

    /** Records that arrive damaged were read from a disk that corrupted reads when it was, whatever it does now. */
    private static void damageIsExplained(SimDisk.Read<Object> read) {
        if (isDamaged(read.value())) {
            Effects.Injection corruptedBy = read.corruptedBy();
            if (corruptedBy == null) {
                throw new Violation("RecordsArriveWhole", "a CRC is wrong, and no read was corrupted");
            }
            corruptedBy.took();
        }
    }

    private static boolean isDamaged(Object response) {
        if (response instanceof ClientResponse.Fetched fetched) {
            try {
                fetched.items().forEach(item -> BatchFormat.batches(Regions.bytes(item.records())));
            } catch (CorruptBatchException e) {
                return true;
            }
        }
        return false;
    }

    private static void hand(NodeApi api, Object request, Consumer<Object> answer) {
        if (request instanceof QuorumMessage.Request r) {
            api.quorum(r, new Once<QuorumMessage.Response>(answer));
        } else if (request instanceof ControllerRequest r) {
            api.controller(r, new Once<ControllerResponse>(answer));
        } else if (request instanceof ClientRequest.DescribeQuorum) {
            api.describeQuorum(new Once<ClientResponse>(answer));
        } else {
            api.client((ClientRequest) request, new Once<ClientResponse>(answer));
        }
    }

    // ---- From clients

    /**
     * A client asks a node.
     *
     * @param delayUs how long the request takes; clients keep an order of their own
     * @param atNode sees the answer when the node gives it
     * @param done gets the answer when it arrives; null where none comes
     */
    void ask(
            SimNode target,
            long delayUs,
            ClientRequest request,
            long timeoutMs,
            Consumer<ClientResponse> atNode,
            Consumer<@Nullable Object> done) {
        Call call = new Call(
                links.link(CLIENTS, target.id()), links.link(target.id(), CLIENTS), request, timeoutMs, null, done);
        Effects.Injection lost = call.there.losesNow(false);
        if (lost != null) {
            call.lost(lost);
            return;
        }
        world.after(delayUs, () -> {
            NodeApi api = target.api();
            if (api == null) {
                world.after(500, () -> call.answer(null));
                return;
            }
            hand(api, request, response -> {
                atNode.accept((ClientResponse) response);
                SimDisk.Read<Object> read = target.faultyDisk().read(() -> withBytes(response));
                deliver(call, call.back, false, () -> {
                    damageIsExplained(read);
                    call.answer(read.value());
                });
            });
        });
    }

    /** A responder whose identity is its own. */
    private static final class Once<T> implements Responder<T> {
        private final Consumer<Object> answer;

        Once(Consumer<Object> answer) {
            this.answer = answer;
        }

        @Override
        public void respond(T response) {
            answer.accept(response);
        }
    }

    /** What leaves a node is bytes: a region of a file is read when it is sent. */
    static Object withBytes(Object response) {
        if (response instanceof QuorumMessage.MetadataFetchResult r) {
            return r.withRecords(copy(r.records()));
        }
        if (response instanceof ClientResponse.Fetched r) {
            List<ClientResponse.Fetched.FetchedItem> items =
                    new ArrayList<>(r.items().size());
            for (ClientResponse.Fetched.FetchedItem item : r.items()) {
                items.add(new ClientResponse.Fetched.FetchedItem(
                        item.partition(),
                        item.error(),
                        item.hw(),
                        item.logStart(),
                        item.diverging(),
                        item.leader(),
                        item.leaderEpoch(),
                        copy(item.records())));
            }
            return new ClientResponse.Fetched(r.error(), items);
        }
        return response;
    }

    private static RecordBytes copy(RecordsRef records) {
        if (records.sizeInBytes() == 0) {
            return RecordBytes.EMPTY;
        }
        ByteBuffer bytes = Regions.bytes(records);
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes).flip();
        return new RecordBytes(copy);
    }
}
