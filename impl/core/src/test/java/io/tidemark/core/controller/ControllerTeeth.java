package io.tidemark.core.controller;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Tooth;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What breaks without a guard of the controller alone. */
public final class ControllerTeeth {
    private static final int SEEDS = 20;

    private ControllerTeeth() {}

    public static Map<Guard, Tooth> all() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        for (Guard guard : List.of(Guard.ELECT_ACTIVE, Guard.AP_FENCED_MEMBERS)) {
            teeth.put(guard, new Tooth(SEEDS, ControllerScheduleTest::broken));
        }
        teeth.put(Guard.AP_LEADER_EPOCH, Tooth.story(guards -> takesIsr(guards, -1, 0, LeaderRecovery.RECOVERED)));
        teeth.put(Guard.AP_SENDER_EPOCH, Tooth.story(guards -> takesIsr(guards, 0, -1, LeaderRecovery.RECOVERED)));
        teeth.put(Guard.AP_RECOVERING, Tooth.story(guards -> takesIsr(guards, 0, 0, LeaderRecovery.RECOVERING)));
        return teeth;
    }

    /** Whether the leader's request for the ISR {1, 2} is granted, with epochs off by this much. */
    private static @Nullable String takesIsr(Guards guards, int leaderEpoch, int brokerEpoch, LeaderRecovery recovery) {
        ControllerHarness harness = ControllerHarness.running(true, 3, guards);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(1);
        harness.heartbeat(1);
        PartitionRegistration part = harness.part(id);
        AlterPartitionAsked asked = new AlterPartitionAsked(
                part.leaderEpoch() + leaderEpoch, part.partitionEpoch(), harness.members(2), recovery);
        ControllerRequest.AlterPartition good = harness.alter(part.leader(), id, asked);
        harness.request(new ControllerRequest.AlterPartition(
                good.brokerId(), good.brokerEpoch() + brokerEpoch, good.partitions()));
        return Tooth.when(!harness.part(id).equals(part), Tooth.NONE);
    }
}
