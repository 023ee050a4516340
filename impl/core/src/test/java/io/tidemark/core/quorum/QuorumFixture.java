package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.quorum.QuorumMessage.BeginQuorumEpoch;
import io.tidemark.core.quorum.QuorumMessage.EndQuorumEpoch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Replica 1 of the voters 1, 2 and 3 (4 is an observer), brought into a role by its own inputs. */
final class QuorumFixture {
    static final String CLUSTER = "cluster";
    static final ReplyToken TOKEN = new ReplyToken() {};
    static final RecordsRef RECORDS = RecordBytes.EMPTY;

    private QuorumFixture() {}

    static ReplicaKey key(int id) {
        return new ReplicaKey(id, new UUID(7, id));
    }

    static List<Endpoint> endpoints(int id) {
        return List.of(new Endpoint("CONTROLLER", "host" + id, 9093));
    }

    static VoterSet voters(int... ids) {
        List<VoterSet.Voter> voters = new ArrayList<>();
        for (int id : ids) {
            voters.add(new VoterSet.Voter(key(id), endpoints(id)));
        }
        return VoterSet.of(voters);
    }

    static QuorumConfig config(int id, VoterSet voters, Guards guards) {
        boolean controller = id < 4;
        return new QuorumConfig(CLUSTER, key(id), controller ? endpoints(id) : List.of(), controller, voters, guards);
    }

    /** A flushed log of one record in each of these epochs, in this order. */
    static LogState log(int... epochs) {
        List<EpochStart> starts = new ArrayList<>();
        for (int i = 0; i < epochs.length; i++) {
            if (i == 0 || epochs[i] != epochs[i - 1]) {
                starts.add(new EpochStart(epochs[i], i));
            }
        }
        return new LogState(0, epochs.length, epochs.length, 0, starts, List.of());
    }

    static QuorumStateData state(int epoch, int voted, int leader) {
        return new QuorumStateData(epoch, voted < 0 ? null : key(voted), leader);
    }

    static QuorumCore restored(int id, VoterSet voters, QuorumStateData state, LogState log, Guards guards) {
        return new QuorumCore(config(id, voters, guards), state, log, new TreeMap<>());
    }

    static QuorumCore restored(QuorumStateData state, LogState log, Guards guards) {
        return restored(1, voters(1, 2, 3), state, log, guards);
    }

    static QuorumCore started(QuorumStateData state, LogState log, Guards guards) {
        QuorumCore core = restored(state, log, guards);
        core.start();
        return core;
    }

    static QuorumCore unattached(int epoch, LogState log) {
        return started(state(epoch, -1, -1), log, Guards.ALL);
    }

    /** Follows 2, has not fetched from it. */
    static QuorumCore follower(int epoch, LogState log, Guards guards) {
        return started(state(epoch, -1, 2), log, guards);
    }

    static QuorumCore prospective(int epoch, LogState log) {
        QuorumCore core = unattached(epoch, log);
        core.apply(new QuorumInput.ElectionTimeout());
        return core;
    }

    /** Candidate of {@code epoch}. */
    static QuorumCore candidate(int epoch, LogState log, Guards guards) {
        QuorumCore core = started(state(epoch - 1, -1, -1), log, guards);
        core.apply(new QuorumInput.ElectionTimeout());
        grant(core, 2);
        return core;
    }

    static QuorumCore candidate(int epoch, LogState log) {
        return candidate(epoch, log, Guards.ALL);
    }

    /** Leader of {@code epoch}; its LeaderChange is written at the log's end, not flushed. */
    static QuorumCore leader(int epoch, LogState log, Guards guards) {
        QuorumCore core = candidate(epoch, log, guards);
        grant(core, 2);
        return core;
    }

    static QuorumCore leader(int epoch, LogState log) {
        return leader(epoch, log, Guards.ALL);
    }

    static QuorumCore resigned(int epoch, LogState log) {
        QuorumCore core = leader(epoch, log);
        core.apply(new QuorumInput.Resign());
        return core;
    }

    /** Leader whose LeaderChange is committed. */
    static QuorumCore readyLeader(int epoch, LogState log) {
        QuorumCore core = leader(epoch, log);
        core.apply(new QuorumInput.PersistMetadata(core.view().log().endOffset()));
        core.apply(fetch(2, epoch, core.view().log().endOffset(), epoch, 0));
        return core;
    }

    /** {@code from} grants what the nominee asks. */
    static Step<QuorumEffect> grant(QuorumCore core, int from) {
        return core.apply(answer(core, from, true));
    }

    static QuorumInput answer(QuorumCore core, int from, boolean granted) {
        Vote asked = asked(core, from);
        return new QuorumInput.HandleVoteResponse(
                from, asked, new VoteResult(ErrorCode.NONE, asked.epoch(), -1, List.of(), granted, asked.preVote()));
    }

    static Vote asked(QuorumCore core, int of) {
        QuorumView view = core.view();
        return vote(
                view.currentEpoch(),
                1,
                of,
                view.log().endOffset(),
                Math.max(0, view.log().lastEpoch()),
                view.role() == QuorumRole.PROSPECTIVE);
    }

    static Vote vote(int epoch, int candidate, int voter, long lastOffset, int lastEpoch, boolean preVote) {
        return new Vote(CLUSTER, epoch, key(candidate), key(voter), new OffsetAndEpoch(lastOffset, lastEpoch), preVote);
    }

    static QuorumInput request(Vote vote) {
        return new QuorumInput.HandleVoteRequest(vote, TOKEN);
    }

    static QuorumInput begin(int epoch, int leader) {
        return new QuorumInput.HandleBeginQuorumEpoch(
                new BeginQuorumEpoch(CLUSTER, epoch, leader, key(1), endpoints(leader)), TOKEN);
    }

    static QuorumInput end(int epoch, int leader, Integer... candidates) {
        List<ReplicaKey> keys = new ArrayList<>();
        for (int id : candidates) {
            keys.add(key(id));
        }
        return new QuorumInput.HandleEndQuorumEpoch(
                new EndQuorumEpoch(CLUSTER, epoch, leader, keys, endpoints(leader)), TOKEN);
    }

    static MetadataFetch fetchBy(int id, int epoch, long offset, int lastEpoch, long hw) {
        return new MetadataFetch(CLUSTER, key(id), epoch, offset, lastEpoch, hw, 500);
    }

    static QuorumInput fetch(int id, int epoch, long offset, int lastEpoch, long hw) {
        return new QuorumInput.HandleMetadataFetch(fetchBy(id, epoch, offset, lastEpoch, hw), TOKEN);
    }

    /** The fetch that replica {@code id} has under way. */
    static MetadataFetch liveFetch(QuorumCore core, int id) {
        QuorumView v = core.view();
        return fetchBy(
                id, v.currentEpoch(), v.log().endOffset(), Math.max(0, v.log().lastEpoch()), v.hw());
    }

    static QuorumInput fetched(
            QuorumCore core, ErrorCode error, int epoch, int leader, long hw, MetadataBatch... batches) {
        return fetched(core, error, epoch, leader, hw, null, batches);
    }

    static QuorumInput fetched(
            QuorumCore core,
            ErrorCode error,
            int epoch,
            int leader,
            long hw,
            @Nullable OffsetAndEpoch diverging,
            MetadataBatch... batches) {
        return new QuorumInput.HandleMetadataFetchResponse(
                leader,
                liveFetch(core, 1),
                fetchResult(error, epoch, leader, hw, diverging).withRecords(RECORDS),
                List.of(batches));
    }

    private static MetadataFetchResult fetchResult(
            ErrorCode error, int epoch, int leader, long hw, @Nullable OffsetAndEpoch diverging) {
        List<Endpoint> endpoints = leader < 0 ? List.of() : endpoints(leader);
        return new MetadataFetchResult(error, epoch, leader, endpoints, hw, 0, diverging, null, RecordBytes.EMPTY);
    }

    static MetadataBatch batch(long baseOffset, int epoch, int count, ControlRecord... control) {
        return new MetadataBatch(
                new BatchHeader(
                        baseOffset,
                        count - 1,
                        epoch,
                        100,
                        -1,
                        BatchHeader.NO_PRODUCER_ID,
                        BatchHeader.NO_PRODUCER_EPOCH,
                        BatchHeader.NO_SEQUENCE,
                        false,
                        control.length > 0),
                List.of(control));
    }

    // ---- effects

    static QuorumEffect persist(int epoch, int voted, int leader) {
        return new QuorumEffect.PersistQuorumState(state(epoch, voted, leader));
    }

    static QuorumEffect role(QuorumRole role, int epoch, int leader) {
        return new QuorumEffect.RoleChanged(role, epoch, leader, leader < 0 ? List.of() : endpoints(leader));
    }

    static QuorumEffect abandon() {
        return new QuorumEffect.AbandonAll();
    }

    static QuorumEffect set(QuorumTimer timer) {
        return new QuorumEffect.SetTimer(timer);
    }

    static QuorumEffect cancel(QuorumTimer timer) {
        return new QuorumEffect.CancelTimer(timer);
    }

    static QuorumEffect send(int to, QuorumMessage.Request request) {
        return new QuorumEffect.Send(to, request, Requires.QUORUM_STATE);
    }

    static QuorumEffect sendFlushed(int to, QuorumMessage.Request request, long offset) {
        return new QuorumEffect.Send(to, request, new Requires.QuorumStateAndFlushed(offset));
    }

    /** The next fetch of voter 1. */
    static QuorumEffect sendFetch(int to, int epoch, long offset, int lastEpoch, long hw) {
        return sendFlushed(to, fetchBy(1, epoch, offset, lastEpoch, hw), offset);
    }

    static QuorumEffect replyVote(ErrorCode error, int epoch, int leader, boolean granted, boolean preVote) {
        return new QuorumEffect.Reply(
                TOKEN,
                new VoteResult(error, epoch, leader, leader < 0 ? List.of() : endpoints(leader), granted, preVote),
                Requires.QUORUM_STATE);
    }

    static QuorumEffect replyFetch(
            QuorumInput asked,
            ErrorCode error,
            int epoch,
            int leader,
            long hw,
            @Nullable OffsetAndEpoch diverging,
            long upTo,
            boolean news) {
        return new QuorumEffect.ReplyFetch(
                TOKEN,
                ((QuorumInput.HandleMetadataFetch) asked).request(),
                fetchResult(error, epoch, leader, hw, diverging),
                upTo,
                news,
                Requires.QUORUM_STATE);
    }
}
