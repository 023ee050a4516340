package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.assertRefused;
import static io.tidemark.core.controller.ControllerHarness.incarnation;
import static io.tidemark.core.controller.ControllerHarness.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataRecord.FeatureLevel;
import io.tidemark.core.metadata.MetadataState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Terms, answers, and batches larger than one. */
class ControllerCoreTest {
    @Test
    void onEmptyMetadataTheFirstRecordsAreTheFeatureLevels() {
        ControllerHarness harness = new ControllerHarness(true, Guards.ALL, Map.of("min.insync.replicas", "2"));

        assertThat(harness.log)
                .containsExactly(
                        new FeatureLevel(MetadataState.ELR_FEATURE, (short) 1),
                        new FeatureLevel("metadata.version", (short) 27),
                        new Config(Config.BROKER, "", "min.insync.replicas", "2"));
        assertThat(harness.core.view().metaLogEnd()).isEqualTo(4);
    }

    @Test
    void aSuccessorGivesEveryUnfencedBrokerAFreshSession() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        harness.sessionTimeout(2);
        ControllerCore next = new ControllerCore(harness.config(), harness.metadata.copy());

        Step<ControllerEffect> step = next.apply(new ControllerInput.Activate(2, 50));

        assertThat(step)
                .isEqualTo(
                        Step.stutter(List.of(new ControllerEffect.SetSession(1), new ControllerEffect.SetSession(3))));
        assertThat(next.view().metaLogEnd()).isEqualTo(50);
        assertThat(next.view().metaHw()).isEqualTo(50);
    }

    @Test
    void whoIsNotActiveRefusesEverything() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        assertThat(harness.apply(new ControllerInput.Deactivate()))
                .isEqualTo(Step.stutter(List.of(new ControllerEffect.CancelSession(1))));

        Step<ControllerEffect> step = harness.heartbeat(1);

        assertRefused(step, ErrorCode.NOT_CONTROLLER);
        assertThat(reply(step).requires()).isEqualTo(Requires.NOTHING);
        assertThat(harness.sessionTimeout(1)).isEqualTo(Step.stutter(List.of()));
        assertThat(harness.apply(new ControllerInput.PreferredLeaderTimeout())).isEqualTo(Step.stutter(List.of()));
        assertThat(harness.apply(new ControllerInput.UncleanElectionTimeout())).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void anOldEpochCanNotBecomeActive() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        ControllerCore next = new ControllerCore(harness.config(), harness.metadata.copy());

        assertThatThrownBy(() -> next.apply(new ControllerInput.Activate(1, 2)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> harness.apply(new ControllerInput.Activate(2, 99)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void answersWaitForWhatTheyMayDependOn() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("t", 1);
        long end = harness.core.view().metaLogEnd();

        // Nothing is appended, but "exists already" is true only once the topic is committed.
        Step<ControllerEffect> step = harness.request(new ControllerRequest.CreateTopics(
                List.of(new ControllerRequest.NewTopic("t", 1, (short) 1, null, new TreeMap<>())),
                false,
                List.of(new UUID(1, 1)),
                0));

        assertThat(reply(step).requires()).isEqualTo(new Requires.Committed(end));
    }

    @Test
    void withoutTheGuardAnswersLeaveAtOnce() {
        ControllerHarness harness =
                ControllerHarness.running(true, 1, Guards.without(Guard.CONTROLLER_COMMITTED_ANSWERS));

        assertThat(reply(harness.heartbeat(1)).requires()).isEqualTo(Requires.NOTHING);
    }

    @Test
    void theHighWatermarkOnlyRises() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        long end = harness.core.view().metaLogEnd();

        assertThat(harness.apply(new ControllerInput.CommitMetadata(end)))
                .isEqualTo(Step.of(SpecAction.CommitMetadata, List.of()));
        assertThat(harness.apply(new ControllerInput.CommitMetadata(end - 1))).isEqualTo(Step.stutter(List.of()));
        assertThat(harness.core.view().metaHw()).isEqualTo(end);
    }

    @Test
    void aDecisionAboveTheBatchLimitIsATransaction() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        List<String> topics = List.of("a", "b", "c");
        for (String topic : topics) {
            TreeMap<Integer, List<Integer>> assignments = new TreeMap<>();
            for (int partition = 0; partition < 4_000; partition++) {
                assignments.put(partition, List.of(1, 2));
            }
            harness.request(new ControllerRequest.CreateTopics(
                    List.of(new ControllerRequest.NewTopic(topic, -1, (short) -1, assignments, new TreeMap<>())),
                    false,
                    List.of(new UUID(1, topic.hashCode())),
                    0));
        }
        long end = harness.core.view().metaLogEnd();

        Step<ControllerEffect> step = harness.sessionTimeout(1);

        List<MetadataRecord> records = appended(step);
        assertThat(records).hasSize(12_003);
        assertThat(records.get(0)).isInstanceOf(MetadataRecord.BeginTransaction.class);
        assertThat(records.get(12_002)).isInstanceOf(MetadataRecord.EndTransaction.class);
        List<ControllerEffect.Append> batches = new ArrayList<>();
        step.effects().forEach(effect -> batches.add((ControllerEffect.Append) effect));
        assertThat(batches).extracting(ControllerEffect.Append::baseOffset).containsExactly(end, end + 10_000);
        assertThat(harness.metadata.ledBy(2)).hasSize(12_000);
        harness.register(1, incarnation(1, 2), -1);
        assertThat(harness.metadata.registrationOffset(1)).isEqualTo(harness.epoch(1));
    }

    @Test
    void aBrokerEpochIsTheRegistrationsOffsetInATransactionToo() {
        ControllerHarness harness = ControllerHarness.running(true, 2, Guards.without(Guard.REGISTRATION_INCARNATION));
        for (int topic = 0; topic < 2; topic++) {
            TreeMap<Integer, List<Integer>> assignments = new TreeMap<>();
            for (int partition = 0; partition < 6_000; partition++) {
                assignments.put(partition, List.of(1, 2));
            }
            harness.request(new ControllerRequest.CreateTopics(
                    List.of(new ControllerRequest.NewTopic("t" + topic, -1, (short) -1, assignments, new TreeMap<>())),
                    false,
                    List.of(new UUID(1, topic)),
                    0));
        }

        harness.register(1, incarnation(1, 2), -1);

        assertThat(harness.metadata.registrationOffset(1)).isEqualTo(harness.epoch(1));
    }

    @Test
    void aTransactionThatAPredecessorLeftOpenIsAborted() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        MetadataState committed = harness.metadata.copy();
        long end = committed.appliedOffset() + 1;
        committed.apply(end, new MetadataRecord.BeginTransaction(null));
        committed.apply(end + 1, new MetadataRecord.Topic("half", new UUID(1, 1)));
        ControllerCore next = new ControllerCore(harness.config(), committed);

        Step<ControllerEffect> step = next.apply(new ControllerInput.Activate(2, end + 3));

        assertThat(appended(step)).hasSize(1).first().isInstanceOf(MetadataRecord.AbortTransaction.class);
        assertThat(next.view().metadata().topics()).isEmpty();
        assertThat(next.view().metadata().inTransaction()).isFalse();
    }
}
