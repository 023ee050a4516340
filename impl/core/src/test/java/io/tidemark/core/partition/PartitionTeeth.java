package io.tidemark.core.partition;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Tooth;
import io.tidemark.core.log.LogState;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What breaks in one replica alone without a guard of it. Those that need more than one: {@code StoryTeeth}. */
public final class PartitionTeeth {
    private PartitionTeeth() {}

    public static Map<Guard, Tooth> all() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        teeth.put(Guard.TRUNCATE_OWN_EPOCH, Tooth.story(PartitionTeeth::truncateOwnEpoch));
        teeth.put(Guard.EXPAND_BROKER_EPOCH, Tooth.story(PartitionTeeth::expandBrokerEpoch));
        teeth.put(Guard.MIN_ISR_APPEND, Tooth.story(PartitionTeeth::minIsrAppend));
        return teeth;
    }

    /** KIP-279: the leader's end of an epoch that the follower does not have; it is told the same for ever. */
    private static @Nullable String truncateOwnEpoch(Guards guards) {
        Fixture follower = Fixture.with(guards, Fixture.log(0, 1, 2, 3, 3)).follows(5);
        for (int round = 0; round < 5 && follower.view.epochAt(follower.view.logEnd() - 1) == 3; round++) {
            follower.step(follower.diverging(3, 2, 0));
        }
        return Tooth.when(follower.view.epochAt(follower.view.logEnd() - 1) == 3, Tooth.LIVENESS);
    }

    /** The follower fetches in a life whose registration the leader has yet to apply; the controller would refuse too. */
    private static @Nullable String expandBrokerEpoch(Guards guards) {
        Fixture leader = Fixture.with(guards, LogState.empty()).leads(1, 3);
        boolean proposes = leader.core.apply(Fixture.fetch(2, 202, 1, 0, -1)).effects().stream()
                .anyMatch(PartitionEffect.Self.class::isInstance);
        return Tooth.when(proposes, Tooth.NONE);
    }

    /**
     * A duplicate of what was acknowledged before the ISR shrank. Not refused, it finds the maximal ISR short ({@link
     * AckRule}'s row that else cannot be) and waits, though the high watermark has passed it.
     */
    private static @Nullable String minIsrAppend(Guards guards) {
        Fixture leader = Fixture.with(guards, LogState.empty()).leads(1, 2);
        PartitionInput produce = Fixture.produce(Fixture.ALL, Fixture.batch(1, 7, 0, 0));
        leader.step(produce);
        leader.fetches(2, 1);
        leader.apply(1, 1, 2, 1);
        leader.core.apply(produce);
        return new PartitionInvariants()
                .check(leader.view).stream()
                        .map(violated -> violated.substring(0, violated.indexOf(':')))
                        .findFirst()
                        .orElse(null);
    }
}
