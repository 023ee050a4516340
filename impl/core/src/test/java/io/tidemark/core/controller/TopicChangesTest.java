package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.CreatePartitions.Growth;
import io.tidemark.core.controller.ControllerRequest.DeleteTopics.TopicSelector;
import io.tidemark.core.controller.ControllerResponse.CreatedPartitions.GrowthResult;
import io.tidemark.core.controller.ControllerResponse.DeletedTopics.DeletedTopic;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TopicChangesTest {
    @Test
    void topicsAreDeletedByNameAndById() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        TopicPartition a = harness.topic("a", 1);
        TopicPartition b = harness.topic("b", 1);

        Step<ControllerEffect> step = harness.request(new ControllerRequest.DeleteTopics(
                List.of(new TopicSelector("a", null), new TopicSelector(null, b.topicId()))));

        assertThat(appended(step))
                .containsExactly(
                        new MetadataRecord.RemoveTopic(a.topicId()), new MetadataRecord.RemoveTopic(b.topicId()));
        assertThat(((ControllerResponse.DeletedTopics) response(step)).topics())
                .containsExactly(
                        new DeletedTopic("a", a.topicId(), ErrorCode.NONE, null),
                        new DeletedTopic("b", b.topicId(), ErrorCode.NONE, null));
        assertThat(harness.metadata.topics()).isEmpty();
        assertThat(harness.metadata.replicatedBy(1)).isEmpty();
    }

    @Test
    void whatIsNotThereOrNamedTwiceIsRefused() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        TopicPartition a = harness.topic("a", 1);

        Step<ControllerEffect> step = harness.request(new ControllerRequest.DeleteTopics(List.of(
                new TopicSelector("x", null),
                new TopicSelector(null, new UUID(3, 3)),
                new TopicSelector(null, null),
                new TopicSelector("a", null),
                new TopicSelector(null, a.topicId()))));

        assertThat(((ControllerResponse.DeletedTopics) response(step)).topics())
                .extracting(DeletedTopic::error)
                .containsExactly(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        ErrorCode.UNKNOWN_TOPIC_ID,
                        ErrorCode.INVALID_REQUEST,
                        ErrorCode.NONE,
                        ErrorCode.INVALID_REQUEST);
        assertThat(appended(step)).hasSize(1);
    }

    private static Step<ControllerEffect> grow(ControllerHarness harness, Growth... growths) {
        return harness.request(new ControllerRequest.CreatePartitions(List.of(growths), false, 0));
    }

    private static ErrorCode error(Step<ControllerEffect> step) {
        List<GrowthResult> results = ((ControllerResponse.CreatedPartitions) response(step)).topics();
        return results.get(0).error();
    }

    @Test
    void partitionsAreAddedBehindThosePresent() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2);

        Step<ControllerEffect> step = grow(harness, new Growth("t", 3, null));

        assertThat(appended(step))
                .extracting(record -> ((MetadataRecord.Partition) record).partition())
                .containsExactly(1, 2);
        assertThat(harness.part(new TopicPartition(id.topicId(), 2)).replicas()).hasSize(2);
        grow(harness, new Growth("t", 4, List.of(List.of(3, 1))));
        assertThat(harness.part(new TopicPartition(id.topicId(), 3)).replicas()).containsExactly(3, 1);
    }

    @Test
    void whatCanNotGrowIsRefused() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.topic("t", 1, 2);

        assertThat(error(grow(harness, new Growth("x", 2, null)))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(grow(harness, new Growth("t", 1, null)))).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(error(grow(harness, new Growth("t", 0, null)))).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(error(grow(harness, new Growth("t", 20_000, null)))).isEqualTo(ErrorCode.POLICY_VIOLATION);
        assertThat(error(grow(harness, new Growth("t", 3, List.of(List.of(1, 2))))))
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(error(grow(harness, new Growth("t", 2, List.of(List.of(1))))))
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(error(grow(harness, new Growth("t", 2, null), new Growth("t", 3, null))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        harness.sessionTimeout(1);
        harness.sessionTimeout(2);
        assertThat(error(grow(harness, new Growth("t", 2, null)))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
    }
}
