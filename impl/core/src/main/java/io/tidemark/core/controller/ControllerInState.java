package io.tidemark.core.controller;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataState;
import java.util.SortedMap;

/**
 * A controller started in the midst of its term, in a state that the specification gives by its variables. For the comparison
 * with the specification alone; an architecture test keeps it out of a node.
 */
public final class ControllerInState {
    /**
     * The session of an unfenced broker.
     *
     * @param shutdownOffset what every active broker must have applied before this one may go; -1 where it does not shut down
     */
    public record Session(long metadataOffset, long shutdownOffset) {}

    private ControllerInState() {}

    /**
     * Active in epoch 1.
     *
     * @param metadata all records folded, the uncommitted ones included
     * @param sessions of the brokers that have one
     */
    public static ControllerCore of(
            ControllerConfig config,
            MetadataState metadata,
            long nextOffset,
            long metaHw,
            SortedMap<Integer, Session> sessions) {
        ControllerState state = new ControllerState(config, metadata);
        state.active = true;
        state.epoch = 1;
        state.nextOffset = nextOffset;
        state.metaHw = metaHw;
        for (BrokerRegistration broker : metadata.brokers().values()) {
            Session known = sessions.get(broker.id());
            if (known != null) {
                BrokerSessions.Session session = state.sessions.touch(broker.id());
                session.metadataOffset = known.metadataOffset();
                session.shutdownOffset = known.shutdownOffset();
            }
        }
        return new ControllerCore(state);
    }
}
