package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.directory;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.NewTopic;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics.CreatedTopic;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleCreateTopicsTest {
    private static NewTopic topic(String name, int partitions, int replicationFactor) {
        return new NewTopic(name, partitions, (short) replicationFactor, null, new TreeMap<>());
    }

    private static NewTopic assigned(String name, Map<Integer, List<Integer>> assignments) {
        return new NewTopic(name, -1, (short) -1, new TreeMap<>(assignments), new TreeMap<>());
    }

    private static NewTopic configured(String name, String key, String value) {
        return new NewTopic(name, 1, (short) 1, null, new TreeMap<>(Collections.singletonMap(key, value)));
    }

    private static Step<ControllerEffect> create(ControllerHarness harness, NewTopic... topics) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < topics.length; i++) {
            ids.add(new UUID(harness.log.size(), i));
        }
        return harness.request(new ControllerRequest.CreateTopics(List.of(topics), false, ids, 0));
    }

    private static CreatedTopic first(Step<ControllerEffect> step) {
        return ((ControllerResponse.CreatedTopics) response(step)).topics().get(0);
    }

    private static ErrorCode error(Step<ControllerEffect> step) {
        assertThat(appended(step)).isEmpty();
        return first(step).error();
    }

    private static PartitionRegistration fresh(Integer... replicas) {
        return new PartitionRegistration(
                Arrays.asList(replicas),
                Arrays.stream(replicas).map(ControllerHarness::directory).toList(),
                Arrays.asList(replicas),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                replicas[0],
                LeaderRecovery.RECOVERED,
                0,
                0);
    }

    @Test
    void topicConfigsAndPartitionsAreOneBatch() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        NewTopic topic = new NewTopic("t", 3, (short) 2, null, new TreeMap<>(Map.of("retention.ms", "5")));

        UUID id = new UUID(harness.log.size(), 0);
        Step<ControllerEffect> step = create(harness, topic);

        assertThat(step.action()).isNull();
        assertThat(appended(step))
                .containsExactly(
                        new MetadataRecord.Topic("t", id),
                        new MetadataRecord.Config((byte) 2, "t", "retention.ms", "5"),
                        new MetadataRecord.Partition(id, 0, fresh(1, 2)),
                        new MetadataRecord.Partition(id, 1, fresh(2, 3)),
                        new MetadataRecord.Partition(id, 2, fresh(3, 1)));
        CreatedTopic created = first(step);
        assertThat(created.numPartitions()).isEqualTo(3);
        assertThat(created.replicationFactor()).isEqualTo((short) 2);
        assertThat(created.configs()).containsEntry("retention.ms", "5").containsEntry("min.insync.replicas", "2");
        assertThat(directory(1)).isEqualTo(harness.broker(1).directories().get(0));
    }

    @Test
    void minusOneMeansTheDefault() {
        ControllerHarness harness = ControllerHarness.running(true, 3);

        CreatedTopic created = first(create(harness, topic("t", -1, -1)));

        assertThat(created.numPartitions()).isEqualTo(3);
        assertThat(created.replicationFactor()).isEqualTo((short) 2);
    }

    @Test
    void fencedBrokersAreNotInTheIsr() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        harness.sessionTimeout(2);

        Step<ControllerEffect> step = create(harness, topic("t", 1, 3));

        PartitionRegistration partition =
                ((MetadataRecord.Partition) appended(step).get(1)).registration();
        assertThat(partition.replicas()).containsExactly(1, 3, 2);
        assertThat(partition.isr()).containsExactly(1, 3);
    }

    @Test
    void namesAreCheckedAsKafkaDoes() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("a.b", 1);

        for (String bad : List.of("", ".", "..", "x".repeat(250), "a b", "ä")) {
            assertThat(error(create(harness, topic(bad, 1, 1)))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        }
        assertThat(error(create(harness, topic("a_b", 1, 1)))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(error(create(harness, topic("a.b", 1, 1)))).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
        assertThat(error(create(harness, topic("__cluster_metadata", 1, 1)))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(create(harness, topic("t", 1, 1), topic("t", 1, 1)))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(first(create(harness, topic("x".repeat(249), 1, 1))).error()).isEqualTo(ErrorCode.NONE);
        Step<ControllerEffect> collide = create(harness, topic("c.d", 1, 1), topic("c_d", 1, 1));
        assertThat(((ControllerResponse.CreatedTopics) response(collide)).topics())
                .extracting(CreatedTopic::error)
                .containsExactly(ErrorCode.NONE, ErrorCode.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void countsAreChecked() {
        ControllerHarness harness = ControllerHarness.running(true, 2);

        assertThat(error(create(harness, topic("t", 0, 1)))).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(error(create(harness, topic("t", 1, 0)))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(error(create(harness, topic("t", 1, 3)))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(error(create(harness, topic("t", 10_001, 1)))).isEqualTo(ErrorCode.POLICY_VIOLATION);
        harness.sessionTimeout(1);
        harness.sessionTimeout(2);
        assertThat(error(create(harness, topic("t", 1, 1)))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void configsAreChecked() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        assertThat(error(create(harness, configured("t", "retention.ms", "soon"))))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(create(harness, configured("t", "no.such", "1")))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(create(harness, configured("t", "retention.ms", null))))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void assignmentsAreChecked() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        ErrorCode bad = ErrorCode.INVALID_REPLICA_ASSIGNMENT;

        assertThat(error(create(harness, assigned("t", Map.of(0, List.of(1, 9))))))
                .isEqualTo(bad);
        assertThat(error(create(harness, assigned("t", Map.of(0, List.of(1, 1))))))
                .isEqualTo(bad);
        assertThat(error(create(harness, assigned("t", Map.of(0, List.of()))))).isEqualTo(bad);
        assertThat(error(create(harness, assigned("t", Map.of(1, List.of(1)))))).isEqualTo(bad);
        assertThat(error(create(harness, assigned("t", Map.of(0, List.of(1), 1, List.of(1, 2))))))
                .isEqualTo(bad);
        harness.sessionTimeout(3);
        assertThat(error(create(harness, assigned("t", Map.of(0, List.of(3)))))).isEqualTo(bad);
        NewTopic both = new NewTopic("t", 1, (short) -1, new TreeMap<>(Map.of(0, List.of(1))), new TreeMap<>());
        assertThat(error(create(harness, both))).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void oneBadTopicDoesNotStopTheOthers() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        UUID second = new UUID(harness.log.size(), 1);
        Step<ControllerEffect> step = create(harness, topic("..", 1, 1), topic("ok", 1, 1));

        assertThat(appended(step)).hasSize(2);
        assertThat(harness.metadata.topic("ok").id()).isEqualTo(second);
    }

    @Test
    void validateOnlyCreatesNothing() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        Step<ControllerEffect> step = harness.request(
                new ControllerRequest.CreateTopics(List.of(topic("t", 2, 1)), true, List.of(new UUID(1, 1)), 0));

        assertThat(appended(step)).isEmpty();
        assertThat(first(step).numPartitions()).isEqualTo(2);
    }
}
