package io.tidemark.conformance.quorum;

import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;

/** What a replica of the quorum asks now, as a function of its state. */
final class CurrentRequests {
    private CurrentRequests() {}

    static MetadataFetch fetch(ReplicaKey self, QuorumView view) {
        return new MetadataFetch(
                Nodes.CLUSTER,
                self,
                view.currentEpoch(),
                view.log().endOffset(),
                lastEpoch(view),
                view.hw(),
                Nodes.WAIT_MS);
    }

    static Vote vote(ReplicaKey self, QuorumView view, String of) {
        return new Vote(
                Nodes.CLUSTER,
                view.currentEpoch(),
                self,
                Nodes.voter(of),
                new OffsetAndEpoch(view.log().endOffset(), lastEpoch(view)),
                view.role() == QuorumRole.PROSPECTIVE);
    }

    /** Of an empty log the specification says 0. */
    private static int lastEpoch(QuorumView view) {
        return Math.max(0, view.log().lastEpoch());
    }
}
