package io.tidemark.runtime.node;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.NodeObserver;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.broker.Broker;
import io.tidemark.runtime.broker.LogManager;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.runtime.control.MetadataLog;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.PartitionName;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node: its control loop and, with the broker role, its data loop, over the ports that it is given. */
public final class NodeRuntime implements NodeApi {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRuntime.class);

    /** How long a controlled shutdown may wait for the controller. */
    private static final long HAND_OVER_MS = 8_000;

    /** How long a resigning leader's EndQuorumEpoch may take to leave. */
    private static final long RESIGN_MS = 300;

    private final Ports ports;
    private final LogDirectory directory;
    private final ControlPlane control;
    private final @Nullable Broker broker;
    private @Nullable Runnable stopDone;
    private boolean closing;

    private NodeRuntime(NodeSettings settings, Ports ports, LogDirectory directory, NodeObserver observer) {
        this.ports = ports;
        this.directory = directory;
        LogManager logs = new LogManager(ports, directory, settings.logConfig());
        MetadataLog metadataLog = MetadataLog.open(
                ports,
                directory.directory(PartitionName.METADATA_LOG),
                settings.logConfig().segmentIndexBytes(),
                directory.logStartOffset(PartitionName.METADATA_LOG));
        EventLoop data = ports.dataLoop();
        if (settings.broker()) {
            logs.openAll();
            broker = new Broker(settings, ports, logs, this::brokerMayStop, observer);
        } else {
            broker = null;
        }
        Broker served = broker;
        control = new ControlPlane(
                settings,
                ports,
                metadataLog,
                metadataLog.replica(settings.quorumConfig()),
                served == null ? null : batch -> data.post(() -> served.apply(batch)),
                leadership -> {
                    observer.quorumLeader(leadership.leaderId(), leadership.epoch());
                    if (served != null) {
                        data.post(() -> served.leadership(leadership));
                    }
                });
    }

    /**
     * Opens the node's files (recovery included) and starts it.
     *
     * @throws io.tidemark.storage.StorageException where the directory is damaged, locked or not formatted
     */
    public static NodeRuntime start(NodeSettings settings, Ports ports, NodeObserver observer) {
        LogDirectory directory = LogDirectory.open(ports.disk(), settings.logDir());
        NodeRuntime node = new NodeRuntime(settings, ports, directory, observer);
        ports.controlLoop().post(node.control::start);
        if (node.broker != null) {
            ports.dataLoop().post(node.broker::start);
        }
        return node;
    }

    @Override
    public boolean quorum(QuorumMessage.Request request, Responder<QuorumMessage.Response> responder) {
        return ports.controlLoop().tryPost(() -> control.handle(request, responder));
    }

    @Override
    public boolean controller(ControllerRequest request, Responder<ControllerResponse> responder) {
        return ports.controlLoop().tryPost(() -> control.handle(request, responder));
    }

    @Override
    public boolean client(ClientRequest request, Responder<ClientResponse> responder) {
        Broker served = broker;
        if (served == null) {
            responder.respond(new ClientResponse.Administered(
                    new ControllerResponse.Refused(ErrorCode.UNSUPPORTED_VERSION, "This node has no broker role.")));
            return true;
        }
        return ports.dataLoop().tryPost(() -> served.handle(request, responder));
    }

    @Override
    public boolean describeQuorum(Responder<ClientResponse> responder) {
        return ports.controlLoop().tryPost(() -> responder.respond(control.describeQuorum()));
    }

    @Override
    public <T> boolean metadata(Function<MetadataView, T> question, Consumer<T> answer) {
        Broker served = broker;
        if (served != null) {
            return ports.dataLoop().tryPost(() -> answer.accept(question.apply(served.metadata())));
        }
        return ports.controlLoop().tryPost(() -> answer.accept(question.apply(control.metadata())));
    }

    @Override
    public void shutDown(Runnable done) {
        Broker served = broker;
        if (served == null) {
            ports.controlLoop().post(() -> {
                stopDone = done;
                resignAndClose();
            });
            return;
        }
        ports.dataLoop().post(() -> {
            stopDone = done;
            served.requestShutdown();
            ports.dataLoop().schedule(HAND_OVER_MS, () -> {
                if (!closing) {
                    LOG.warn("The controller did not let this broker go in {} ms: stopping all the same", HAND_OVER_MS);
                    brokerMayStop();
                }
            });
        });
    }

    @Override
    public BrokerState brokerState() {
        return broker == null ? BrokerState.NOT_RUNNING : broker.state();
    }

    private void brokerMayStop() {
        if (closing || broker == null) {
            return;
        }
        closing = true;
        broker.close();
        ports.controlLoop().post(this::resignAndClose);
    }

    private void resignAndClose() {
        control.resign();
        ports.controlLoop().schedule(RESIGN_MS, () -> {
            control.close();
            directory.close();
            Runnable done = stopDone;
            if (done != null) {
                done.run();
            }
        });
    }
}
