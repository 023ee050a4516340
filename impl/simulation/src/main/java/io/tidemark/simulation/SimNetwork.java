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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The network between nodes; with the real wire every message goes through the real codecs as bytes. Fault model: a
 * message is delivered after a random delay (so that messages of different connections overtake one another), lost (the asker hears nothing until its time-out), delivered twice (the second answer
 * goes nowhere: a stale request), or lost because the link is cut in that direction. A dead node refuses at once.
 */
final class SimNetwork {
    private record Link(int from, int to) implements Comparable<Link> {
        @Override
        public int compareTo(Link other) {
            return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }
    }

    private static final int CALM_DELAY_US = 2_000;

    /** A test's hand on single messages. */
    interface Hand {
        /** True: the message does not go its way; {@code arrival} delivers it, if and when the hand runs that. */
        boolean takes(int from, int to, Object request, Runnable arrival);
    }

    private final World world;
    private final RandomGenerator random;
    private final @Nullable WireCodec wire;
    private final TreeMap<Integer, SimNode> nodesByPort = new TreeMap<>();
    private final TreeSet<Link> cut = new TreeSet<>();
    private double loss;
    private double duplicates;
    private int maxDelayUs = CALM_DELAY_US;
    private final TreeMap<String, Integer> tookEffect = new TreeMap<>();
    private Hand hand = (from, to, request, arrival) -> false;
    private final TreeMap<Link, Long> lastArrivals = new TreeMap<>();

    SimNetwork(World world, boolean realWire) {
        this.world = world;
        this.wire = realWire ? new WireCodec(world) : null;
        this.random = world.random("network");
    }

    void register(int port, SimNode node) {
        nodesByPort.put(port, node);
    }

    void hand(Hand newHand) {
        hand = newHand;
    }

    void loss(double probability) {
        loss = probability;
    }

    void duplicates(double probability) {
        duplicates = probability;
    }

    void maxDelayUs(int delay) {
        maxDelayUs = delay;
    }

    void cut(int from, int to) {
        cut.add(new Link(from, to));
    }

    void healAll() {
        cut.clear();
        loss = 0;
        duplicates = 0;
        maxDelayUs = CALM_DELAY_US;
    }

    /**
     * Messages lost, cut off, delivered twice, and overtaken by a later one of the same direction; an ISR change counts as
     * delivered twice where the first was answered before.
     */
    SortedMap<String, Integer> tookEffect() {
        return tookEffect;
    }

    private void effect(String kind) {
        tookEffect.merge(kind, 1, Integer::sum);
    }

    /** The port of one life of node {@code from}. */
    Network of(int from) {
        return (to, channel, request, timeoutMs, loop, done) -> send(from, to, request, timeoutMs, loop, done);
    }

    private void send(
            int from, Endpoint to, Object request, int timeoutMs, EventLoop loop, Consumer<@Nullable Object> done) {
        boolean[] answered = new boolean[1];
        Consumer<@Nullable Object> once = answer -> {
            if (!answered[0]) {
                answered[0] = true;
                loop.post(() -> done.accept(answer));
            }
        };
        world.after(timeoutMs * 1000L, () -> once.accept(null));
        SimNode target = nodesByPort.get(to.port());
        if (target == null) {
            return;
        }
        boolean controllerListener = target.isControllerPort(to.port());
        Runnable arrival = () -> arrive(from, target, controllerListener, request, once);
        if (hand.takes(from, target.id(), request, arrival)) {
            return;
        }
        deliver(from, target.id(), arrival);
        if (random.nextDouble() < duplicates) {
            effect("message-twice");
            world.after(random.nextLong(1, 3_000_000), () -> {
                if (answered[0] && request instanceof ControllerRequest.AlterPartition) {
                    effect("isr-change-twice");
                }
                arrive(from, target, controllerListener, request, answer -> {});
            });
        }
    }

    private void deliver(int from, int to, Runnable arrival) {
        Link link = new Link(from, to);
        if (cut.contains(link)) {
            effect("message-cut-off");
            return;
        }
        if (random.nextDouble() < loss) {
            effect("message-lost");
            return;
        }
        int delayUs = random.nextInt(50, maxDelayUs);
        long arrivesUs = world.nowUs() + delayUs;
        Long last = lastArrivals.merge(link, arrivesUs, Math::max);
        if (last > arrivesUs && maxDelayUs > CALM_DELAY_US) {
            effect("message-overtaken");
        }
        world.after(delayUs, () -> {
            if (cut.contains(link)) {
                effect("message-cut-off");
            } else {
                arrival.run();
            }
        });
    }

    private void arrive(
            int from, SimNode target, boolean controllerListener, Object sent, Consumer<@Nullable Object> answer) {
        NodeApi api = target.api();
        if (api == null) {
            deliver(target.id(), from, () -> answer.accept(null));
            return;
        }
        WireCodec.Passed passed =
                wire == null ? new WireCodec.Passed(sent, SimNetwork::withBytes) : wire.pass(sent, controllerListener);
        hand(api, passed.request(), response -> {
            Object copied = passed.back().answer(response);
            deliver(target.id(), from, () -> answer.accept(copied));
        });
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
