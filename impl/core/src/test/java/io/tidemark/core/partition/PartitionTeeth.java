package io.tidemark.core.partition;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Tooth;
import io.tidemark.core.log.LogState;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What breaks without a guard of a partition. In the stories broker 1 leads first, all are in the ISR, minIsr is 2; the
 * controller is {@link ModelController}, without ELR.
 */
public final class PartitionTeeth {
    private static final int SEEDS = 3000;
    private static final int STEPS = 400;

    private PartitionTeeth() {}

    public static Map<Guard, Tooth> all() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        for (Guard guard : List.of(
                Guard.HW_MAXIMAL_ISR,
                Guard.ACK_AFTER_HW,
                Guard.ACK_DUPLICATE_AFTER_HW,
                Guard.EXPAND_HW,
                Guard.FETCH_DIVERGENCE_FIRST,
                Guard.RESP_DIVERGENCE_FIRST)) {
            teeth.put(guard, new Tooth(SEEDS, PartitionTeeth::chaos));
        }
        teeth.put(Guard.EXPAND_EPOCH_START, told(PartitionTeeth::expandEpochStart));
        teeth.put(Guard.FETCH_LEADER_EPOCH, told(PartitionTeeth::fetchLeaderEpoch));
        teeth.put(Guard.PENDING_UNTIL_KNOWN, told(PartitionTeeth::pendingUntilKnown));
        teeth.put(Guard.APPLY_OLDER, told(PartitionTeeth::applyOlder));
        teeth.put(Guard.TRUNCATE_OWN_EPOCH, Tooth.story(PartitionTeeth::truncateOwnEpoch));
        teeth.put(Guard.MIN_ISR_APPEND, Tooth.story(PartitionTeeth::minIsrAppend));
        return teeth;
    }

    /** Three replicas, everything fails. */
    private static @Nullable String chaos(Guards guards, int seed) {
        return broken(() -> new ModelSchedule(seed, guards).run(STEPS));
    }

    private static Tooth told(Consumer<ModelCluster> story) {
        return Tooth.story(guards -> broken(() -> story.accept(new ModelCluster(guards))));
    }

    private static @Nullable String broken(Runnable run) {
        try {
            run.run();
            return null;
        } catch (ModelInvariants.Violation violation) {
            return name(String.valueOf(violation.getMessage()));
        }
    }

    /** KAFKA-7128: the high watermark of a new leader lags, so reaching it does not mean having what was acknowledged. */
    private static void expandEpochStart(ModelCluster cluster) {
        cluster.write(1);
        cluster.fetch(2);
        cluster.fetch(3);
        cluster.write(1);
        cluster.fetch(2);
        cluster.lag(1, 3);
        cluster.alter(1);
        cluster.fetchUnanswered(2); // Both records are acknowledged, which broker 2 does not learn.
        cluster.moveLeader(2);
        cluster.applyAll(1, 2, 3);
        cluster.fetchUnanswered(3);
        cluster.alter(2);
    }

    /** KIP-320: a fetch of an earlier epoch says what the follower held then, not what it holds. */
    private static void fetchLeaderEpoch(ModelCluster cluster) {
        cluster.write(1);
        cluster.fetch(3);
        cluster.ask(3); // Delayed.
        cluster.moveLeader(2);
        cluster.applyAll(2, 3);
        cluster.fetch(3); // Truncates: broker 2 does not have the record.
        cluster.moveLeader(1);
        cluster.applyAll(1, 2);
        cluster.deliverOldest();
        cluster.fetch(2);
        cluster.fetch(2);
    }

    /** The answer to an expansion is lost, and the retry is told only that it is stale. */
    private static void pendingUntilKnown(ModelCluster cluster) {
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.alter(1);
        cluster.applyNext(1);
        cluster.fetch(2);
        cluster.fetch(2);
        cluster.fetch(3);
        cluster.fetch(3);
        cluster.alterUnanswered(1); // Broker 3 is in the ISR now.
        cluster.alter(1);
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.fetch(2);
        cluster.fetch(2);
    }

    /** As above, with the answer that arrives, and behind it the record that it was the answer to before. */
    private static void applyOlder(ModelCluster cluster) {
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.alter(1); // Its record is not applied yet.
        cluster.fetch(2);
        cluster.fetch(2);
        cluster.fetch(3);
        cluster.fetch(3);
        cluster.alterUnanswered(1); // Broker 3 is in the ISR now.
        cluster.applyNext(1);
        cluster.write(1);
        cluster.lag(1, 3);
        cluster.fetch(2);
        cluster.fetch(2);
    }

    /** KIP-279: the leader's end of an epoch that the follower does not have; it is told the same for ever. */
    private static @Nullable String truncateOwnEpoch(Guards guards) {
        Fixture follower = Fixture.with(guards, Fixture.log(0, 1, 2, 3, 3)).follows(5);
        for (int round = 0; round < 5 && follower.view.epochAt(follower.view.logEnd() - 1) == 3; round++) {
            follower.step(follower.diverging(3, 2, 0));
        }
        return Tooth.when(follower.view.epochAt(follower.view.logEnd() - 1) == 3, Tooth.LIVENESS);
    }

    /** A duplicate of what was acknowledged before the ISR shrank: it waits, though the high watermark has passed it. */
    private static @Nullable String minIsrAppend(Guards guards) {
        Fixture leader = Fixture.with(guards, LogState.empty()).leads(1, 2);
        PartitionInput produce = Fixture.produce(Fixture.ALL, Fixture.batch(1, 7, 0, 0));
        leader.step(produce);
        leader.fetches(2, 1);
        leader.apply(1, 1, 2, 1);
        leader.core.apply(produce);
        return new PartitionInvariants()
                .check(leader.view).stream()
                        .map(PartitionTeeth::name)
                        .findFirst()
                        .orElse(null);
    }

    private static String name(String violated) {
        return violated.substring(0, violated.indexOf(':'));
    }
}
