package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.Assignments.Refusal;
import io.tidemark.core.controller.ControllerRequest.NewTopic;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics.CreatedTopic;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** CreateTopics: each topic is judged by itself, those that can be had are created together. */
final class TopicCreation {
    /** Kafka's bound on what one request may add to the log. */
    static final int MAX_RECORDS = 10_000;

    static final UUID NO_ID = new UUID(0, 0);

    private final ControllerState state;

    TopicCreation(ControllerState state) {
        this.state = state;
    }

    Step<ControllerEffect> handleCreateTopics(ControllerInput.HandleCreateTopics input) {
        ControllerRequest.CreateTopics request = input.request();
        if (request.topicIds().size() < request.topics().size()) {
            return state.refuse(input.token(), ErrorCode.UNKNOWN_SERVER_ERROR, "fewer topic ids than topics");
        }
        List<MetadataRecord> records = new ArrayList<>();
        List<CreatedTopic> answers = new ArrayList<>();
        Set<String> repeated = Duplicates.of(request.topics().stream().map(NewTopic::name));
        SortedMap<String, String> unified = new TreeMap<>();
        state.metadata.topics().keySet().forEach(name -> unified.put(TopicNames.unified(name), name));
        int placementStart = request.placementStart();
        for (int i = 0; i < request.topics().size(); i++) {
            NewTopic topic = request.topics().get(i);
            try {
                checkName(topic.name(), repeated, unified);
                List<PartitionRegistration> partitions = partitions(topic, placementStart, records.size());
                answers.add(created(topic, request.topicIds().get(i), partitions, records));
                unified.put(TopicNames.unified(topic.name()), topic.name());
                placementStart += partitions.size();
            } catch (Refusal refusal) {
                answers.add(new CreatedTopic(
                        topic.name(), NO_ID, refusal.error, refusal.reason, -1, (short) -1, new TreeMap<>()));
            }
        }
        return state.decide(
                null,
                request.validateOnly() ? List.of() : records,
                input.token(),
                new ControllerResponse.CreatedTopics(answers));
    }

    private void checkName(String name, Set<String> repeated, SortedMap<String, String> unified) throws Refusal {
        if (repeated.contains(name)) {
            throw new Refusal(ErrorCode.INVALID_REQUEST, "Topic '" + name + "' is named more than once");
        }
        if (name.equals(TopicNames.METADATA_TOPIC)) {
            throw new Refusal(ErrorCode.INVALID_REQUEST, "Topic '" + name + "' is the cluster's own");
        }
        String problem = TopicNames.problem(name);
        if (problem != null) {
            throw new Refusal(ErrorCode.INVALID_TOPIC_EXCEPTION, problem);
        }
        if (state.metadata.topic(name) != null) {
            throw new Refusal(ErrorCode.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists.");
        }
        String collision = unified.get(TopicNames.unified(name));
        if (collision != null) {
            throw new Refusal(
                    ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic '" + name + "' collides with topic '" + collision + "'");
        }
    }

    private List<PartitionRegistration> partitions(NewTopic topic, int placementStart, int recordsSoFar)
            throws Refusal {
        checkConfigs(topic.configs());
        Assignments assignments = new Assignments(state.metadata);
        SortedMap<Integer, List<Integer>> byHand = topic.assignments();
        if (byHand != null && !byHand.isEmpty()) {
            if (topic.replicationFactor() != -1 || topic.partitions() != -1) {
                throw new Refusal(
                        ErrorCode.INVALID_REQUEST,
                        "With an assignment, the number of partitions and the replication factor must be -1");
            }
            if (byHand.firstKey() != 0 || byHand.lastKey() != byHand.size() - 1) {
                throw new Refusal(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "partitions should be a consecutive 0-based integer sequence");
            }
            checkCount(byHand.size(), recordsSoFar);
            return assignments.assigned(0, List.copyOf(byHand.values()), null);
        }
        if (topic.replicationFactor() < -1 || topic.replicationFactor() == 0) {
            throw new Refusal(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Replication factor must be larger than 0, or -1 for the default, not "
                            + topic.replicationFactor());
        }
        if (topic.partitions() < -1 || topic.partitions() == 0) {
            throw new Refusal(
                    ErrorCode.INVALID_PARTITIONS,
                    "Number of partitions must be larger than 0, or -1 for the default, not " + topic.partitions());
        }
        int count = topic.partitions() == -1 ? state.config.defaultPartitions() : topic.partitions();
        checkCount(count, recordsSoFar);
        int replicationFactor =
                topic.replicationFactor() == -1 ? state.config.defaultReplicationFactor() : topic.replicationFactor();
        return assignments.place(0, count, replicationFactor, placementStart);
    }

    static void checkCount(int partitions, int recordsSoFar) throws Refusal {
        if (partitions > MAX_RECORDS - recordsSoFar) {
            throw new Refusal(
                    ErrorCode.POLICY_VIOLATION, "One request may add at most " + MAX_RECORDS + " records to the log");
        }
    }

    private static void checkConfigs(SortedMap<String, @Nullable String> configs) throws Refusal {
        for (String key : configs.keySet()) {
            if (configs.get(key) == null) {
                throw new Refusal(ErrorCode.INVALID_CONFIG, "Topic config " + key + " has no value");
            }
            ConfigChanges.checkSize(key, configs.get(key));
        }
        String problem = TopicConfigs.problem(configs);
        if (problem != null) {
            throw new Refusal(ErrorCode.INVALID_CONFIG, problem);
        }
    }

    private CreatedTopic created(
            NewTopic topic, UUID id, List<PartitionRegistration> partitions, List<MetadataRecord> records) {
        records.add(new MetadataRecord.Topic(topic.name(), id));
        topic.configs()
                .forEach((key, value) ->
                        records.add(new MetadataRecord.Config(MetadataRecord.Config.TOPIC, topic.name(), key, value)));
        for (int partition = 0; partition < partitions.size(); partition++) {
            records.add(new MetadataRecord.Partition(id, partition, partitions.get(partition)));
        }
        TreeMap<String, String> effective = new TreeMap<>();
        TopicConfigs.all()
                .keySet()
                .forEach(key -> effective.put(
                        key,
                        TopicConfigs.resolve(state.metadata, topic.configs(), key)
                                .value()));
        short replicationFactor = (short) partitions.get(0).replicas().size();
        return new CreatedTopic(
                topic.name(), id, ErrorCode.NONE, null, partitions.size(), replicationFactor, effective);
    }
}
