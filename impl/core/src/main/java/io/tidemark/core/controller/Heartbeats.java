package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.BrokerRegistrationChange;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Heartbeats, sessions and controlled shutdown (KIP-631). */
final class Heartbeats {
    private final ControllerState state;

    Heartbeats(ControllerState state) {
        this.state = state;
    }

    /**
     * A fenced broker that wants to run is unfenced once it has applied its own registration. One that wants to shut down
     * first becomes shuttingDown and is moved out of every ISR; it may go, fenced, when it leads nothing and every active
     * broker has applied that.
     */
    Step<ControllerEffect> handleBrokerHeartbeat(ControllerInput.HandleBrokerHeartbeat input) {
        ControllerRequest.BrokerHeartbeat request = input.request();
        int broker = request.brokerId();
        String stale = state.staleEpoch(broker, request.brokerEpoch());
        BrokerRegistration registration = state.metadata.broker(broker);
        if (stale != null || registration == null) {
            return state.refuse(input.token(), ErrorCode.STALE_BROKER_EPOCH, stale);
        }
        boolean caughtUp = request.currentMetadataOffset() >= state.metadata.registrationOffset(broker);
        BrokerSessions.Session session = state.sessions.touch(broker);
        session.metadataOffset = Math.max(session.metadataOffset, request.currentMetadataOffset());
        boolean leaving = request.wantShutDown() || registration.shuttingDown();
        List<MetadataRecord> records = List.of();
        boolean goes = false;
        if (leaving) {
            goes = registration.fenced() || request.wantFence() || handedOver(registration, session);
            if (!goes && !registration.shuttingDown()) {
                records = startShutdown(registration);
            } else if (goes && !registration.fenced()) {
                records = fence(registration);
            }
        } else if (registration.fenced() && !request.wantFence() && caughtUp) {
            records = unfence(registration);
        } else if (!registration.fenced() && request.wantFence()) {
            records = fence(registration);
        }
        if (goes) {
            state.sessions.end(broker);
        }
        ControllerEffect sessionEffect =
                goes ? new ControllerEffect.CancelSession(broker) : new ControllerEffect.SetSession(broker);
        List<ControllerEffect> effects = new ArrayList<>();
        state.append(records, effects);
        effects.add(sessionEffect);
        BrokerRegistration after = Objects.requireNonNull(state.metadata.broker(broker));
        if (after.shuttingDown() && !registration.shuttingDown()) {
            session.shutdownOffset = state.metadata.appliedOffset();
        }
        effects.add(state.reply(input.token(), new ControllerResponse.Heartbeat(caughtUp, after.fenced(), goes)));
        return new Step<>(records.isEmpty() ? null : SpecAction.HandleBrokerHeartbeat, effects);
    }

    /** A broker in shutdown leads nothing, and every active one knows. */
    private boolean handedOver(BrokerRegistration registration, BrokerSessions.Session session) {
        if (!registration.shuttingDown()) {
            return false;
        }
        if (session.shutdownOffset == BrokerSessions.NOT_SHUTTING_DOWN) {
            // Begun under another active controller: whatever that decided is folded. Not the log's end, since a broker
            // counts no control records and would never report that.
            session.shutdownOffset = state.metadata.appliedOffset();
        }
        return state.metadata.ledBy(registration.id()).isEmpty() && session.shutdownOffset <= lowestActiveOffset();
    }

    private long lowestActiveOffset() {
        long lowest = Long.MAX_VALUE;
        for (BrokerRegistration registration : state.metadata.brokers().values()) {
            if (registration.active()) {
                BrokerSessions.Session session = state.sessions.get(registration.id());
                lowest = Math.min(lowest, session == null ? -1 : session.metadataOffset);
            }
        }
        return lowest;
    }

    /** The session is over; an unfenced broker is fenced and moved out of every ISR. */
    Step<ControllerEffect> brokerSessionTimeout(ControllerInput.BrokerSessionTimeout input) {
        BrokerRegistration registration = state.metadata.broker(input.brokerId());
        boolean lived = state.sessions.end(input.brokerId());
        if (!lived || registration == null || registration.fenced()) {
            return Step.stutter(List.of());
        }
        List<ControllerEffect> effects = new ArrayList<>();
        state.append(fence(registration), effects);
        return Step.of(SpecAction.BrokerSessionTimeout, effects);
    }

    private List<MetadataRecord> fence(BrokerRegistration registration) {
        List<MetadataRecord> records = outOfEveryIsr(registration.id());
        records.add(change(registration, true, null));
        return records;
    }

    private List<MetadataRecord> startShutdown(BrokerRegistration registration) {
        List<MetadataRecord> records = new ArrayList<>();
        records.add(change(registration, null, true));
        records.addAll(outOfEveryIsr(registration.id()));
        return records;
    }

    /** Partitions without a leader may have one now. */
    private List<MetadataRecord> unfence(BrokerRegistration registration) {
        List<MetadataRecord> records = new ArrayList<>();
        records.add(change(registration, false, null));
        for (TopicPartition id : state.metadata.ledBy(PartitionRegistration.NO_LEADER)) {
            MetadataRecord change = state.change(
                            id, other -> other == registration.id() || state.metadata.active(other))
                    .build();
            if (change != null) {
                records.add(change);
            }
        }
        return records;
    }

    private List<MetadataRecord> outOfEveryIsr(int broker) {
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicPartition id : state.metadata.replicatedBy(broker)) {
            PartitionRegistration partition = state.metadata.partition(id);
            if (partition != null && partition.isr().contains(broker)) {
                MetadataRecord change = state.change(id).without(broker).build();
                if (change != null) {
                    records.add(change);
                }
            }
        }
        return records;
    }

    private static BrokerRegistrationChange change(
            BrokerRegistration registration, @Nullable Boolean fenced, @Nullable Boolean shuttingDown) {
        return new BrokerRegistrationChange(registration.id(), registration.epoch(), fenced, shuttingDown);
    }
}
