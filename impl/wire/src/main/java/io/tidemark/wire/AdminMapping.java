package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest.CreatePartitions;
import io.tidemark.core.controller.ControllerRequest.CreateTopics;
import io.tidemark.core.controller.ControllerRequest.DeleteTopics;
import io.tidemark.core.controller.ControllerRequest.DeleteTopics.TopicSelector;
import io.tidemark.core.controller.ControllerRequest.NewTopic;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerResponse.CreatedPartitions;
import io.tidemark.core.controller.ControllerResponse.CreatedPartitions.GrowthResult;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics.CreatedTopic;
import io.tidemark.core.controller.ControllerResponse.DeletedTopics;
import io.tidemark.core.controller.ControllerResponse.DeletedTopics.DeletedTopic;
import io.tidemark.core.controller.ControllerResponse.Refused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.jspecify.annotations.Nullable;

/**
 * CreateTopics, DeleteTopics, CreatePartitions. A topic named twice in one request is kept from the controller and answered
 * INVALID_REQUEST here, as Kafka does. Topic ids and the start of the placement are not on the wire: the runtime of the
 * active controller draws them.
 */
final class AdminMapping {
    private static final byte TOPIC_SOURCE = 1;
    private static final byte DEFAULT_SOURCE = 5;
    private static final String DUPLICATE = "Duplicate topic name.";

    private AdminMapping() {}

    static CreateTopicsRequestData request(CreateTopics create, int timeoutMs) {
        CreateTopicsRequestData request =
                new CreateTopicsRequestData().setTimeoutMs(timeoutMs).setValidateOnly(create.validateOnly());
        for (NewTopic topic : create.topics()) {
            CreateTopicsRequestData.CreatableTopic kafka = new CreateTopicsRequestData.CreatableTopic()
                    .setName(topic.name())
                    .setNumPartitions(topic.partitions())
                    .setReplicationFactor(topic.replicationFactor());
            SortedMap<Integer, List<Integer>> assignments = topic.assignments();
            if (assignments != null) {
                assignments.forEach((partition, brokers) -> kafka.assignments()
                        .add(new CreateTopicsRequestData.CreatableReplicaAssignment()
                                .setPartitionIndex(partition)
                                .setBrokerIds(brokers)));
            }
            topic.configs()
                    .forEach((name, value) -> kafka.configs()
                            .add(new CreateTopicsRequestData.CreatableTopicConfig()
                                    .setName(name)
                                    .setValue(value)));
            request.topics().add(kafka);
        }
        return request;
    }

    static CreateTopics neutral(CreateTopicsRequestData request) {
        Set<String> twice = twice(request.topics(), CreateTopicsRequestData.CreatableTopic::name);
        List<NewTopic> topics = new ArrayList<>();
        for (CreateTopicsRequestData.CreatableTopic topic : request.topics()) {
            if (twice.contains(topic.name())) {
                continue;
            }
            SortedMap<Integer, List<Integer>> assignments = null;
            if (!topic.assignments().isEmpty()) {
                assignments = new TreeMap<>();
                for (CreateTopicsRequestData.CreatableReplicaAssignment assignment : topic.assignments()) {
                    // A partition that is named twice gets no replicas, which the controller refuses.
                    assignments.merge(
                            assignment.partitionIndex(),
                            List.copyOf(assignment.brokerIds()),
                            (first, second) -> List.of());
                }
            }
            SortedMap<String, String> configs = new TreeMap<>();
            topic.configs().forEach(config -> configs.put(config.name(), config.value()));
            topics.add(
                    new NewTopic(topic.name(), topic.numPartitions(), topic.replicationFactor(), assignments, configs));
        }
        return new CreateTopics(topics, request.validateOnly(), List.of(), 0);
    }

    static CreateTopicsResponseData answer(CreateTopicsRequestData request, ControllerResponse response) {
        CreateTopicsResponseData answer = new CreateTopicsResponseData()
                .setTopics(new CreateTopicsResponseData.CreatableTopicResultCollection(
                        KeyScan.withoutRehash(request.topics().size())));
        Set<String> twice = twice(request.topics(), CreateTopicsRequestData.CreatableTopic::name);
        for (String name : twice) {
            answer.topics().add(created(name, ErrorCode.INVALID_REQUEST, DUPLICATE));
        }
        if (response instanceof CreatedTopics created) {
            created.topics().forEach(topic -> answer.topics().add(created(request, topic)));
        } else {
            Refused refused = refusal(response);
            for (String name : distinct(request.topics(), CreateTopicsRequestData.CreatableTopic::name, twice)) {
                answer.topics().add(created(name, refused.error(), refused.message()));
            }
        }
        return answer;
    }

    private static CreateTopicsResponseData.CreatableTopicResult created(
            String name, ErrorCode error, @Nullable String message) {
        return new CreateTopicsResponseData.CreatableTopicResult()
                .setName(name)
                .setErrorCode(error.code())
                .setErrorMessage(message);
    }

    private static CreateTopicsResponseData.CreatableTopicResult created(
            CreateTopicsRequestData request, CreatedTopic topic) {
        CreateTopicsResponseData.CreatableTopicResult result = created(topic.name(), topic.error(), topic.message());
        if (topic.error() != ErrorCode.NONE) {
            return result;
        }
        CreateTopicsRequestData.CreatableTopic asked = request.topics().find(topic.name());
        List<CreateTopicsResponseData.CreatableTopicConfigs> configs = new ArrayList<>();
        topic.configs()
                .forEach((name, value) -> configs.add(new CreateTopicsResponseData.CreatableTopicConfigs()
                        .setName(name)
                        .setValue(value)
                        .setConfigSource(
                                asked != null && asked.configs().find(name) != null ? TOPIC_SOURCE : DEFAULT_SOURCE)));
        return result.setTopicId(Ids.kafka(topic.topicId()))
                .setNumPartitions(topic.numPartitions())
                .setReplicationFactor(topic.replicationFactor())
                .setConfigs(configs);
    }

    static ControllerResponse neutral(CreateTopicsResponseData answer) {
        List<CreatedTopic> topics = new ArrayList<>();
        for (CreateTopicsResponseData.CreatableTopicResult topic : answer.topics()) {
            SortedMap<String, String> configs = new TreeMap<>();
            if (topic.configs() != null) {
                topic.configs().forEach(config -> configs.put(config.name(), config.value()));
            }
            topics.add(new CreatedTopic(
                    topic.name(),
                    Ids.java(topic.topicId()),
                    ErrorCode.forCode(topic.errorCode()),
                    topic.errorMessage(),
                    topic.numPartitions(),
                    topic.replicationFactor(),
                    configs));
        }
        return new CreatedTopics(topics);
    }

    static DeleteTopicsRequestData request(DeleteTopics delete, int timeoutMs) {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData().setTimeoutMs(timeoutMs);
        for (TopicSelector topic : delete.topics()) {
            UUID id = topic.topicId();
            request.topics()
                    .add(new DeleteTopicsRequestData.DeleteTopicState()
                            .setName(topic.name())
                            .setTopicId(id == null ? Uuid.ZERO_UUID : Ids.kafka(id)));
        }
        return request;
    }

    static DeleteTopics neutral(DeleteTopicsRequestData request, short version) {
        List<DeleteTopicsRequestData.DeleteTopicState> named = named(request, version);
        Set<Object> twice = twice(named, AdminMapping::selector);
        List<TopicSelector> topics = new ArrayList<>();
        for (DeleteTopicsRequestData.DeleteTopicState topic : named) {
            if (sound(topic) && !twice.contains(selector(topic))) {
                topics.add(new TopicSelector(topic.name(), topic.name() == null ? Ids.java(topic.topicId()) : null));
            }
        }
        return new DeleteTopics(topics);
    }

    static DeleteTopicsResponseData answer(
            DeleteTopicsRequestData request, short version, ControllerResponse response) {
        List<DeleteTopicsRequestData.DeleteTopicState> named = named(request, version);
        DeleteTopicsResponseData answer = new DeleteTopicsResponseData()
                .setResponses(new DeleteTopicsResponseData.DeletableTopicResultCollection(
                        KeyScan.withoutRehash(named.size())));
        Set<Object> twice = twice(named, AdminMapping::selector);
        Set<Object> answered = new HashSet<>();
        for (DeleteTopicsRequestData.DeleteTopicState topic : named) {
            boolean bad = !sound(topic) || twice.contains(selector(topic));
            if ((bad || response instanceof Refused) && answered.add(selector(topic))) {
                Refused refused = bad
                        ? new Refused(ErrorCode.INVALID_REQUEST, sound(topic) ? DUPLICATE : "Name a topic or its id.")
                        : refusal(response);
                answer.responses()
                        .add(new DeleteTopicsResponseData.DeletableTopicResult()
                                .setName(topic.name())
                                .setTopicId(topic.topicId())
                                .setErrorCode(refused.error().code())
                                .setErrorMessage(refused.message()));
            }
        }
        if (response instanceof DeletedTopics deleted) {
            for (DeletedTopic topic : deleted.topics()) {
                answer.responses()
                        .add(new DeleteTopicsResponseData.DeletableTopicResult()
                                .setName(topic.name())
                                .setTopicId(Ids.kafka(topic.topicId()))
                                .setErrorCode(topic.error().code())
                                .setErrorMessage(topic.message()));
            }
        }
        return answer;
    }

    /** Before version 6 topics have names only, in a list of their own. */
    private static List<DeleteTopicsRequestData.DeleteTopicState> named(
            DeleteTopicsRequestData request, short version) {
        return version >= 6
                ? request.topics()
                : request.topicNames().stream()
                        .map(name -> new DeleteTopicsRequestData.DeleteTopicState().setName(name))
                        .toList();
    }

    private static boolean sound(DeleteTopicsRequestData.DeleteTopicState topic) {
        return (topic.name() == null) != topic.topicId().equals(Uuid.ZERO_UUID);
    }

    private static Object selector(DeleteTopicsRequestData.DeleteTopicState topic) {
        return topic.name() == null ? topic.topicId() : topic.name();
    }

    static ControllerResponse neutral(DeleteTopicsResponseData answer) {
        return new DeletedTopics(answer.responses().stream()
                .map(topic -> new DeletedTopic(
                        topic.name(),
                        Ids.java(topic.topicId()),
                        ErrorCode.forCode(topic.errorCode()),
                        topic.errorMessage()))
                .toList());
    }

    static CreatePartitionsRequestData request(CreatePartitions create, int timeoutMs) {
        CreatePartitionsRequestData request =
                new CreatePartitionsRequestData().setTimeoutMs(timeoutMs).setValidateOnly(create.validateOnly());
        for (CreatePartitions.Growth topic : create.topics()) {
            List<List<Integer>> assignments = topic.assignments();
            request.topics()
                    .add(new CreatePartitionsRequestData.CreatePartitionsTopic()
                            .setName(topic.topic())
                            .setCount(topic.count())
                            .setAssignments(
                                    assignments == null
                                            ? null
                                            : assignments.stream()
                                                    .map(brokers ->
                                                            new CreatePartitionsRequestData.CreatePartitionsAssignment()
                                                                    .setBrokerIds(brokers))
                                                    .toList()));
        }
        return request;
    }

    static CreatePartitions neutral(CreatePartitionsRequestData request) {
        Set<String> twice = twice(request.topics(), CreatePartitionsRequestData.CreatePartitionsTopic::name);
        List<CreatePartitions.Growth> topics = new ArrayList<>();
        for (CreatePartitionsRequestData.CreatePartitionsTopic topic : request.topics()) {
            if (!twice.contains(topic.name())) {
                List<CreatePartitionsRequestData.CreatePartitionsAssignment> assignments = topic.assignments();
                topics.add(new CreatePartitions.Growth(
                        topic.name(),
                        topic.count(),
                        assignments == null
                                ? null
                                : assignments.stream()
                                        .map(a -> List.copyOf(a.brokerIds()))
                                        .toList()));
            }
        }
        return new CreatePartitions(topics, request.validateOnly(), 0);
    }

    static CreatePartitionsResponseData answer(CreatePartitionsRequestData request, ControllerResponse response) {
        CreatePartitionsResponseData answer = new CreatePartitionsResponseData();
        Set<String> twice = twice(request.topics(), CreatePartitionsRequestData.CreatePartitionsTopic::name);
        for (String name : twice) {
            answer.results().add(grown(new GrowthResult(name, ErrorCode.INVALID_REQUEST, DUPLICATE)));
        }
        if (response instanceof CreatedPartitions created) {
            created.topics().forEach(topic -> answer.results().add(grown(topic)));
        } else {
            Refused refused = refusal(response);
            for (String name :
                    distinct(request.topics(), CreatePartitionsRequestData.CreatePartitionsTopic::name, twice)) {
                answer.results().add(grown(new GrowthResult(name, refused.error(), refused.message())));
            }
        }
        return answer;
    }

    private static CreatePartitionsResponseData.CreatePartitionsTopicResult grown(GrowthResult result) {
        return new CreatePartitionsResponseData.CreatePartitionsTopicResult()
                .setName(result.topic())
                .setErrorCode(result.error().code())
                .setErrorMessage(result.message());
    }

    static ControllerResponse neutral(CreatePartitionsResponseData answer) {
        return new CreatedPartitions(answer.results().stream()
                .map(r -> new GrowthResult(r.name(), ErrorCode.forCode(r.errorCode()), r.errorMessage()))
                .toList());
    }

    /** Why a whole request failed; an answer of another kind is our own mistake. */
    static Refused refusal(ControllerResponse response) {
        return response instanceof Refused refused ? refused : new Refused(ErrorCode.UNKNOWN_SERVER_ERROR, null);
    }

    /** Keys that occur more than once, in order. */
    static <T, K> Set<K> twice(Collection<? extends T> items, Function<T, K> key) {
        Set<K> seen = new HashSet<>();
        Set<K> twice = new LinkedHashSet<>();
        for (T item : items) {
            if (!seen.add(key.apply(item))) {
                twice.add(key.apply(item));
            }
        }
        return twice;
    }

    private static <T, K> List<K> distinct(Collection<? extends T> items, Function<T, K> key, Set<K> without) {
        return items.stream().map(key).filter(k -> !without.contains(k)).toList();
    }
}
