package io.tidemark.core.quorum;

import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.LogState;
import java.util.SortedMap;

/**
 * One replica of the controller quorum. Not thread-safe: one owner hands in one input at a time and carries out the
 * effects in order; {@link QuorumEffect.Self} inputs come before the next from outside.
 */
public final class QuorumCore implements QuorumActions {
    private final QuorumOut out = new QuorumOut();
    private final QuorumState state;
    private final Elections elections;
    private final Replication replication;

    /**
     * A replica as it was restored from disk.
     *
     * @param restored contents of {@code quorum-state}, {@link QuorumStateData#INITIAL} if there is none
     * @param log the recovered metadata log
     * @param voterRecords every VotersRecord in the log by its offset
     */
    public QuorumCore(
            QuorumConfig config, QuorumStateData restored, LogState log, SortedMap<Long, VoterSet> voterRecords) {
        state = new QuorumState(config, restored, log, voterRecords, out);
        elections = new Elections(state, out);
        replication = new Replication(state, out);
    }

    /** The first step, once: timers and messages of the restored role. It is no action of the spec. */
    public Step<QuorumEffect> start() {
        state.start();
        return state.finish(null);
    }

    /**
     * Takes one input.
     *
     * @throws IllegalStateException if a peer breaks what the protocol guarantees: going on would lose committed records
     */
    public Step<QuorumEffect> apply(QuorumInput input) {
        return input.applyTo(this);
    }

    public QuorumView view() {
        return state;
    }

    private Step<QuorumEffect> step(SpecAction action, boolean taken) {
        return state.finish(taken ? action : null);
    }

    @Override
    public Step<QuorumEffect> electionTimeout(QuorumInput.ElectionTimeout input) {
        return step(SpecAction.ElectionTimeout, elections.electionTimeout());
    }

    @Override
    public Step<QuorumEffect> fetchTimeout(QuorumInput.FetchTimeout input) {
        return step(SpecAction.FetchTimeout, elections.fetchTimeout());
    }

    @Override
    public Step<QuorumEffect> handleVoteRequest(QuorumInput.HandleVoteRequest input) {
        return step(SpecAction.HandleVoteRequest, elections.handleVoteRequest(input.request(), input.token()));
    }

    @Override
    public Step<QuorumEffect> handleVoteResponse(QuorumInput.HandleVoteResponse input) {
        return step(
                SpecAction.HandleVoteResponse,
                elections.handleVoteResponse(input.from(), input.asked(), input.result()));
    }

    @Override
    public Step<QuorumEffect> handleBeginQuorumEpoch(QuorumInput.HandleBeginQuorumEpoch input) {
        return step(
                SpecAction.HandleBeginQuorumEpoch, elections.handleBeginQuorumEpoch(input.request(), input.token()));
    }

    @Override
    public Step<QuorumEffect> handleEndQuorumEpoch(QuorumInput.HandleEndQuorumEpoch input) {
        return step(SpecAction.HandleEndQuorumEpoch, elections.handleEndQuorumEpoch(input.request(), input.token()));
    }

    @Override
    public Step<QuorumEffect> appendMetadata(QuorumInput.AppendMetadata input) {
        return step(SpecAction.AppendMetadata, replication.appendMetadata(input));
    }

    @Override
    public Step<QuorumEffect> persistMetadata(QuorumInput.PersistMetadata input) {
        return step(SpecAction.PersistMetadata, replication.persistMetadata(input.flushed()));
    }

    @Override
    public Step<QuorumEffect> handleMetadataFetch(QuorumInput.HandleMetadataFetch input) {
        return step(SpecAction.HandleMetadataFetch, replication.handleMetadataFetch(input.request(), input.token()));
    }

    /** Code only: in the specification a fetch without news waits by not being handled. */
    @Override
    public Step<QuorumEffect> metadataRead(QuorumInput.MetadataRead input) {
        replication.metadataRead(input.request(), input.token());
        return state.finish(null);
    }

    @Override
    public Step<QuorumEffect> handleMetadataFetchResponse(QuorumInput.HandleMetadataFetchResponse input) {
        return step(SpecAction.HandleMetadataFetchResponse, replication.handleMetadataFetchResponse(input));
    }

    @Override
    public Step<QuorumEffect> checkQuorumTimeout(QuorumInput.CheckQuorumTimeout input) {
        return step(SpecAction.CheckQuorumTimeout, elections.checkQuorumTimeout());
    }

    @Override
    public Step<QuorumEffect> resign(QuorumInput.Resign input) {
        return step(SpecAction.Resign, elections.resign());
    }
}
