package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.Assignments.Refusal;
import io.tidemark.core.controller.ControllerRequest.CreatePartitions.Growth;
import io.tidemark.core.controller.ControllerRequest.DeleteTopics.TopicSelector;
import io.tidemark.core.controller.ControllerResponse.CreatedPartitions.GrowthResult;
import io.tidemark.core.controller.ControllerResponse.DeletedTopics.DeletedTopic;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** DeleteTopics and CreatePartitions. */
final class TopicChanges {
    private final ControllerState state;

    TopicChanges(ControllerState state) {
        this.state = state;
    }

    Step<ControllerEffect> handleDeleteTopics(ControllerInput.HandleDeleteTopics input) {
        List<MetadataRecord> records = new ArrayList<>();
        List<DeletedTopic> answers = new ArrayList<>();
        TreeSet<UUID> deleted = new TreeSet<>();
        for (TopicSelector selector : input.request().topics()) {
            answers.add(delete(selector, deleted, records));
        }
        return state.decide(null, records, input.token(), new ControllerResponse.DeletedTopics(answers));
    }

    private DeletedTopic delete(TopicSelector selector, Set<UUID> deleted, List<MetadataRecord> records) {
        String name = selector.name();
        UUID id = selector.topicId();
        if (name != null && id == null) {
            TopicState topic = state.metadata.topic(name);
            return topic == null
                    ? failed(selector, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + name + "'")
                    : delete(selector, topic, deleted, records);
        } else if (id != null && name == null) {
            TopicState topic = state.metadata.topic(id);
            return topic == null
                    ? failed(selector, ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + id)
                    : delete(selector, topic, deleted, records);
        }
        return failed(selector, ErrorCode.INVALID_REQUEST, "a topic is named either by name or by id");
    }

    private static DeletedTopic delete(
            TopicSelector selector, TopicState topic, Set<UUID> deleted, List<MetadataRecord> records) {
        if (!deleted.add(topic.id())) {
            return failed(selector, ErrorCode.INVALID_REQUEST, "topic '" + topic.name() + "' is named more than once");
        }
        records.add(new MetadataRecord.RemoveTopic(topic.id()));
        return new DeletedTopic(topic.name(), topic.id(), ErrorCode.NONE, null);
    }

    private static DeletedTopic failed(TopicSelector selector, ErrorCode error, String message) {
        UUID id = selector.topicId();
        return new DeletedTopic(selector.name(), id == null ? TopicCreation.NO_ID : id, error, message);
    }

    Step<ControllerEffect> handleCreatePartitions(ControllerInput.HandleCreatePartitions input) {
        ControllerRequest.CreatePartitions request = input.request();
        List<MetadataRecord> records = new ArrayList<>();
        List<GrowthResult> answers = new ArrayList<>();
        Set<String> repeated = Duplicates.of(request.topics().stream().map(Growth::topic));
        for (Growth growth : request.topics()) {
            try {
                if (repeated.contains(growth.topic())) {
                    throw new Refusal(
                            ErrorCode.INVALID_REQUEST, "topic '" + growth.topic() + "' is named more than once");
                }
                records.addAll(grow(growth, request.placementStart(), records.size()));
                answers.add(result(growth, ErrorCode.NONE, null));
            } catch (Refusal refusal) {
                answers.add(result(growth, refusal.error, refusal.reason));
            }
        }
        return state.decide(
                null,
                request.validateOnly() ? List.of() : records,
                input.token(),
                new ControllerResponse.CreatedPartitions(answers));
    }

    private static GrowthResult result(Growth growth, ErrorCode error, @Nullable String message) {
        return new GrowthResult(growth.topic(), error, message);
    }

    private List<MetadataRecord> grow(Growth growth, int placementStart, int recordsSoFar) throws Refusal {
        TopicState topic = state.metadata.topic(growth.topic());
        if (topic == null) {
            throw new Refusal(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic '" + growth.topic() + "'");
        }
        int present = topic.partitions().size();
        if (growth.count() <= present) {
            throw new Refusal(
                    ErrorCode.INVALID_PARTITIONS,
                    "Topic '" + growth.topic() + "' has " + present + " partition(s); " + growth.count()
                            + " would not be an increase");
        }
        int added = growth.count() - present;
        TopicCreation.checkCount(added, recordsSoFar);
        List<List<Integer>> byHand = growth.assignments();
        if (byHand != null && byHand.size() != added) {
            throw new Refusal(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    added + " partition(s) to add, but " + byHand.size() + " assignment(s)");
        }
        Assignments assignments = new Assignments(state.metadata);
        List<PartitionRegistration> partitions = byHand == null
                ? assignments.place(present, added, topic.replicationFactor(), placementStart)
                : assignments.assigned(present, byHand, topic.replicationFactor());
        List<MetadataRecord> records = new ArrayList<>();
        for (int i = 0; i < added; i++) {
            records.add(new MetadataRecord.Partition(topic.id(), present + i, partitions.get(i)));
        }
        return records;
    }
}
