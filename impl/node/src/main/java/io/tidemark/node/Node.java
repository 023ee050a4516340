package io.tidemark.node;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.Bootstrap;
import io.tidemark.node.config.ConfigException;
import io.tidemark.node.config.Features;
import io.tidemark.node.config.LogDirIdentity;
import io.tidemark.node.config.NodeConfigs;
import io.tidemark.node.config.ServerConfig;
import io.tidemark.node.loop.QueueFlushThread;
import io.tidemark.node.loop.ThreadLoop;
import io.tidemark.node.net.MessageTrace;
import io.tidemark.node.net.NetServer;
import io.tidemark.node.net.NodeNetwork;
import io.tidemark.runtime.NodeObserver;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.node.NodeRuntime;
import io.tidemark.storage.Base64Uuid;
import io.tidemark.storage.Disk;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.RealDisk;
import io.tidemark.storage.StorageException;
import io.tidemark.wire.DescribeContext;
import io.tidemark.wire.KafkaMetadataCodec;
import io.tidemark.wire.Listener;
import io.tidemark.wire.PeerCodec;
import io.tidemark.wire.batch.KafkaRecordScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node: the runtime on real threads, sockets and files. */
public final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final int NO_LEADER = -1;
    private static final long SHUT_DOWN_MS = 30_000;

    /** What becomes of the node; called on its threads. */
    public interface Events {
        /** Once: the broker is unfenced, or the controller knows its leader. */
        void started();

        /** What is around the node does not let it serve: no controller registers its broker, a port is another's. */
        void refused(String reason);

        /** The node cannot go on: a disk's error, or a defect. */
        void failed(String reason, @Nullable Throwable cause);
    }

    private final ServerConfig config;
    private final MetaProperties meta;
    private final Events events;
    private final Disk disk = new RealDisk();
    private final KafkaMetadataCodec codec = new KafkaMetadataCodec();
    private final NodeNetwork network;
    private final @Nullable NodeTrace trace;
    private final List<AutoCloseable> threads = new ArrayList<>();
    private final List<DescribeContext.NodeConfig> configs;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicInteger salt = new AtomicInteger();
    private volatile int leader = NO_LEADER;
    private final NodeRuntime runtime;
    private final List<Endpoint> brokerEndpoints;

    /**
     * Starts a node; it serves as soon as it can.
     *
     * @throws ConfigException where its directory is not formatted, damaged or another node's
     * @throws NetServer.BindException where a listener cannot be bound
     * @throws io.tidemark.storage.StorageException where the directory is locked or cannot be read
     */
    public Node(ServerConfig config, Events events) throws ConfigException, NetServer.BindException {
        this(config, events, Alteration.NONE, null);
    }

    /** @param traceFile where every step is told; null: nowhere */
    Node(ServerConfig config, Events events, Alteration alteration, @Nullable Path traceFile)
            throws ConfigException, NetServer.BindException {
        this.config = config;
        this.events = events;
        meta = LogDirIdentity.identify(disk, config);
        configs = NodeConfigs.describe(config);
        SortedMap<String, Short> features = Bootstrap.readFeatures(disk, config.logDir(), codec);
        trace = traceFile == null ? null : trace(traceFile);
        network = new NodeNetwork(
                config.network(),
                new PeerCodec(
                        MessageTrace.clientId(config.nodeId()),
                        config.listeners().controllerNames().get(0)),
                System::currentTimeMillis,
                trace == null ? null : new MessageTrace(trace.log(), config.nodeId()));
        boolean running = false;
        try {
            List<Endpoint> bound = bind();
            brokerEndpoints = withPorts(config.listeners().advertisedBroker(), bound);
            UUID incarnation = UUID.randomUUID();
            NodeSettings settings = config.settings(
                    meta,
                    incarnation,
                    features,
                    brokerEndpoints,
                    withPorts(config.listeners().advertisedController(), bound),
                    alteration.guards());
            runtime = NodeRuntime.start(settings, ports(incarnation), new Observer());
            network.serve(alteration.api(runtime), this::describe);
            running = true;
        } finally {
            if (!running) {
                close();
            }
        }
        LOG.info(
                "Node {} of cluster {}: {}{}, directory {} ({})",
                config.nodeId(),
                meta.clusterId(),
                config.broker() ? "broker" : "",
                config.controller() ? (config.broker() ? " and controller" : "controller") : "",
                config.logDir(),
                Base64Uuid.encode(meta.directoryId()));
    }

    private List<Endpoint> bind() throws NetServer.BindException {
        List<Endpoint> bound = new ArrayList<>();
        for (Endpoint listener : config.listeners().bound()) {
            boolean controller = config.listeners().controllerNames().contains(listener.listener());
            bound.add(network.bind(listener, controller ? Listener.CONTROLLER : Listener.BROKER));
        }
        return bound;
    }

    private static List<Endpoint> withPorts(List<Endpoint> advertised, List<Endpoint> bound) {
        return advertised.stream()
                .map(endpoint -> endpoint.port() != 0
                        ? endpoint
                        : new Endpoint(
                                endpoint.listener(),
                                endpoint.host(),
                                bound.stream()
                                        .filter(other -> other.listener().equals(endpoint.listener()))
                                        .findFirst()
                                        .orElseThrow()
                                        .port()))
                .toList();
    }

    private NodeTrace trace(Path file) {
        try {
            return new NodeTrace(file, config.nodeId());
        } catch (IOException e) {
            throw new StorageException(file, "the trace cannot be written", e);
        }
    }

    private Ports ports(UUID incarnation) {
        return new Ports(
                loop("control"),
                loop("data"),
                flush("metadata-flush"),
                flush("data-flush"),
                network.peers(),
                System::currentTimeMillis,
                disk,
                codec,
                new KafkaRecordScanner(),
                new SecureRandom(),
                trace == null ? StepListener.NONE : trace.log().begins(config.nodeId(), incarnation, false));
    }

    private ThreadLoop loop(String name) {
        ThreadLoop loop = new ThreadLoop(name, config.network().queuedMaxRequests(), this::failed);
        threads.add(loop);
        return loop;
    }

    private QueueFlushThread flush(String name) {
        QueueFlushThread flush = new QueueFlushThread(name, this::failed);
        threads.add(flush);
        return flush;
    }

    private void failed(Thread thread, Throwable cause) {
        events.failed("thread " + thread.getName() + ": " + cause, cause);
    }

    private DescribeContext describe(Listener kind, String listenerName) {
        return new DescribeContext(
                config.nodeId(),
                meta.clusterId(),
                kind,
                listenerName,
                leader,
                salt.getAndIncrement(),
                config.network().autoCreateTopics(),
                Features.supported(),
                (short) (config.staticVoters().voters().isEmpty() ? 1 : 0),
                configs);
    }

    private final class Observer implements NodeObserver {
        @Override
        public void brokerState(BrokerState state) {
            if (state == BrokerState.RUNNING) {
                start();
            }
        }

        @Override
        public void brokerReady() {
            try {
                network.acceptClients();
            } catch (NetServer.BindException e) {
                events.refused("listener " + e.getMessage());
            }
        }

        @Override
        public void quorumLeader(int leaderId, int epoch) {
            leader = leaderId;
            if (!config.broker() && leaderId != NO_LEADER) {
                start();
            }
        }

        @Override
        public void metadataApplied(List<MetadataState.Applied> applied, MetadataView view) {
            network.metadataApplied(applied, view);
        }

        @Override
        public void fatal(String reason) {
            events.refused(reason);
        }

        private void start() {
            if (started.compareAndSet(false, true)) {
                events.started();
            }
        }
    }

    /** Where clients reach the broker, with the ports that were bound; empty without the broker role. */
    public List<Endpoint> brokerEndpoints() {
        return brokerEndpoints;
    }

    /** Hands leadership over, closes the logs in order, and ends. */
    public void shutDown() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        runtime.shutDown(done::countDown);
        if (!done.await(SHUT_DOWN_MS, TimeUnit.MILLISECONDS)) {
            LOG.warn("The node did not come to rest in {} ms; the next start recovers its logs", SHUT_DOWN_MS);
        }
        close();
    }

    private void closeTrace() {
        NodeTrace open = trace;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("While the trace is closed: {}", e.toString());
            }
        }
    }

    private void close() {
        network.close();
        for (AutoCloseable thread : threads) {
            try {
                thread.close();
            } catch (Exception e) {
                LOG.warn("While the node ends: {}", e.toString());
            }
        }
        closeTrace();
    }
}
