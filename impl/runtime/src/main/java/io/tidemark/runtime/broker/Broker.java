package io.tidemark.runtime.broker;

import io.tidemark.core.broker.BrokerConfig;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.log.LogState;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.NodeObserver;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything on the data loop: the replicas, the committed metadata, and what clients and followers ask of them. */
public final class Broker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private final NodeSettings settings;
    private final Ports ports;
    private final EventLoop loop;
    private final StepQueue steps = new StepQueue();
    private final MetadataState metadata;
    private final PartitionHosts replicas;
    private final MetadataApplier applier;
    private final LogManager logs;
    private final NodeObserver observer;
    private final ControllerChannel controller;
    private final BrokerLife life;
    private final AlterPartitions alterPartitions;
    private final ProducerIds producerIds;
    private final OffsetQueries offsets;
    private final Map<Integer, ReplicaFetcher> fetchers = new TreeMap<>();
    private boolean ready;
    private boolean stopped;

    /**
     * Made before the loops run.
     *
     * @param mayStop called on the loop once the controller lets this broker go
     * @param observer called on the loop
     */
    public Broker(NodeSettings settings, Ports ports, LogManager logs, Runnable mayStop, NodeObserver observer) {
        this.settings = settings;
        this.ports = ports;
        this.loop = ports.dataLoop();
        this.logs = logs;
        this.observer = observer;
        this.metadata = new MetadataState(settings.nodeId(), new TreeMap<>(settings.topicDefaults()));
        this.replicas = new PartitionHosts(metadata);
        this.applier =
                new MetadataApplier(settings.nodeId(), settings.incarnation(), metadata, replicas, new HostFactory());
        this.controller = new ControllerChannel(loop, ports.network());
        BrokerCore core = new BrokerCore(new BrokerConfig(
                settings.nodeId(),
                settings.clusterId(),
                settings.incarnation(),
                settings.brokerEndpoints(),
                settings.features(),
                settings.brokerRole().rack(),
                List.of(settings.directoryId())));
        this.life = new BrokerLife(
                settings, ports, steps, core, controller, observer::brokerState, mayStop, observer::fatal);
        this.alterPartitions = new AlterPartitions(
                settings.nodeId(),
                loop,
                controller,
                life::brokerEpoch,
                settings.brokerTimes().requestTimeoutMs());
        this.producerIds = new ProducerIds(settings.nodeId(), loop, controller, life::brokerEpoch);
        this.offsets = new OffsetQueries(replicas, ports.recordScanner());
    }

    /** Registers, and starts what runs periodically. On the loop. */
    public void start() {
        life.apply(new BrokerInput.StartRegistration(logs.previousBrokerEpoch()));
        long lagMs = settings.brokerTimes().replicaLagTimeMaxMs();
        every(Math.max(1, lagMs / 2), this::checkLag);
        every(
                settings.brokerTimes().highWatermarkCheckpointIntervalMs(),
                () -> logs.checkpointHighWatermarks(replicas.all()));
        NodeSettings.Logs times = settings.logTimes();
        every(times.flushSchedulerIntervalMs(), this::flushByTime);
        every(times.flushOffsetCheckpointIntervalMs(), () -> logs.checkpointRecoveryPoints(replicas.all()));
        every(times.flushStartOffsetCheckpointIntervalMs(), () -> logs.checkpointLogStarts(replicas.all()));
        every(times.producerIdExpirationCheckIntervalMs(), this::expireProducers);
    }

    private void flushByTime() {
        long now = loop.nowMs();
        replicas.all().forEach(host -> host.flushByTime(now));
    }

    private void expireProducers() {
        long last = ports.wallClock().nowMs() - settings.logTimes().producerIdExpirationMs();
        replicas.all().forEach(host -> host.apply(new PartitionInput.ExpireProducers(last)));
    }

    public BrokerState state() {
        return life.state();
    }

    public MetadataState metadata() {
        return metadata;
    }

    /** Committed records, in order. */
    public void apply(ControlPlane.CommittedBatch batch) {
        if (!stopped) {
            observer.metadataApplied(applier.apply(batch), metadata);
            if (!ready && applier.registered()) {
                ready = true;
                observer.brokerReady();
            }
            // Records of a metadata transaction (KIP-868) count when it ends.
            if (!metadata.inTransaction()) {
                life.apply(new BrokerInput.MetadataApplied(batch.nextOffset() - 1));
            }
        }
    }

    public void leadership(ControlPlane.Leadership leadership) {
        controller.leadership(leadership);
    }

    public void requestShutdown() {
        life.apply(new BrokerInput.RequestShutdown());
    }

    /** Takes no more input, closes every log in order and writes the checkpoints. On the loop. */
    public void close() {
        stopped = true;
        life.stop();
        List<PartitionHost> all = new ArrayList<>(replicas.all());
        all.forEach(PartitionHost::close);
        logs.closeAll(all, life.brokerEpoch());
    }

    /** A request of a client, or a follower's fetch. */
    public void handle(ClientRequest request, Responder<ClientResponse> responder) {
        if (stopped) {
            return;
        }
        request.applyTo(new Call(responder));
    }

    private void checkLag() {
        long maxMs = settings.brokerTimes().replicaLagTimeMaxMs();
        for (PartitionHost host : replicas.all()) {
            if (host.view().role() == PartitionRole.LEADER) {
                SortedSet<Integer> laggards = host.laggards(maxMs);
                if (!laggards.isEmpty()) {
                    host.apply(new PartitionInput.ReplicaLagTimeout(laggards));
                }
            }
        }
    }

    /** An interval of 0 is never. */
    private void every(long intervalMs, Runnable task) {
        if (intervalMs == 0) {
            return;
        }
        loop.schedule(intervalMs, () -> {
            if (!stopped) {
                task.run();
                every(intervalMs, task);
            }
        });
    }

    private @Nullable Endpoint endpointOf(int brokerId) {
        BrokerRegistration broker = metadata.broker(brokerId);
        if (broker == null) {
            return null;
        }
        for (Endpoint endpoint : broker.endpoints()) {
            if (endpoint.listener().equals(settings.brokerRole().interBrokerListener())) {
                return endpoint;
            }
        }
        return null;
    }

    private final class HostFactory implements MetadataApplier.Hosts {
        @Override
        public @Nullable PartitionHost create(TopicPartition id, String topic, int leaderEpoch) {
            LogManager.Opened opened = logs.take(id, topic, leaderEpoch);
            if (opened == null) {
                return null;
            }
            LogState state = opened.state();
            PartitionConfig config = new PartitionConfig(settings.nodeId(), settings.guards());
            return new PartitionHost(
                    id, topic, new PartitionCore(config, state), opened.log(), ports, steps, new Neighbours());
        }

        @Override
        public void leadsOffline(TopicPartition id, String topic, int leaderEpoch) {
            LOG.error(
                    "{}-{}: this node is elected leader in epoch {} and its replica is offline: nobody serves the partition."
                            + " Mend the log, or stop this node and let another replica lead: kafka-leader-election"
                            + " --election-type unclean, which loses what only this node held",
                    topic,
                    id.partition(),
                    leaderEpoch);
        }

        @Override
        public void delete(PartitionHost host) {
            host.close();
            new Neighbours().abandonFetch(host);
            alterPartitions.remove(host);
            logs.delete(host);
        }

        @Override
        public void allCreated() {
            logs.moveStraysAside();
        }
    }

    private final class Neighbours implements PartitionHost.Neighbours {
        @Override
        public void fetch(PartitionHost host, FetchAsked request) {
            int leader = request.leader();
            fetchers.forEach((id, fetcher) -> {
                if (id != leader) {
                    fetcher.remove(host);
                }
            });
            fetchers.computeIfAbsent(
                            leader,
                            id -> new ReplicaFetcher(
                                    id, settings, loop, ports.network(), Broker.this::endpointOf, life::brokerEpoch))
                    .put(host, request);
        }

        @Override
        public void abandonFetch(PartitionHost host) {
            fetchers.values().forEach(fetcher -> fetcher.remove(host));
        }

        @Override
        public void alterPartition(PartitionHost host, AlterPartitionAsked request) {
            alterPartitions.put(host, request);
        }

        @Override
        public void abandonAlterPartition(PartitionHost host) {
            alterPartitions.remove(host);
        }

        @Override
        public void cutting(PartitionHost host, long end) {
            logs.cut(host, end);
        }

        @Override
        public void startingAnew(PartitionHost host, long start) {
            logs.startAnew(host, start);
        }

        @Override
        public void startedAnew(PartitionHost host, long start) {
            logs.startedAnew(host, start);
        }
    }

    /** What is done for each kind of request. */
    private final class Call implements ClientRequest.Handler {
        private final Responder<ClientResponse> responder;

        Call(Responder<ClientResponse> responder) {
            this.responder = responder;
        }

        @Override
        public void produce(ClientRequest.Produce request) {
            new ProduceCall(request, responder).start(replicas, loop);
        }

        @Override
        public void fetch(ClientRequest.Fetch request) {
            new FetchCall(request, responder, replicas, loop).start();
        }

        @Override
        public void listOffsets(ClientRequest.ListOffsets request) {
            responder.respond(offsets.listOffsets(request));
        }

        @Override
        public void offsetForLeaderEpoch(ClientRequest.OffsetForLeaderEpoch request) {
            responder.respond(offsets.epochEnds(request));
        }

        @Override
        public void initProducerId(ClientRequest.InitProducerId request) {
            producerIds.next(responder);
        }

        @Override
        public void describeProducers(ClientRequest.DescribeProducers request) {
            responder.respond(offsets.producers(request));
        }

        @Override
        public void describeQuorum(ClientRequest.DescribeQuorum request) {
            controller.describeQuorum(settings.brokerTimes().requestTimeoutMs(), responder::respond);
        }

        @Override
        public void admin(ClientRequest.Admin request) {
            controller.until(
                    loop.nowMs() + Math.max(0, request.timeoutMs()),
                    request.request(),
                    answer -> responder.respond(new ClientResponse.Administered(answer)));
        }
    }
}
