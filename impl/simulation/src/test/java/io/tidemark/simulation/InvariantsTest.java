package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.StepListener;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the checks over all nodes find, shown on real cores that are made to do what they never do. */
class InvariantsTest {
    private static final TopicPartition ID = new TopicPartition(new UUID(7, 7), 0);
    private static final LogState EMPTY = LogState.empty();

    private final Invariants invariants = new Invariants("");

    private static final class Token implements ReplyToken {}

    /** A replica in one life of its node. */
    private final class Replica {
        final PartitionCore core;
        private final StepListener life;

        Replica(int node, LogState log) {
            core = new PartitionCore(new PartitionConfig(node, Guards.ALL), log);
            life = invariants.of(node);
        }

        Replica follow(int leader, int epoch) {
            return apply(new PartitionInput.ApplyPartitionChange(
                    epoch,
                    new PartitionRegistration(
                            List.of(1, 2),
                            List.of(),
                            List.of(1, 2),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(),
                            leader,
                            LeaderRecovery.RECOVERED,
                            epoch,
                            epoch)));
        }

        Replica apply(PartitionInput input) {
            life.partition(ID, core, input, core.apply(input));
            return this;
        }

        Replica append(long value) {
            RecordBytes batch = SimBatch.of(value, 0, -1, (short) -1, -1);
            return apply(new PartitionInput.HandleProduce((short) 1, SimBatch.header(batch), batch, new Token()));
        }

        /** The answer to its live fetch: a batch that holds this value. */
        Replica fetched(long value, int epoch) {
            FetchAsked asked = Objects.requireNonNull(core.view().asked());
            RecordBytes batch = SimBatch.of(value, 0, -1, (short) -1, -1);
            return apply(new PartitionInput.HandleFetchResponse(
                    asked,
                    ErrorCode.NONE,
                    null,
                    List.of(SimBatch.header(batch).assigned(asked.offset(), epoch)),
                    batch,
                    0,
                    0));
        }
    }

    private static void breaks(String message, ThrowingCallable steps) {
        assertThatThrownBy(steps).isInstanceOf(Violation.class).hasMessageContaining(message);
    }

    @Test
    void aBrokerThatLivesAgainDoesNotLeadInTheSameEpoch() {
        new Replica(1, EMPTY).follow(1, 4).append(1);
        breaks("OneLeaderPerEpoch: node 1 leads in two of its lives", () -> new Replica(1, EMPTY).follow(1, 4));
    }

    @Test
    void aBrokerThatLivesAgainLeadsInAnotherEpoch() {
        new Replica(1, EMPTY).follow(1, 4).append(1);
        assertThatCode(() -> new Replica(1, EMPTY).follow(2, 5).follow(1, 6).append(2))
                .doesNotThrowAnyException();
    }

    @Test
    void twoBrokersDoNotLeadInOneEpoch() {
        new Replica(1, EMPTY).follow(1, 4);
        breaks("OneLeaderPerEpoch: nodes 1 and 2 lead in one epoch", () -> new Replica(2, EMPTY).follow(2, 4));
    }

    @Test
    void aFollowerHoldsWhatItsLeaderWrote() {
        new Replica(1, EMPTY).follow(1, 4).append(1);
        assertThatCode(() -> new Replica(2, EMPTY).follow(1, 4).fetched(1, 4)).doesNotThrowAnyException();
        breaks(
                "LogMatching: partition 0: node 2 appends at 0 in epoch 4 other records than node 1 did",
                () -> new Replica(2, EMPTY).follow(1, 4).fetched(2, 4));
    }

    /** Far below the high watermark, where two logs were compared before and nothing should have changed since. */
    @Test
    void aNewEpochComparesTheWholeLog() {
        new Replica(1, log(new EpochStart(3, 0))).follow(1, 4);
        breaks(
                "NoDivergenceBelowHw: partition 0 of broker 2: record 0 is of epoch 2, elsewhere of 3",
                () -> new Replica(2, log(new EpochStart(2, 0), new EpochStart(3, 1))).follow(1, 4));
    }

    /** 1,000 records, all of them committed. */
    private static LogState log(EpochStart... epochs) {
        return new LogState(0, 1_000, 1_000, 1_000, List.of(epochs), List.of());
    }

    // ---- quorum

    private static final String CLUSTER = "c";
    private static final VoterSet VOTERS = VoterSet.of(List.of(voter(1), voter(2), voter(3)));

    private static ReplicaKey key(int id) {
        return new ReplicaKey(id, new UUID(7, id));
    }

    private static List<Endpoint> endpoints(int id) {
        return List.of(new Endpoint("CONTROLLER", "host" + id, 9093));
    }

    private static VoterSet.Voter voter(int id) {
        return new VoterSet.Voter(key(id), endpoints(id));
    }

    private static QuorumCore voter(int id, QuorumStateData state) {
        return new QuorumCore(
                new QuorumConfig(CLUSTER, key(id), endpoints(id), true, VOTERS, Guards.ALL),
                state,
                EMPTY,
                new TreeMap<>());
    }

    /** It stopped as the candidate of epoch 5, lives again, and gets the vote of 2. */
    private void isElected(int id) {
        QuorumCore core = voter(id, new QuorumStateData(5, key(id), QuorumStateData.NO_LEADER));
        StepListener life = invariants.of(id);
        core.start();
        QuorumMessage.Vote asked = new QuorumMessage.Vote(CLUSTER, 5, key(id), key(2), new OffsetAndEpoch(0, 0), false);
        QuorumInput granted = new QuorumInput.HandleVoteResponse(
                2,
                asked,
                new QuorumMessage.VoteResult(ErrorCode.NONE, 5, QuorumStateData.NO_LEADER, List.of(), true, false));
        life.quorum(core, granted, core.apply(granted));
    }

    private void hears(int id, int leader) {
        QuorumCore core = voter(id, QuorumStateData.INITIAL);
        core.start();
        QuorumInput begin = new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(CLUSTER, 5, leader, key(id), endpoints(leader)), new Token());
        invariants.of(id).quorum(core, begin, core.apply(begin));
    }

    /** In one life; what a power loss may take back, nobody was told. */
    @Test
    void theEpochOfAVoterDoesNotFall() {
        QuorumInput timeout = new QuorumInput.ElectionTimeout();
        QuorumCore before = voter(1, new QuorumStateData(5, null, QuorumStateData.NO_LEADER));
        QuorumCore after = voter(1, new QuorumStateData(4, null, QuorumStateData.NO_LEADER));
        before.start();
        after.start();
        StepListener life = invariants.of(1);
        life.quorum(before, timeout, before.apply(timeout));
        breaks(
                "EpochsMonotone: node 1: quorum epoch fell from 5 to 4",
                () -> life.quorum(after, timeout, after.apply(timeout)));
    }

    @Test
    void aLeaderOfTheQuorumThatOthersHeardOfDoesNotLeadThereAgain() {
        isElected(1);
        hears(3, 1);
        breaks("OneLeaderPerEpoch: node 1 leads in two of its lives in one epoch: 5", () -> isElected(1));
    }

    /** The epoch was on disk before the votes were asked for, that they were given was not: it asks for them again. */
    @Test
    void aLeaderOfTheQuorumThatNobodyHeardOfMayBeElectedAgain() {
        isElected(1);
        assertThatCode(() -> isElected(1)).doesNotThrowAnyException();
    }

    @Test
    void twoVotersDoNotLeadInOneEpoch() {
        isElected(1);
        breaks("OneLeaderPerEpoch: nodes 1 and 3 lead in one epoch: 5", () -> isElected(3));
    }
}
