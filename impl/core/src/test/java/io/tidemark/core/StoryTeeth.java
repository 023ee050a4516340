package io.tidemark.core;

import io.tidemark.core.controller.ControllerRequest;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stories that need controller, replicas and broken machines together. MinIsr is 2 where nothing else is said. */
final class StoryTeeth {
    private StoryTeeth() {}

    static Map<Guard, Tooth> all() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        teeth.put(Guard.ACK_AFTER_HW, told(2, StoryTeeth::ackAfterHw));
        teeth.put(Guard.ACK_DUPLICATE_AFTER_HW, told(2, StoryTeeth::ackDuplicateAfterHw));
        teeth.put(Guard.HW_MAXIMAL_ISR, told(2, StoryTeeth::hwMaximalIsr));
        teeth.put(Guard.HW_APPLIED_ISR, told(1, StoryTeeth::hwAppliedIsr));
        teeth.put(Guard.HW_MIN_ISR, told(2, StoryTeeth::hwMinIsr));
        teeth.put(Guard.HW_JOINING, told(2, StoryTeeth::hwJoining));
        teeth.put(Guard.CONTROLLER_COMMITTED_ANSWERS, told(2, StoryTeeth::controllerCommittedAnswers));
        teeth.put(Guard.AP_PARTITION_EPOCH, told(2, StoryTeeth::apPartitionEpoch));
        teeth.put(Guard.AP_BROKER_EPOCHS, told(2, StoryTeeth::apBrokerEpochs));
        teeth.put(Guard.REGISTRATION_UNCLEAN, told(2, StoryTeeth::registrationUnclean));
        teeth.put(Guard.REGISTRATION_INCARNATION, told(2, StoryTeeth::registrationIncarnation));
        teeth.put(Guard.ELECT_ISR_ONLY, told(2, StoryTeeth::electIsrOnly));
        teeth.put(Guard.ELECT_ELR_WHEN_ISR_EMPTY, told(2, StoryTeeth::electElrWhenIsrEmpty));
        teeth.put(Guard.EXPAND_HW, told(2, StoryTeeth::expandHw));
        teeth.put(Guard.EXPAND_EPOCH_START, told(2, StoryTeeth::expandEpochStart));
        teeth.put(Guard.PENDING_UNTIL_KNOWN, told(2, StoryTeeth::pendingUntilKnown));
        teeth.put(Guard.BELIEVE_REFUSAL_ALONE, told(2, StoryTeeth::believeRefusalAlone));
        teeth.put(Guard.APPLY_OLDER, told(2, StoryTeeth::applyOlder));
        teeth.put(Guard.FETCH_LEADER_EPOCH, told(2, StoryTeeth::fetchLeaderEpoch));
        teeth.put(Guard.FETCH_DIVERGENCE_FIRST, told(2, StoryTeeth::fetchDivergenceFirst));
        teeth.put(Guard.RESP_DIVERGENCE_FIRST, told(1, StoryTeeth::respDivergenceFirst));
        teeth.put(Guard.FETCH_BROKER_EPOCH, told(2, StoryTeeth::fetchBrokerEpoch));
        teeth.put(Guard.TRUNCATE_BY_EPOCH, told(2, StoryTeeth::truncateByEpoch));
        teeth.put(Guard.RESP_STILL_ASKED, told(2, StoryTeeth::respStillAsked));
        teeth.put(Guard.RESP_BATCH_EPOCH, told(2, StoryTeeth::respBatchEpoch));
        teeth.put(Guard.APPLY_DROPS_FETCH, told(2, StoryTeeth::applyDropsFetch));
        return teeth;
    }

    private static Tooth told(int minIsr, Function<StoryCluster, @Nullable String> story) {
        return Tooth.story(guards -> {
            try {
                return story.apply(new StoryCluster(guards, minIsr));
            } catch (StoryInvariants.Violation violation) {
                return violation.invariant;
            }
        });
    }

    /** Nobody has it but the leader. */
    private static @Nullable String ackAfterHw(StoryCluster cluster) {
        cluster.write(1);
        return null;
    }

    /** Sent again, a record that nobody else has is no better off. */
    private static @Nullable String ackDuplicateAfterHw(StoryCluster cluster) {
        cluster.writeOnce(1);
        cluster.writeOnce(1);
        return null;
    }

    /** The controller has taken broker 3 into the ISR, and the leader has yet to hear it. */
    private static @Nullable String hwMaximalIsr(StoryCluster cluster) {
        without3(cluster);
        cluster.replicate(3);
        cluster.decide(cluster.asksToAlter(1));
        ackedBy2(cluster);
        return null;
    }

    /** A record that only the leader and broker 2 have is acknowledged, once the leader waits for nobody else. */
    private static void ackedBy2(StoryCluster cluster) {
        cluster.write(1);
        cluster.lag(1, 3); // It is about to join, and is waited for no longer.
        cluster.replicate(2);
    }

    /** Broker 3 lacks what is acknowledged. */
    private static @Nullable String expandHw(StoryCluster cluster) {
        without3(cluster);
        cluster.serve(cluster.asks(3));
        cluster.alter(1);
        return null;
    }

    /** KAFKA-7128: the high watermark of a new leader lags, so reaching it does not mean having what was acknowledged. */
    private static @Nullable String expandEpochStart(StoryCluster cluster) {
        cluster.write(1);
        cluster.fetch(2);
        cluster.fetch(3);
        cluster.write(1);
        cluster.fetch(2);
        cluster.lag(1, 3);
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.serve(cluster.asks(2)); // Both records are acknowledged, which broker 2 does not learn.
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.serve(cluster.asks(3));
        cluster.alter(2);
        return null;
    }

    /** The answer to an expansion is lost, and the retry is told only that it is stale. */
    private static @Nullable String pendingUntilKnown(StoryCluster cluster) {
        without3(cluster);
        cluster.replicate(3);
        cluster.decide(cluster.asksToAlter(1)); // Broker 3 is in the ISR now.
        cluster.alter(1);
        ackedBy2(cluster);
        return null;
    }

    /** An expansion is delayed; its retry is refused, as broker 3 is fenced; then it is unfenced, and the first is granted. */
    private static @Nullable String believeRefusalAlone(StoryCluster cluster) {
        without3(cluster);
        cluster.replicate(3);
        cluster.delayAlter(1);
        cluster.controller.fence(3);
        cluster.alter(1);
        cluster.unfence(3);
        cluster.strayArrives(); // Broker 3 is in the ISR now.
        ackedBy2(cluster);
        return null;
    }

    /** As pendingUntilKnown, with the answer that arrives, and behind it the record that it was the answer to before. */
    private static @Nullable String applyOlder(StoryCluster cluster) {
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.alter(1); // Its record is not applied yet.
        cluster.replicate(2, 3);
        cluster.decide(cluster.asksToAlter(1)); // Broker 3 is in the ISR now.
        cluster.applyNext(1);
        ackedBy2(cluster);
        return null;
    }

    /**
     * KIP-320: a fetch of an earlier epoch says what broker 3 held then, not what it holds. Broker 2 leads, loses its
     * leadership to 1, and has it back, all before it applies any of it.
     */
    private static @Nullable String fetchLeaderEpoch(StoryCluster cluster) {
        cluster.controller.fence(1);
        cluster.unfence(1);
        cluster.applyAll(1, 2, 3);
        cluster.fetch(1);
        cluster.alter(2);
        cluster.applyAll(1, 2, 3);
        cluster.write(2, 1);
        cluster.fetch(3);
        StoryCluster.Fetch late = cluster.asks(3);
        cluster.controller.electPreferred();
        cluster.applyAll(1, 3);
        cluster.fetch(3); // Truncates: broker 1 does not have the record.
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.serve(late);
        return null;
    }

    /** What broker 3 has of an earlier epoch is not what its leader has there. */
    private static @Nullable String fetchDivergenceFirst(StoryCluster cluster) {
        cluster.write(1, 1);
        cluster.fetch(3);
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.write(2, 1);
        cluster.serve(cluster.asks(3));
        return null;
    }

    /** The high watermark of a leader is about the leader's records. */
    private static @Nullable String respDivergenceFirst(StoryCluster cluster) {
        cluster.write(1, 1);
        cluster.fetch(3);
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.write(2, 1);
        cluster.lag(2, 3);
        cluster.alter(2);
        cluster.applyAll(2);
        cluster.fetch(3);
        return null;
    }

    /** See {@link MinIsrRaceTest}. */
    private static @Nullable String hwAppliedIsr(StoryCluster cluster) {
        cluster.write(1);
        cluster.lag(1, 2, 3);
        cluster.controller.minIsr(2);
        cluster.alter(1);
        return null;
    }

    /** KIP-966: who is in the ELR lacks nothing because nothing moves while the ISR is short, acks=1 included. */
    private static @Nullable String hwMinIsr(StoryCluster cluster) {
        cluster.lag(1, 2, 3);
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.write(1, 1);
        return null;
    }

    /** Under steady load broker 3 is always one record behind when its fetch arrives. */
    private static @Nullable String hwJoining(StoryCluster cluster) {
        cluster.lag(1, 3);
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.write(1);
        cluster.replicate(2);
        for (int round = 0; round < 50; round++) {
            cluster.serve(cluster.asks(3));
            cluster.write(1);
            cluster.replicate(2);
            cluster.receive(cluster.fetched(3));
            cluster.alter(1);
        }
        return Tooth.when(!cluster.controller.part().isr().contains(3), Tooth.LIVENESS);
    }

    /** The leader counts on a second member; the controller that said so takes it with it. Broker 3 is still eligible. */
    private static @Nullable String controllerCommittedAnswers(StoryCluster cluster) {
        cluster.lag(1, 2, 3);
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.replicate(2);
        cluster.controller.holdCommits();
        cluster.alter(1);
        cluster.write(1);
        cluster.replicate(2);
        cluster.controller.loseUncommitted();
        return null;
    }

    /** A request is overtaken: broker 3 was out of the ISR meanwhile, and records were acknowledged without it. */
    private static @Nullable String apPartitionEpoch(StoryCluster cluster) {
        cluster.write(1);
        cluster.replicate(3);
        cluster.lag(1, 2);
        ControllerRequest.AlterPartition late = cluster.asksToAlter(1);
        cluster.controller.fence(3);
        cluster.unfence(3);
        cluster.applyAll(1);
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.replicate(2);
        cluster.decide(late);
        return null;
    }

    /** KIP-903: broker 3 had caught up when its leader asked; then it lost power, and its records. */
    private static @Nullable String apBrokerEpochs(StoryCluster cluster) {
        without3(cluster);
        cluster.replicate(3);
        ControllerRequest.AlterPartition late = cluster.asksToAlter(1);
        cluster.losePower(3, 0);
        cluster.controller.fence(3);
        cluster.restart(3);
        cluster.decide(late);
        return null;
    }

    /** The ISR is {1, 2}, and one record is acknowledged. */
    private static void without3(StoryCluster cluster) {
        cluster.lag(1, 3);
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.write(1);
        cluster.replicate(2);
    }

    /** KIP-966: broker 3 was eligible when it lost power. */
    private static @Nullable String registrationUnclean(StoryCluster cluster) {
        cluster.write(1);
        cluster.replicate(2, 3);
        cluster.controller.fence(2);
        cluster.losePower(3, 0);
        cluster.controller.fence(3);
        cluster.restart(3);
        return null;
    }

    /** Two processes of one id would throw each other out in turn. */
    private static @Nullable String registrationIncarnation(StoryCluster cluster) {
        cluster.registerTwin(2);
        return Tooth.when(!cluster.controller.part().isr().contains(2), Tooth.LIVENESS);
    }

    /** Broker 1 is back but has yet to fetch. */
    private static @Nullable String electIsrOnly(StoryCluster cluster) {
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.write(2);
        cluster.replicate(3);
        cluster.unfence(1);
        cluster.controller.electPreferred();
        return null;
    }

    /**
     * Broker 1 is eligible and the preferred leader, 2 is the ISR. Were 1 elected, 2 would be forgotten, though it has
     * everything; when 1 then loses power, it is the last known leader, and leads without its records.
     */
    private static @Nullable String electElrWhenIsrEmpty(StoryCluster cluster) {
        cluster.write(1);
        cluster.replicate(2, 3);
        cluster.controller.fence(3);
        cluster.controller.fence(1);
        cluster.unfence(1);
        cluster.controller.electPreferred();
        cluster.losePower(1, 0);
        cluster.controller.fence(1);
        cluster.restart(1);
        return null;
    }

    /** A fetch from before the power loss tells what broker 3 had then. */
    private static @Nullable String fetchBrokerEpoch(StoryCluster cluster) {
        cluster.write(1);
        cluster.fetch(3);
        StoryCluster.Fetch late = cluster.asks(3);
        cluster.losePower(3, 0);
        cluster.controller.fence(3);
        cluster.restart(3);
        cluster.applyAll(1);
        cluster.serve(cluster.asks(3));
        cluster.alter(1);
        cluster.applyAll(1);
        cluster.replicate(2);
        cluster.serve(late);
        return null;
    }

    /** KIP-101: a follower's high watermark lags, so what is above it may be committed. */
    private static @Nullable String truncateByEpoch(StoryCluster cluster) {
        cluster.write(1);
        cluster.fetch(2);
        cluster.write(1);
        cluster.fetch(3);
        cluster.serve(cluster.asks(2));
        cluster.serve(cluster.asks(3)); // The first record is acknowledged, which neither follower learns.
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.fetch(3);
        return null;
    }

    /** An answer of the leader before, for the end of a log that was cut meanwhile: what it brings lies behind a hole. */
    private static @Nullable String respStillAsked(StoryCluster cluster) {
        cluster.write(1);
        cluster.replicate(2, 3);
        cluster.write(1);
        cluster.fetch(3);
        cluster.write(1);
        cluster.serve(cluster.asks(3));
        StoryCluster.Fetched late = cluster.fetched(3);
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        cluster.fetch(3);
        cluster.receive(late);
        return null;
    }

    /**
     * KAFKA-18723: between the decision on a fetch and the reading of its bytes the old leader has followed the new one, and
     * its log has changed.
     */
    private static @Nullable String respBatchEpoch(StoryCluster cluster) {
        cluster.write(1);
        cluster.replicate(2, 3);
        cluster.write(1);
        cluster.fetch(3);
        cluster.write(1);
        cluster.serve(cluster.asks(3));
        StoryCluster.Fetched late = cluster.fetched(3);
        cluster.controller.fence(1);
        cluster.applyAll(1, 2);
        cluster.write(2);
        cluster.write(2);
        cluster.replicate(1);
        cluster.receive(late);
        return null;
    }

    /** Broker 1 is dead and answers no fetch. */
    private static @Nullable String applyDropsFetch(StoryCluster cluster) {
        cluster.losePower(1, 0);
        cluster.controller.fence(1);
        cluster.applyAll(2, 3);
        return Tooth.when(cluster.asks(3).asked().leader() != 2, Tooth.LIVENESS);
    }
}
