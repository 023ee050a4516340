package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumEffect.Send;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.QuorumView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica of the quorum has on its way to others now: the core's own effect, with what it requires. An answer without
 * news, of an epoch that has passed, has the core ask again.
 */
final class CurrentSends {
    private CurrentSends() {}

    /** The fetch that {@code from} has to {@code to}, once it may leave; null if there is none. */
    static @Nullable MetadataFetch fetch(QuorumStart.Cores cores, State state, String from, String to) {
        if (!Nodes.up(state, from)) {
            return null;
        }
        QuorumView view = QuorumTrial.standing(state, from, cores);
        Send send = sent(
                cores,
                state,
                from,
                new QuorumInput.HandleMetadataFetchResponse(
                        Nodes.id(to),
                        CurrentRequests.fetch(Nodes.key(state, from), view),
                        new MetadataFetchResult(
                                ErrorCode.FENCED_LEADER_EPOCH,
                                view.currentEpoch() - 1,
                                QuorumStateData.NO_LEADER,
                                List.of(),
                                -1,
                                0,
                                null,
                                null,
                                RecordBytes.EMPTY),
                        List.of()));
        return send != null && (send.to() == QuorumEffect.ANY_BOOTSTRAP || send.to() == Nodes.id(to))
                ? (MetadataFetch) send.request()
                : null;
    }

    /** The request for a vote that {@code from} has to {@code to}, once it may leave; null if there is none. */
    static @Nullable Vote vote(QuorumStart.Cores cores, State state, String from, String to) {
        if (!Nodes.up(state, from)) {
            return null;
        }
        Vote asked = CurrentRequests.vote(Nodes.key(state, from), QuorumTrial.standing(state, from, cores), to);
        Send send = sent(
                cores,
                state,
                from,
                new QuorumInput.HandleVoteResponse(
                        Nodes.id(to),
                        asked,
                        new VoteResult(
                                ErrorCode.FENCED_LEADER_EPOCH,
                                asked.epoch() - 1,
                                QuorumStateData.NO_LEADER,
                                List.of(),
                                false,
                                asked.preVote())));
        return send != null ? (Vote) send.request() : null;
    }

    private static @Nullable Send sent(QuorumStart.Cores cores, State state, String node, QuorumInput again) {
        for (QuorumEffect effect : cores.step(state, node, again).step().effects()) {
            if (effect instanceof Send send && mayLeave(send.requires(), state, node)) {
                return send;
            }
        }
        return null;
    }

    /** Of quorum-state see {@link QuorumAftermath}; what must be in the log's file is so when the state says it. */
    private static boolean mayLeave(Requires requires, State state, String node) {
        long end = 0;
        if (requires instanceof Requires.Flushed log) {
            end = log.endOffset();
        } else if (requires instanceof Requires.QuorumStateAndFlushed both) {
            end = both.endOffset();
        } else if (requires instanceof Requires.Committed) {
            throw new IllegalArgumentException("no request of a quorum waits for " + requires);
        }
        return state.get("flushed", node).integer() >= end;
    }
}
