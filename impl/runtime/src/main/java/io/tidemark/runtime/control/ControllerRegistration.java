package io.tidemark.runtime.control;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.Attempts;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.port.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this controller known in the metadata (KIP-919): where clients of {@code bootstrap.controllers} find it, and which
 * features it supports. Whoever leads the quorum is asked, this node too, until the metadata has this life's registration.
 * Used from the control loop alone.
 */
final class ControllerRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerRegistration.class);
    private static final long RETRY_MS = 100;

    private final ControllerRequest.RegisterController request;
    private final MetadataView committed;
    private final Ports ports;
    private final int timeoutMs;
    private final Attempts attempts;
    private List<Endpoint> leader = List.of();
    private boolean done;

    /** @param committed the metadata, which follows what is committed */
    ControllerRegistration(NodeSettings settings, Ports ports, MetadataView committed) {
        this.request = new ControllerRequest.RegisterController(
                settings.nodeId(), settings.incarnation(), settings.controllerEndpoints(), settings.features());
        this.committed = committed;
        this.ports = ports;
        this.timeoutMs = settings.quorum().requestTimeoutMs();
        this.attempts = new Attempts(ports.controlLoop(), this::ask);
    }

    /** Where the present leader is reached; empty where none is known. */
    void leader(List<Endpoint> endpoints) {
        leader = endpoints;
        attempts.now();
    }

    void stop() {
        done = true;
    }

    private void ask() {
        done |= isRegistered();
        if (done || leader.isEmpty()) {
            return;
        }
        ports.network()
                .request(
                        leader.get(0),
                        Network.Channel.CONTROLLER,
                        request,
                        timeoutMs,
                        ports.controlLoop(),
                        attempts.begin(this::answered));
    }

    private boolean isRegistered() {
        MetadataRecord.RegisterController own = committed.controllers().get(request.controllerId());
        return own != null && own.incarnation().equals(request.incarnation());
    }

    private void answered(@Nullable Object answer) {
        if (answer instanceof ControllerResponse.RegisteredController) {
            done = true;
            return;
        }
        if (answer != null) {
            // Not the active controller yet, or no longer.
            LOG.debug("Registration as a controller: {}", answer);
        }
        attempts.in(RETRY_MS);
    }
}
