package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest.Produce;
import io.tidemark.core.message.ClientRequest.Produce.ProduceItem;
import io.tidemark.core.message.ClientResponse.Produced;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.wire.batch.BatchValidator;
import io.tidemark.wire.batch.ProduceRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Produce, for servers: topics by name up to version 12, by id from 13 on. */
final class ProduceMapping {
    private static final short FIRST_WITH_IDS = 13;
    private static final short FIRST_WITH_LEADERS = 10;

    private ProduceMapping() {}

    static Body decode(ProduceRequestData request, Api.Scope scope) {
        if (request.acks() < -1 || request.acks() > 1) {
            return new Body.Immediate(new Answer(refused(request, scope, ErrorCode.INVALID_REQUIRED_ACKS)));
        }
        Distinct<ProduceItem> items = new Distinct<>();
        for (ProduceRequestData.TopicProduceData topic : request.topicData()) {
            for (ProduceRequestData.PartitionProduceData partition : topic.partitionData()) {
                PartitionRef ref = ref(topic, partition.index(), scope.version());
                items.put(ref, item(ref, buffer(partition.records()), scope));
                partition.setRecords(null); // the request is kept for its answer, its records are not
            }
        }
        return new Body.Client(new Produce(request.acks(), request.timeoutMs(), items.items()));
    }

    private static ProduceItem item(PartitionRef partition, @Nullable ByteBuffer records, Api.Scope scope) {
        ProduceRules rules = scope.facts().produceRules(partition);
        if (rules == null) {
            ErrorCode error =
                    partition.topic() != null ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.UNKNOWN_TOPIC_ID;
            return new ProduceItem(partition, error, null, null, RecordBytes.EMPTY);
        }
        BatchValidator.Result batch = BatchValidator.validate(records, rules, scope.version(), scope.nowMs());
        return new ProduceItem(partition, batch.error(), batch.message(), batch.header(), batch.records());
    }

    private static @Nullable ByteBuffer buffer(@Nullable BaseRecords records) {
        return records instanceof MemoryRecords inMemory ? inMemory.buffer() : null;
    }

    private static PartitionRef ref(ProduceRequestData.TopicProduceData topic, int partition, short version) {
        return version >= FIRST_WITH_IDS
                ? PartitionRef.byId(Ids.java(topic.topicId()), partition)
                : PartitionRef.byName(topic.name(), partition);
    }

    static ProduceResponseData answer(Produced produced, Api.Scope scope) {
        ProduceResponseData answer = new ProduceResponseData()
                .setResponses(new ProduceResponseData.TopicProduceResponseCollection(
                        KeyScan.withoutRehash(produced.items().size())));
        ProduceResponseData.TopicProduceResponse topic = null;
        for (Produced.ProducedItem item : produced.items()) {
            PartitionRef ref = item.partition();
            if (topic == null
                    || !FetchMapping.sameTopic(ref, topic.name(), topic.topicId(), scope.version() >= FIRST_WITH_IDS)) {
                topic = new ProduceResponseData.TopicProduceResponse()
                        .setName(ref.topic() == null ? "" : ref.topic())
                        .setTopicId(Ids.kafka(ref.topicId()));
                answer.responses().mustAdd(topic);
            }
            topic.partitionResponses().add(partition(item, answer, scope));
        }
        return answer;
    }

    private static ProduceResponseData.PartitionProduceResponse partition(
            Produced.ProducedItem item, ProduceResponseData answer, Api.Scope scope) {
        ProduceResponseData.PartitionProduceResponse partition = new ProduceResponseData.PartitionProduceResponse()
                .setIndex(item.partition().partition())
                .setErrorCode(item.error().code())
                .setErrorMessage(item.message())
                .setBaseOffset(item.baseOffset())
                .setLogStartOffset(item.logStart());
        ProduceRules rules = scope.facts().produceRules(item.partition());
        if (item.error() == ErrorCode.NONE && rules != null && rules.logAppendTime()) {
            partition.setLogAppendTimeMs(scope.nowMs());
        }
        if (scope.version() >= FIRST_WITH_LEADERS && FetchMapping.namesLeader(item.error(), item.leader())) {
            partition.currentLeader().setLeaderId(item.leader()).setLeaderEpoch(item.leaderEpoch());
            Endpoint endpoint = scope.facts().broker(item.leader());
            if (endpoint != null && answer.nodeEndpoints().find(item.leader()) == null) {
                answer.nodeEndpoints()
                        .add(new ProduceResponseData.NodeEndpoint()
                                .setNodeId(item.leader())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port()));
            }
        }
        return partition;
    }

    private static ProduceResponseData refused(ProduceRequestData request, Api.Scope scope, ErrorCode error) {
        List<Produced.ProducedItem> items = new ArrayList<>();
        for (ProduceRequestData.TopicProduceData topic : request.topicData()) {
            for (ProduceRequestData.PartitionProduceData partition : topic.partitionData()) {
                items.add(new Produced.ProducedItem(
                        ref(topic, partition.index(), scope.version()), error, null, -1, -1, -1, -1));
                partition.setRecords(null);
            }
        }
        return answer(new Produced(items), scope);
    }
}
