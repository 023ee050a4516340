package io.tidemark.runtime.control;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything on the control loop: the quorum's replica, the controller where this node leads, and the publication of
 * committed metadata to the broker.
 */
public final class ControlPlane {
    /**
     * Committed records, in order.
     *
     * @param baseOffset offset of the first record
     * @param nextOffset the offset after the batch: control batches move it without a record
     */
    public record CommittedBatch(long baseOffset, long nextOffset, List<MetadataRecord> records) {}

    /** Who this node believes leads the quorum. */
    public record Leadership(int leaderId, int epoch, List<Endpoint> endpoints) {}

    private final Ports ports;
    private final MetadataLog log;
    private final StepQueue steps = new StepQueue();
    private final QuorumRunner quorum;
    private final ControllerRunner controller;
    private final boolean canControl;
    private final @Nullable Consumer<CommittedBatch> broker;
    private final Consumer<Leadership> leadership;
    private final MetadataState committed;
    private final @Nullable ControllerRegistration registration;
    private long published;

    /** {@code broker} takes committed batches, on the control loop; null without the broker role. */
    public ControlPlane(
            NodeSettings settings,
            Ports ports,
            MetadataLog log,
            QuorumCore core,
            @Nullable Consumer<CommittedBatch> broker,
            Consumer<Leadership> leadership) {
        this.ports = ports;
        this.log = log;
        this.broker = broker;
        this.leadership = leadership;
        this.canControl = settings.controller();
        this.committed = new MetadataState(settings.nodeId(), new TreeMap<>(settings.topicDefaults()));
        this.registration = canControl ? new ControllerRegistration(settings, ports, committed) : null;
        this.published = core.view().logStart();
        this.quorum = new QuorumRunner(settings, ports, steps, log, core, new QuorumListener());
        this.controller = new ControllerRunner(settings, ports, steps, quorum);
    }

    public void start() {
        quorum.start();
    }

    public void handle(QuorumMessage.Request request, Responder<QuorumMessage.Response> responder) {
        quorum.apply(QuorumInput.of(request, responder));
    }

    public void handle(ControllerRequest request, Responder<ControllerResponse> responder) {
        controller.handle(request, responder);
    }

    public ClientResponse.Quorum describeQuorum() {
        return quorum.describe();
    }

    /** The committed metadata of a node with the controller role. */
    public MetadataState metadata() {
        return committed;
    }

    /** Hands leadership over. */
    public void resign() {
        quorum.apply(new QuorumInput.Resign());
    }

    /** Takes no more input and closes the log in order. */
    public void close() {
        controller.stop();
        quorum.stop();
        if (registration != null) {
            registration.stop();
        }
        log.close();
    }

    private final class QuorumListener implements QuorumRunner.Listener {
        @Override
        public void committed(long hw) {
            publish(hw);
            controller.committed(hw);
        }

        @Override
        public void roleChanged(QuorumEffect.RoleChanged change) {
            controller.deactivate();
            leadership.accept(new Leadership(change.leaderId(), change.epoch(), change.leaderEndpoints()));
            if (registration != null) {
                registration.leader(change.leaderEndpoints());
            }
        }

        @Override
        public void leaderReady(int epoch, long nextOffset) {
            publish(nextOffset);
            if (canControl) {
                controller.activate(epoch, nextOffset, committed);
            }
        }
    }

    private void publish(long hw) {
        if (hw <= published) {
            return;
        }
        log.scan(published, hw, (header, bytes) -> {
            List<MetadataRecord> records =
                    header.control() ? List.of() : new ArrayList<>(ports.codec().decode(bytes));
            if (canControl) {
                long offset = header.baseOffset();
                for (MetadataRecord record : records) {
                    committed.apply(offset++, record);
                }
            }
            published = header.nextOffset();
            if (broker != null) {
                broker.accept(new CommittedBatch(header.baseOffset(), header.nextOffset(), records));
            }
        });
    }
}
