package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.CLUSTER;
import static io.tidemark.core.quorum.QuorumFixture.RECORDS;
import static io.tidemark.core.quorum.QuorumFixture.TOKEN;
import static io.tidemark.core.quorum.QuorumFixture.endpoints;
import static io.tidemark.core.quorum.QuorumFixture.fetched;
import static io.tidemark.core.quorum.QuorumFixture.follower;
import static io.tidemark.core.quorum.QuorumFixture.leader;
import static io.tidemark.core.quorum.QuorumFixture.log;
import static io.tidemark.core.quorum.QuorumFixture.request;
import static io.tidemark.core.quorum.QuorumFixture.restored;
import static io.tidemark.core.quorum.QuorumFixture.state;
import static io.tidemark.core.quorum.QuorumFixture.vote;
import static io.tidemark.core.quorum.QuorumFixture.voters;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.Tooth;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What breaks without a guard of the quorum. */
public final class QuorumTeeth {
    private static final int SEEDS = 3000;
    private static final int STEPS = 1500;

    private QuorumTeeth() {}

    public static Map<Guard, Tooth> all() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        for (Guard guard : List.of(
                Guard.VOTE_ONCE,
                Guard.VOTE_DURABLE,
                Guard.VOTE_UP_TO_DATE,
                Guard.QUORUM_FLUSH,
                Guard.OWN_EPOCH_COMMIT,
                Guard.QUORUM_DIVERGENCE)) {
            teeth.put(guard, new Tooth(SEEDS, QuorumTeeth::chaos));
        }
        teeth.put(Guard.VOTE_KEY, Tooth.story(QuorumTeeth::aWipedVoterVotes));
        teeth.put(Guard.PRE_VOTE_FETCHED, Tooth.story(QuorumTeeth::aContentFollowerHelpsToUnseatItsLeader));
        teeth.put(Guard.ACTIVATE_AFTER_OWN_ENTRY, Tooth.story(QuorumTeeth::recordsBeforeTheOwnEntryIsCommitted));
        teeth.put(Guard.CHECK_QUORUM, Tooth.story(QuorumTeeth::aLeaderAlone));
        return teeth;
    }

    /** Three voters, everything fails. */
    private static @Nullable String chaos(Guards guards, int seed) {
        QuorumWorld world = new QuorumWorld(seed, 3, 0, guards);
        try {
            for (int i = 0; i < STEPS; i++) {
                world.chaos();
            }
        } catch (QuorumSafety.Violation e) {
            return e.getMessage();
        } catch (IllegalStateException e) {
            // A replica stopped rather than truncate below its high watermark: noticed too, but not what is sought.
            return "stopped";
        }
        return null;
    }

    /**
     * KIP-853: the record of epoch 2 is committed by 1 and 2. Then 2 loses its disk and comes back empty; 3, which never had
     * the record, asks the voter that 2 was.
     */
    private static @Nullable String aWipedVoterVotes(Guards guards) {
        QuorumCore wiped = new QuorumCore(
                new QuorumConfig(
                        CLUSTER, new ReplicaKey(2, new UUID(9, 9)), endpoints(2), true, voters(1, 2, 3), guards),
                state(0, -1, -1),
                log(),
                new TreeMap<>());
        QuorumCore third = restored(3, voters(1, 2, 3), state(2, -1, -1), log(1), guards);
        wiped.start();
        third.start();
        Step<QuorumEffect> asks = third.apply(new QuorumInput.ElectionTimeout());
        for (int round = 0; round < 2; round++) {
            asks = ballot(third, asks, wiped);
        }
        return Tooth.when(third.view().role() == QuorumRole.LEADER, "LeaderCompleteness");
    }

    /** What {@code candidate} asks voter 2 for, and what it does with the answer. */
    private static Step<QuorumEffect> ballot(QuorumCore candidate, Step<QuorumEffect> asks, QuorumCore second) {
        Step<QuorumEffect> then = Step.stutter(List.of());
        for (QuorumEffect effect : asks.effects()) {
            if (effect instanceof QuorumEffect.Send send
                    && send.to() == 2
                    && send.request() instanceof QuorumMessage.Vote vote) {
                QuorumEffect.Reply reply = (QuorumEffect.Reply)
                        second.apply(new QuorumInput.HandleVoteRequest(vote, TOKEN)).effects().stream()
                                .filter(QuorumEffect.Reply.class::isInstance)
                                .findFirst()
                                .orElseThrow();
                then = candidate.apply(
                        new QuorumInput.HandleVoteResponse(2, vote, (QuorumMessage.VoteResult) reply.response()));
            }
        }
        return then;
    }

    /** KIP-996: one voter that cannot hear the leader would depose it again and again. */
    private static @Nullable String aContentFollowerHelpsToUnseatItsLeader(Guards guards) {
        QuorumCore core = follower(4, log(), guards);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0));
        boolean granted = core.apply(request(vote(4, 3, 1, 9, 4, true))).effects().stream()
                .anyMatch(effect -> effect instanceof QuorumEffect.Reply reply
                        && reply.response() instanceof QuorumMessage.VoteResult result
                        && result.granted());
        return Tooth.when(granted, Tooth.LIVENESS);
    }

    private static @Nullable String recordsBeforeTheOwnEntryIsCommitted(Guards guards) {
        QuorumCore core = leader(4, log(2), guards);
        return Tooth.when(
                core.apply(new QuorumInput.AppendMetadata(4, 2, 1, RECORDS)).action() != null, Tooth.NONE);
    }

    /** KAFKA-15489: nobody hears from it, and those whom it still reaches wait for it. */
    private static @Nullable String aLeaderAlone(Guards guards) {
        QuorumCore core = leader(4, log(), guards);
        core.apply(new QuorumInput.CheckQuorumTimeout());
        return Tooth.when(core.view().role() == QuorumRole.LEADER, Tooth.LIVENESS);
    }
}
