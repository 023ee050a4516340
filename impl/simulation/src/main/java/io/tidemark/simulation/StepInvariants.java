package io.tidemark.simulation;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FollowerProgress;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.KnownBroker;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a step may do, given the state before it: of one life of a node, after each of its steps. Some names are those of
 * {@code spec/Durability.tla}, and demand what they demand there. The others are the code's own: mostly what a guard forbids whose
 * absence the specification sees only by what comes of it. {@code spec/invariants.tsv} has the former, {@code
 * docs/simulation.md} the latter.
 */
final class StepInvariants {
    private final String who;
    private final String unheld;
    private Map<Integer, BrokerRegistration> registered = new TreeMap<>();
    /** The change of the ISR that is under way, of each replica that leads. */
    private final Map<TopicPartition, AlterPartitionAsked> pending = new TreeMap<>();

    private long quorumHw;
    /** The quorum epoch in which this node follows a leader that has answered it; -1 for none. */
    private int contentIn = -1;

    StepInvariants(int node, String unheld) {
        this.unheld = unheld;
        this.who = "node " + node + ": ";
    }

    /** @param what happened: words that are put together only when they are needed */
    private void require(boolean holds, String name, Supplier<String> what) {
        if (!holds && !name.equals(unheld)) {
            throw new Violation(name, who + what.get());
        }
    }

    // ---- Controller

    /** @param before the partitions as this node's controller had decided them before the step */
    void controller(
            ControllerCore core,
            ControllerInput input,
            Step<ControllerEffect> step,
            Map<TopicPartition, PartitionRegistration> before) {
        if (input instanceof ControllerInput.HandleAlterPartition alter) {
            for (ControllerEffect effect : step.effects()) {
                if (effect instanceof ControllerEffect.Reply reply
                        && reply.response() instanceof ControllerResponse.AlteredPartitions altered) {
                    altered(alter.request(), altered, before);
                }
            }
        } else if (input instanceof ControllerInput.HandleBrokerRegistration registration) {
            registers(registration.request(), step.effects());
        }
        if (input instanceof ControllerInput.Activate || appends(step.effects())) {
            registered = new TreeMap<>(core.view().reg());
        }
    }

    private static boolean appends(List<ControllerEffect> effects) {
        return effects.stream().anyMatch(ControllerEffect.Append.class::isInstance);
    }

    private void altered(
            ControllerRequest.AlterPartition request,
            ControllerResponse.AlteredPartitions answers,
            Map<TopicPartition, PartitionRegistration> before) {
        for (int i = 0; i < answers.partitions().size(); i++) {
            ControllerRequest.AlterPartition.PartitionItem item =
                    request.partitions().get(i);
            ErrorCode error = answers.partitions().get(i).answer().error();
            AlterPartitionAsked asked = item.asked();
            PartitionRegistration old = before.get(new TopicPartition(item.topicId(), item.partition()));
            if (old == null) {
                continue;
            }
            require(
                    asked.leaderEpoch() >= old.leaderEpoch() || error == ErrorCode.FENCED_LEADER_EPOCH,
                    "DeposedAreTold",
                    () -> request + " is answered " + error + " in " + old);
            if (error == ErrorCode.NONE) {
                BrokerRegistration sender = registered.get(request.brokerId());
                require(
                        asked.leaderEpoch() == old.leaderEpoch(),
                        "IsrByPresentLeader",
                        () -> request + " changes the ISR in " + old);
                require(
                        sender != null && sender.epoch() == request.brokerEpoch(),
                        "IsrByPresentLife",
                        () -> request + " changes the ISR, registered is " + sender);
                decidedOnThePresent(asked, old);
            }
        }
    }

    private void decidedOnThePresent(AlterPartitionAsked asked, PartitionRegistration old) {
        require(
                asked.partitionEpoch() == old.partitionEpoch(),
                "IsrOnThePresent",
                () -> asked + " changes the ISR, decided on another than " + old);
        for (AlterPartitionAsked.Member member : asked.newIsr()) {
            BrokerRegistration known = registered.get(member.brokerId());
            require(
                    member.brokerEpoch() < 0 || (known != null && known.epoch() == member.brokerEpoch()),
                    "IsrOfPresentLives",
                    () -> asked + " changes the ISR, registered is " + known);
        }
    }

    private void registers(ControllerRequest.RegisterBroker request, List<ControllerEffect> effects) {
        BrokerRegistration old = registered.get(request.brokerId());
        for (ControllerEffect effect : effects) {
            if (effect instanceof ControllerEffect.Append append && old != null) {
                for (MetadataRecord record : append.records()) {
                    require(
                            !(record instanceof MetadataRecord.RegisterBroker)
                                    || old.incarnation().equals(request.incarnation())
                                    || old.fenced(),
                            "OneLifePerSession",
                            () -> request.incarnation() + " takes the place of " + old);
                }
            }
        }
    }

    // ---- Replicas

    /** @param hwBefore the high watermark before the step */
    void partition(
            TopicPartition id, PartitionView view, PartitionInput input, Step<PartitionEffect> step, long hwBefore) {
        IsrState isrState = view.isrState();
        if (isrState != null) {
            leads(id, view, isrState, input, step);
            if (view.hw() > hwBefore) {
                hwMoved(id, view);
            }
        }
        if (isrState != null && isrState.asked() != null) {
            pending.put(id, isrState.asked());
        } else {
            pending.remove(id);
        }
        if (input instanceof PartitionInput.HandleFetchResponse answer) {
            PartitionRegistration part = view.part();
            for (PartitionEffect effect : step.effects()) {
                if (effect instanceof PartitionEffect.AppendFetched append) {
                    require(
                            append.batches().stream()
                                    .noneMatch(batch ->
                                            batch.leaderEpoch() > answer.asked().leaderEpoch()),
                            "NoEpochAbove",
                            () -> id.partition() + " appends " + append.batches() + ", asked was " + answer.asked());
                }
            }
            require(
                    part == null
                            || answer.asked().leaderEpoch() == part.leaderEpoch()
                            || (view.hw() == hwBefore && step.effects().stream().noneMatch(StepInvariants::changesLog)),
                    "TakesOfThisEpoch",
                    () -> id.partition() + " takes the answer to " + answer.asked() + " in " + part);
        }
    }

    private static boolean changesLog(PartitionEffect effect) {
        return effect instanceof PartitionEffect.AppendFetched
                || effect instanceof PartitionEffect.Truncate
                || effect instanceof PartitionEffect.TruncateFully;
    }

    private void leads(
            TopicPartition id,
            PartitionView view,
            IsrState isrState,
            PartitionInput input,
            Step<PartitionEffect> step) {
        if (input instanceof PartitionInput.HandleProduce produce && produce.acks() == -1) {
            require(
                    isrState.isr().size() >= view.minIsr()
                            || step.effects().stream().noneMatch(PartitionEffect.Append.class::isInstance),
                    "NoAppendBelowMinIsr",
                    () -> id.partition() + " appends with " + isrState + ", minIsr " + view.minIsr());
        }
        if (input instanceof PartitionInput.HandleFetch fetch) {
            counts(id, view, fetch, step);
        } else if (input instanceof PartitionInput.HandleAlterPartitionResponse answer) {
            staysPending(id, isrState, answer);
        }
        AlterPartitionAsked asked = isrState.asked();
        if (asked != null && input instanceof PartitionInput.ProposeExpandIsr && step.action() != null) {
            for (AlterPartitionAsked.Member member : asked.newIsr()) {
                KnownBroker known = view.reg().get(member.brokerId());
                require(
                        isrState.isr().contains(member.brokerId())
                                || (known != null && known.epoch() == member.brokerEpoch()),
                        "AsksForThePresent",
                        () -> id.partition() + " asks for " + member + ", registered is " + known);
            }
        }
    }

    private void hwMoved(TopicPartition id, PartitionView view) {
        view.follower().forEach((follower, progress) -> {
            KnownBroker known = view.reg().get(follower);
            require(
                    !mayJoin(progress, known) || progress.offset() >= view.hw(),
                    "HwWaitsForJoining",
                    () -> "the high watermark of " + id.partition() + " moves to " + view.hw() + " and leaves "
                            + follower + " behind, " + progress);
            require(
                    progress.offset() >= view.hw() || !view.departed().contains(follower),
                    "HwWaitsForDeparted",
                    () -> "the high watermark of " + id.partition() + " moves to " + view.hw() + " without " + follower
                            + ", whose leave is not applied, " + progress);
        });
    }

    /** What a leader counts is of its epoch, and of the lives that it knows to be registered. */
    private void counts(
            TopicPartition id, PartitionView view, PartitionInput.HandleFetch fetch, Step<PartitionEffect> step) {
        PartitionRegistration part = view.part();
        KnownBroker known = view.reg().get(fetch.replicaId());
        for (PartitionEffect effect : step.effects()) {
            if (part != null
                    && effect instanceof PartitionEffect.ReplyFetch reply
                    && reply.answer().error() == ErrorCode.NONE) {
                require(
                        fetch.currentLeaderEpoch() < 0 || fetch.currentLeaderEpoch() == part.leaderEpoch(),
                        "CountsItsEpoch",
                        () -> id.partition() + " answers " + fetch + " in " + part);
                require(
                        known == null || fetch.brokerEpoch() >= known.epoch(),
                        "CountsPresentLives",
                        () -> id.partition() + " answers " + fetch + ", registered is " + known);
            }
        }
    }

    /** An answer that does not say what became of a change leaves it pending. */
    private void staysPending(TopicPartition id, IsrState isrState, PartitionInput.HandleAlterPartitionResponse input) {
        boolean told = input.answer().error() == ErrorCode.NONE
                || (input.answer().saysNothingWasChanged() && !input.strayPossible());
        require(
                told || !input.asked().equals(pending.get(id)) || input.asked().equals(isrState.asked()),
                "PendingUntilKnown",
                () -> id.partition() + " gives up " + input.asked() + " for " + input.answer());
    }

    private static boolean mayJoin(FollowerProgress progress, @Nullable KnownBroker known) {
        return progress.caughtUp() && known != null && known.active() && known.epoch() == progress.brokerEpoch();
    }

    // ---- Quorum

    void quorum(QuorumView view, QuorumInput input, Step<QuorumEffect> step) {
        boolean leads = view.role() == QuorumRole.LEADER;
        if (input instanceof QuorumInput.AppendMetadata && step.action() != null) {
            require(
                    view.leaderReady(),
                    "DecidesWhenReady",
                    () -> "decides in epoch " + view.currentEpoch() + " before its own record is committed, hw "
                            + view.hw());
        } else if (input instanceof QuorumInput.CheckQuorumTimeout
                && view.voters().voters().size() > 1) {
            require(!leads, "LeavesWithoutMajority", () -> "leads although no majority has fetched");
        } else if (input instanceof QuorumInput.HandleVoteRequest asked) {
            staysWithItsLeader(view, asked.request(), step);
        }
        if (leads && view.hw() > quorumHw) {
            long holders = view.voterFetch().values().stream()
                    .filter(end -> end >= view.hw())
                    .count();
            require(
                    2 * holders > view.voters().voters().size(),
                    "CommittedOnDisks",
                    () -> "commits up to " + view.hw() + ", which is on the disks of " + view.voterFetch() + " of "
                            + view.voters());
            require(
                    view.log().epochAt(view.hw() - 1) == view.currentEpoch(),
                    "CommitsByOwnEpoch",
                    () -> "leader of epoch " + view.currentEpoch() + " commits up to " + view.hw()
                            + ", a record of epoch " + view.log().epochAt(view.hw() - 1));
        }
        quorumHw = view.hw();
        if (view.role() != QuorumRole.FOLLOWER || contentIn != view.currentEpoch()) {
            contentIn = -1;
        }
        boolean answered = input instanceof QuorumInput.HandleMetadataFetchResponse response
                && response.result().error() == ErrorCode.NONE
                && response.result().epoch() == view.currentEpoch();
        if (answered && step.action() != null && view.role() == QuorumRole.FOLLOWER) {
            contentIn = view.currentEpoch();
        }
    }

    private void staysWithItsLeader(QuorumView view, QuorumMessage.Vote vote, Step<QuorumEffect> step) {
        for (QuorumEffect effect : step.effects()) {
            require(
                    !(effect instanceof QuorumEffect.Reply reply
                            && reply.response() instanceof QuorumMessage.VoteResult result
                            && result.granted()
                            && vote.preVote()
                            && contentIn == vote.epoch()
                            && view.role() == QuorumRole.FOLLOWER),
                    "StaysWithItsLeader",
                    () -> "has a leader that answers, and grants a pre-vote to " + vote.candidate());
        }
    }
}
