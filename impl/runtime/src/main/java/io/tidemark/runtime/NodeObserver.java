package io.tidemark.runtime;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import java.util.List;

/** Who is told how the node fares; called on a loop. */
public interface NodeObserver {
    void brokerState(BrokerState state);

    /**
     * Once: the broker has applied its own registration. What it would have told clients before is what an earlier life
     * had applied, ISRs that it was a member of included. Called before the controller is asked to unfence it, so that
     * nobody learns of a leadership here and finds the door closed.
     */
    void brokerReady();

    /** A leader of the quorum is known (or -1: none). */
    void quorumLeader(int leaderId, int epoch);

    /** These records have taken effect in the broker's view, and none after them; on its loop. The view must not escape. */
    void metadataApplied(List<MetadataState.Applied> applied, MetadataView view);

    /** The node cannot go on; one line for the operator. */
    void fatal(String reason);
}
