package io.tidemark.core.quorum;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordsRef;
import java.util.List;

/** What the runtime carries out for the quorum, in the order given. */
public sealed interface QuorumEffect {
    /** Write and fsync {@code quorum-state}; {@link Requires.QuorumState} waits for it. */
    record PersistQuorumState(QuorumStateData state) implements QuorumEffect {}

    /** A leader's control batch. */
    record AppendControl(long baseOffset, int epoch, List<ControlRecord> records) implements QuorumEffect {
        public AppendControl {
            records = List.copyOf(records);
        }
    }

    /** A leader's batch of metadata records. */
    record AppendRecords(long baseOffset, int epoch, int count, RecordsRef records) implements QuorumEffect {}

    /**
     * A follower's batches, whole and in order; the first is at the log's end. {@code records} may go on beyond the last
     * of them: what follows was refused and is not written.
     */
    record AppendFetched(List<MetadataBatch> batches, RecordsRef records) implements QuorumEffect {
        public AppendFetched {
            batches = List.copyOf(batches);
        }
    }

    /** A flush under way while this is carried out reports at most {@code offset} afterwards. */
    record Truncate(long offset) implements QuorumEffect {}

    /** fsync the log up to its present end, then tell with {@link QuorumInput.PersistMetadata}. */
    record Flush() implements QuorumEffect {}

    /**
     * From now on this is the live request of its kind to that node: the runtime sends it again, after a back-off, until
     * it is answered, replaced or abandoned. {@code to} may be {@link #ANY_BOOTSTRAP}. One that follows an answer with an
     * error from the same {@code to} waits for the back-off too.
     */
    record Send(int to, QuorumMessage.Request request, Requires requires) implements QuorumEffect {}

    /** Every live request is abandoned: its answer is no longer an input. */
    record AbandonAll() implements QuorumEffect {}

    record Reply(ReplyToken token, QuorumMessage.Response response, Requires requires) implements QuorumEffect {}

    /**
     * Answer a fetch with the log from {@code from} up to its end. With nothing to say (no records and a follower that
     * already has this high watermark) the runtime may park it up to its maximum wait and then hands the same request in
     * again.
     *
     * <p>Waits, like a {@link Reply} that requires {@link Requires.QuorumState}: until then a crash would let this node
     * lead the same epoch again, with other records at the offsets that it has shown.
     *
     * @param response the answer without its records
     * @param news whether the answer says something the fetcher does not know even without records
     */
    record ReplyFetch(ReplyToken token, QuorumMessage.MetadataFetchResult response, long from, boolean news)
            implements QuorumEffect {}

    record SetTimer(QuorumTimer timer) implements QuorumEffect {}

    /**
     * {@link QuorumTimer#ELECTION_SOON} for the successor of rank {@code rank} (0: at once).
     */
    record SetElectionSoon(int rank) implements QuorumEffect {}

    record CancelTimer(QuorumTimer timer) implements QuorumEffect {}

    record HwMoved(long hw) implements QuorumEffect {}

    record LeoMoved(long leo) implements QuorumEffect {}

    /** Role, epoch or known leader changed. */
    record RoleChanged(QuorumRole role, int epoch, int leaderId, List<Endpoint> leaderEndpoints)
            implements QuorumEffect {}

    /** The leader's own LeaderChange is committed: a controller may now become active in this epoch. */
    record LeaderReady(int epoch, OffsetAndEpoch end) implements QuorumEffect {}

    record VotersChanged(VoterSet voters) implements QuorumEffect {}

    record Self(QuorumInput input) implements QuorumEffect {}

    /** A node of {@code controller.quorum.bootstrap.servers} (or any known voter): the leader is not known. */
    int ANY_BOOTSTRAP = -2;
}
