package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.jspecify.annotations.Nullable;

/**
 * Metadata and DescribeTopicPartitions: topics as clients see them. A broker is alive when it is not fenced; it is told only
 * to clients that can reach it, by the listener that they asked.
 */
final class MetadataAnswers {
    /** Kafka's {@code max.request.partition.size.limit}. */
    private static final int MAX_PARTITIONS = 2000;

    private MetadataAnswers() {}

    /** The endpoint of a live broker, or null. */
    static @Nullable Endpoint endpoint(@Nullable BrokerRegistration broker, String listenerName) {
        if (broker == null || broker.fenced()) {
            return null;
        }
        return anyEndpoint(broker.endpoints(), listenerName);
    }

    static @Nullable Endpoint anyEndpoint(List<Endpoint> endpoints, String listenerName) {
        for (Endpoint endpoint : endpoints) {
            if (endpoint.listener().equals(listenerName)) {
                return endpoint;
            }
        }
        return null;
    }

    /** Live brokers that are reached by the listener. */
    static List<BrokerRegistration> alive(MetadataView view, String listenerName) {
        return view.brokers().values().stream()
                .filter(broker -> endpoint(broker, listenerName) != null)
                .toList();
    }

    /** As in Kafka any live broker: each forwards what is the controller's. */
    static int anyBroker(List<BrokerRegistration> alive, int salt) {
        return alive.isEmpty()
                ? -1
                : alive.get(Math.floorMod(salt, alive.size())).id();
    }

    static Answer metadata(MetadataRequestData request, short version, MetadataView view, DescribeContext context) {
        MetadataResponseData answer = new MetadataResponseData().setClusterId(context.clusterId());
        List<BrokerRegistration> alive = alive(view, context.listenerName());
        for (BrokerRegistration broker : alive) {
            Endpoint endpoint = anyEndpoint(broker.endpoints(), context.listenerName());
            if (endpoint != null) {
                answer.brokers()
                        .add(new MetadataResponseData.MetadataResponseBroker()
                                .setNodeId(broker.id())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port())
                                .setRack(broker.rack()));
            }
        }
        answer.setControllerId(anyBroker(alive, context.salt()));
        List<String> toCreate = new ArrayList<>();
        List<MetadataRequestData.MetadataRequestTopic> asked = request.topics();
        if (asked == null || (version == 0 && asked.isEmpty())) {
            for (TopicState topic : view.topics().values()) {
                answer.topics().add(topic(topic, version, view, context));
            }
        } else {
            boolean create = context.autoCreateTopics() && request.allowAutoTopicCreation();
            topics(asked, create, version, view, context, answer, toCreate);
        }
        return new Answer(answer, toCreate);
    }

    private static void topics(
            List<MetadataRequestData.MetadataRequestTopic> asked,
            boolean create,
            short version,
            MetadataView view,
            DescribeContext context,
            MetadataResponseData answer,
            List<String> toCreate) {
        Set<Object> distinct = new LinkedHashSet<>();
        for (MetadataRequestData.MetadataRequestTopic topic : asked) {
            // Who asks by id may leave the name null or empty.
            distinct.add(
                    topic.topicId().equals(Uuid.ZERO_UUID) && topic.name() != null ? topic.name() : topic.topicId());
        }
        answer.setTopics(
                new MetadataResponseData.MetadataResponseTopicCollection(KeyScan.withoutRehash(distinct.size())));
        for (Object key : distinct) {
            TopicState topic = key instanceof Uuid id ? view.topic(Ids.java(id)) : view.topic((String) key);
            if (topic != null) {
                answer.topics().add(topic(topic, version, view, context));
            } else if (key instanceof Uuid id) {
                answer.topics()
                        .add(new MetadataResponseData.MetadataResponseTopic()
                                .setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code())
                                .setName(version >= 12 ? null : "")
                                .setTopicId(id));
            } else {
                String name = (String) key;
                boolean valid = Topic.isValid(name);
                answer.topics()
                        .add(new MetadataResponseData.MetadataResponseTopic()
                                .setErrorCode((valid
                                                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                                                : ErrorCode.INVALID_TOPIC_EXCEPTION)
                                        .code())
                                .setName(name)
                                .setIsInternal(Topic.isInternal(name)));
                if (valid && create) {
                    toCreate.add(name);
                }
            }
        }
    }

    private static MetadataResponseData.MetadataResponseTopic topic(
            TopicState topic, short version, MetadataView view, DescribeContext context) {
        MetadataResponseData.MetadataResponseTopic answer = new MetadataResponseData.MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(Ids.kafka(topic.id()))
                .setIsInternal(Topic.isInternal(topic.name()));
        topic.partitions().forEach((number, partition) -> {
            boolean reachable = endpoint(view.broker(partition.leader()), context.listenerName()) != null;
            answer.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(number)
                            .setErrorCode((reachable ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE).code())
                            .setLeaderId(reachable ? partition.leader() : PartitionRegistration.NO_LEADER)
                            .setLeaderEpoch(partition.leaderEpoch())
                            .setReplicaNodes(seen(partition.replicas(), version, view, context))
                            .setIsrNodes(seen(partition.isr(), version, view, context))
                            .setOfflineReplicas(offline(partition, view, context)));
        });
        return answer;
    }

    /** Version 0 must not name a broker that it does not list. */
    private static List<Integer> seen(
            List<Integer> brokers, short version, MetadataView view, DescribeContext context) {
        return version > 0
                ? brokers
                : brokers.stream()
                        .filter(id -> endpoint(view.broker(id), context.listenerName()) != null)
                        .toList();
    }

    private static List<Integer> offline(PartitionRegistration partition, MetadataView view, DescribeContext context) {
        return partition.replicas().stream()
                .filter(id -> endpoint(view.broker(id), context.listenerName()) == null)
                .toList();
    }

    static Answer topicPartitions(
            DescribeTopicPartitionsRequestData request, MetadataView view, DescribeContext context) {
        DescribeTopicPartitionsResponseData answer = new DescribeTopicPartitionsResponseData()
                .setTopics(new DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopicCollection(
                        KeyScan.withoutRehash(request.topics().size())));
        DescribeTopicPartitionsRequestData.Cursor cursor = request.cursor();
        boolean all = request.topics().isEmpty();
        Collection<String> names = all
                ? view.topics().keySet()
                : new java.util.TreeSet<>(request.topics().stream()
                        .map(DescribeTopicPartitionsRequestData.TopicRequest::name)
                        .toList());
        int left = Math.max(1, Math.min(request.responsePartitionLimit(), MAX_PARTITIONS));
        for (String name : names) {
            if (cursor != null && name.compareTo(cursor.topicName()) < 0) {
                continue;
            }
            int first = cursor != null && name.equals(cursor.topicName()) ? Math.max(0, cursor.partitionIndex()) : 0;
            TopicState topic = view.topic(name);
            if (topic == null) {
                answer.topics().add(unknown(name));
                continue;
            }
            if (left == 0) {
                answer.setNextCursor(cursor(name, first));
                break;
            }
            DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic described =
                    new DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic()
                            .setName(name)
                            .setTopicId(Ids.kafka(topic.id()))
                            .setIsInternal(Topic.isInternal(name));
            answer.topics().add(described);
            for (var entry : topic.partitions().tailMap(first).entrySet()) {
                if (left == 0) {
                    return new Answer(answer.setNextCursor(cursor(name, entry.getKey())));
                }
                described.partitions().add(partition(entry.getKey(), entry.getValue(), view, context));
                left--;
            }
        }
        return new Answer(answer);
    }

    private static DescribeTopicPartitionsResponseData.Cursor cursor(String topic, int partition) {
        return new DescribeTopicPartitionsResponseData.Cursor()
                .setTopicName(topic)
                .setPartitionIndex(partition);
    }

    private static DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic unknown(String name) {
        return new DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic()
                .setName(name)
                .setErrorCode(
                        (Topic.isValid(name) ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION)
                                .code());
    }

    private static DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition partition(
            int number, PartitionRegistration partition, MetadataView view, DescribeContext context) {
        boolean reachable = endpoint(view.broker(partition.leader()), context.listenerName()) != null;
        return new DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition()
                .setPartitionIndex(number)
                .setErrorCode((reachable ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE).code())
                .setLeaderId(reachable ? partition.leader() : PartitionRegistration.NO_LEADER)
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(partition.isr())
                .setEligibleLeaderReplicas(partition.elr())
                .setLastKnownElr(partition.lastKnownElr())
                .setOfflineReplicas(offline(partition, view, context));
    }
}
