package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.change;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.TopicAndPartition;
import io.tidemark.core.controller.ControllerResponse.ElectedLeaders.ElectionResult;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** HandleElectLeaders, and the elections that timers make. */
class HandleElectLeadersTest {
    /** Broker 2 leads, broker 1 is preferred, back in the ISR. */
    private static ControllerHarness ledByTheSecond(String... topics) {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        for (String topic : topics) {
            harness.topic(topic, 1, 2, 3);
        }
        harness.sessionTimeout(1);
        harness.heartbeat(1);
        for (String topic : topics) {
            harness.request(harness.alter(id(topic), 1, 2, 3));
        }
        return harness;
    }

    private static TopicPartition id(String topic) {
        return new TopicPartition(new java.util.UUID(7, topic.hashCode()), 0);
    }

    private static Step<ControllerEffect> elect(ControllerHarness harness, boolean unclean, String... topics) {
        List<TopicAndPartition> partitions = topics.length == 0
                ? null
                : java.util.Arrays.stream(topics)
                        .map(topic -> new TopicAndPartition(topic, 0))
                        .toList();
        return harness.request(new ControllerRequest.ElectLeaders(unclean, partitions));
    }

    private static List<ElectionResult> results(Step<ControllerEffect> step) {
        return ((ControllerResponse.ElectedLeaders) response(step)).results();
    }

    @Test
    void thePreferredLeaderTakesOver() {
        ControllerHarness harness = ledByTheSecond("t");

        Step<ControllerEffect> step = elect(harness, false, "t");

        assertThat(step.action()).isEqualTo(SpecAction.HandleElectLeaders);
        assertThat(appended(step)).containsExactly(change(id("t"), null, 1, null, null, null));
        assertThat(harness.part(id("t")).leaderEpoch()).isEqualTo(2);
        assertThat(results(step)).containsExactly(new ElectionResult("t", 0, ErrorCode.NONE, null));
    }

    @Test
    void whatNeedsNoElectionOrCanNotHaveOneSaysSo() {
        ControllerHarness harness = ledByTheSecond("t");
        harness.sessionTimeout(1);

        assertThat(results(elect(harness, false, "t")).get(0).error())
                .isEqualTo(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE);
        assertThat(results(elect(harness, true, "t")).get(0).error()).isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
        assertThat(results(elect(harness, false, "x")).get(0).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void forAllPartitionsOnlyThoseThatNeedOneAreNamed() {
        ControllerHarness harness = ledByTheSecond("t", "u");
        elect(harness, false, "u");

        Step<ControllerEffect> step = elect(harness, false);

        assertThat(results(step)).containsExactly(new ElectionResult("t", 0, ErrorCode.NONE, null));
    }

    @Test
    void anUncleanElectionThatIsAskedForTakesAnyActiveReplica() {
        ControllerHarness harness = ControllerHarness.running(false, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.request(harness.alter(id, 1));
        harness.sessionTimeout(1);

        Step<ControllerEffect> step = elect(harness, true, "t", "t");

        assertThat(appended(step)).containsExactly(change(id, List.of(2), 2, null, null, LeaderRecovery.RECOVERING));
        assertThat(results(step))
                .extracting(ElectionResult::error)
                .containsExactly(ErrorCode.NONE, ErrorCode.ELECTION_NOT_NEEDED);
    }

    @Test
    void withNobodyActiveThereIsNoUncleanLeader() {
        ControllerHarness harness = ControllerHarness.running(false, 1);
        harness.topic("t", 1);
        harness.sessionTimeout(1);

        assertThat(results(elect(harness, true, "t")).get(0).error())
                .isEqualTo(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE);
    }

    @Test
    void thePreferredLeaderTimerBalancesWhatItCan() {
        ControllerHarness harness = ledByTheSecond("t", "u");

        Step<ControllerEffect> step = harness.apply(new ControllerInput.PreferredLeaderTimeout());

        assertThat(step.action()).isEqualTo(SpecAction.PreferredLeaderTimeout);
        assertThat(appended(step))
                .containsExactly(
                        change(id("t"), null, 1, null, null, null), change(id("u"), null, 1, null, null, null));
        assertThat(harness.apply(new ControllerInput.PreferredLeaderTimeout())).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void theUncleanTimerElectsWhereTheTopicAllowsIt() {
        ControllerHarness harness = ControllerHarness.running(false, 3);
        TopicPartition allowed = harness.topic("a", 1, 2, 3);
        TopicPartition not = harness.topic("b", 1, 2, 3);
        harness.request(harness.alter(allowed, 1));
        harness.request(harness.alter(not, 1));
        harness.sessionTimeout(1);
        assertThat(harness.apply(new ControllerInput.UncleanElectionTimeout())).isEqualTo(Step.stutter(List.of()));
        harness.request(new ControllerRequest.AlterConfigs(
                List.of(new ControllerRequest.ConfigChange(
                        (byte) 2,
                        "a",
                        List.of(new ControllerRequest.ConfigOp(
                                "unclean.leader.election.enable", ControllerRequest.ConfigOp.Op.SET, "true")))),
                false));

        Step<ControllerEffect> step = harness.apply(new ControllerInput.UncleanElectionTimeout());

        assertThat(step.action()).isEqualTo(SpecAction.UncleanElectionTimeout);
        assertThat(appended(step))
                .containsExactly(change(allowed, List.of(2), 2, null, null, LeaderRecovery.RECOVERING));
        assertThat(harness.part(not).leader()).isEqualTo(-1);
    }

    @Test
    void aTimerElectsAtMostAThousandAndGoesOnByItself() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        java.util.TreeMap<Integer, List<Integer>> assignments = new java.util.TreeMap<>();
        for (int partition = 0; partition < 1_001; partition++) {
            assignments.put(partition, List.of(1, 2));
        }
        harness.request(new ControllerRequest.CreateTopics(
                List.of(new ControllerRequest.NewTopic(
                        "many", -1, (short) -1, assignments, new java.util.TreeMap<>(Map.of()))),
                false,
                List.of(new java.util.UUID(1, 1)),
                0));
        harness.sessionTimeout(1);
        harness.heartbeat(1);
        List<ControllerRequest.AlterPartition.PartitionItem> items = new java.util.ArrayList<>();
        for (int partition = 0; partition < 1_001; partition++) {
            TopicPartition id = new TopicPartition(new java.util.UUID(1, 1), partition);
            items.addAll(harness.alter(id, 1, 2).partitions());
        }
        harness.request(new ControllerRequest.AlterPartition(2, harness.epoch(2), items));

        Step<ControllerEffect> step = harness.apply(new ControllerInput.PreferredLeaderTimeout());

        assertThat(appended(step)).hasSize(1_000);
        assertThat(step.effects())
                .last()
                .isEqualTo(new ControllerEffect.Self(new ControllerInput.PreferredLeaderTimeout()));
        assertThat(appended(harness.apply(new ControllerInput.PreferredLeaderTimeout())))
                .hasSize(1);
    }
}
