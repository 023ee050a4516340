package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static io.tidemark.core.quorum.QuorumTimer.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.LogState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QuorumStartTest {
    private static List<QuorumEffect> start(QuorumStateData state, LogState log) {
        Step<QuorumEffect> step = restored(state, log, Guards.ALL).start();
        assertThat(step.action()).isNull();
        return step.effects();
    }

    @Test
    void aNewVoterIsUnattachedAndLooksForALeader() {
        assertThat(start(QuorumStateData.INITIAL, log()))
                .containsExactly(
                        role(QuorumRole.UNATTACHED, 0, -1),
                        set(ELECTION),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 0, 0, 0, 0));
    }

    @Test
    void aLeaderIsResignedInItsEpoch() {
        QuorumMessage.EndQuorumEpoch end = new QuorumMessage.EndQuorumEpoch(CLUSTER, 4, 1, List.of(), endpoints(1));
        assertThat(start(state(4, 1, 1), log(4)))
                .containsExactly(role(QuorumRole.RESIGNED, 4, 1), set(ELECTION), send(2, end), send(3, end));
    }

    @Test
    void oneThatVotedForItselfIsCandidate() {
        assertThat(start(state(4, 1, -1), log(3)))
                .containsExactly(
                        role(QuorumRole.CANDIDATE, 4, -1),
                        set(ELECTION),
                        sendFlushed(2, vote(4, 1, 2, 1, 3, false), 1),
                        sendFlushed(3, vote(4, 1, 3, 1, 3, false), 1));
    }

    /** It may have won the epoch and lost records of it: winning it once more would write others in their place. */
    @Test
    void butNotWithRecordsOfThatEpochInItsLog() {
        QuorumCore core = restored(state(4, 1, -1), log(3, 4), Guards.ALL);
        core.start();
        assertThat(core.view().role()).isEqualTo(QuorumRole.UNATTACHED);
        assertThat(core.view().votedKey()).isEqualTo(key(1));
    }

    @Test
    void aFollowerFetchesFromItsLeader() {
        assertThat(start(state(4, 3, 2), log(3)))
                .containsExactly(role(QuorumRole.FOLLOWER, 4, 2), set(QuorumTimer.FETCH), sendFetch(2, 4, 1, 3, 0));
    }

    @Test
    void aLogOfALaterEpochThanTheStateRaisesTheEpoch() {
        assertThat(start(state(4, 1, 1), log(5))).startsWith(persist(5, -1, -1), role(QuorumRole.UNATTACHED, 5, -1));
    }

    @Test
    void whatIsNotOnDiskIsFlushedOrItsFetchWouldWaitForEver() {
        LogState log = log(3, 3);
        assertThat(start(state(4, -1, -1), new LogState(0, 2, 1, 0, log.epochs(), List.of())))
                .contains(new QuorumEffect.Flush());
    }

    @Test
    void anObserverHasNoElectionTimer() {
        QuorumCore core = restored(4, voters(1, 2, 3), QuorumStateData.INITIAL, log(), Guards.ALL);
        assertThat(core.start().effects())
                .containsExactly(
                        role(QuorumRole.UNATTACHED, 0, -1),
                        new QuorumEffect.Send(
                                QuorumEffect.ANY_BOOTSTRAP, fetchBy(4, 0, 0, 0, 0), Requires.QUORUM_STATE));
    }

    @Test
    void votersInTheLogOverruleTheConfiguredOnes() {
        TreeMap<Long, VoterSet> records = new TreeMap<>();
        records.put(0L, voters(2, 3));
        QuorumCore core =
                new QuorumCore(config(1, voters(1, 2, 3), Guards.ALL), QuorumStateData.INITIAL, log(0), records);
        assertThat(core.view().isVoter()).isFalse();
        assertThat(core.view().voters().ids()).containsExactly(2, 3);
    }

    /** A quorum of one, formatted with its voters at offset 0 of epoch 0, serves without waiting for any timer. */
    @Test
    void theOnlyVoterElectsItselfAtOnceFromEveryState() {
        for (QuorumStateData state :
                List.of(QuorumStateData.INITIAL, state(3, 1, 1), state(3, 1, -1), state(3, -1, 2), state(3, 2, -1))) {
            TreeMap<Long, VoterSet> records = new TreeMap<>();
            records.put(0L, voters(1));
            QuorumCore core = new QuorumCore(config(1, voters(1, 2), Guards.ALL), state, log(0), records);
            ArrayDeque<QuorumEffect> effects = new ArrayDeque<>(core.start().effects());
            List<QuorumEffect> seen = new ArrayList<>();
            while (!effects.isEmpty()) {
                QuorumEffect effect = effects.poll();
                seen.add(effect);
                if (effect instanceof QuorumEffect.Self self) {
                    effects.addAll(core.apply(self.input()).effects());
                }
            }
            assertThat(core.view().role()).as("%s", state).isEqualTo(QuorumRole.LEADER);
            int epoch = core.view().currentEpoch();
            // A candidate finishes the election that it began.
            boolean candidate = state.equals(state(3, 1, -1));
            assertThat(epoch).isEqualTo(state.currentEpoch() + (candidate ? 0 : state.leaderId() == 1 ? 2 : 1));
            assertThat(seen)
                    .contains(new QuorumEffect.AppendControl(
                            1, epoch, List.of(new ControlRecord.LeaderChange(1, List.of(1), List.of(1)))))
                    .doesNotContain(set(QuorumTimer.CHECK_QUORUM));
            assertThat(core.apply(new QuorumInput.PersistMetadata(2)).effects())
                    .contains(new QuorumEffect.LeaderReady(epoch));
        }
    }
}
