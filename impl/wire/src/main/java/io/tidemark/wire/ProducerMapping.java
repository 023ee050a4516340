package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientRequest.DescribeProducers;
import io.tidemark.core.message.ClientResponse.ProducerId;
import io.tidemark.core.message.ClientResponse.Producers;
import io.tidemark.core.message.PartitionRef;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;

/** InitProducerId and DescribeProducers. */
final class ProducerMapping {
    private ProducerMapping() {}

    /** A transactional id is answered UNSUPPORTED_VERSION, which ends a producer for good; a retriable error would not. */
    static Body decode(InitProducerIdRequestData request) {
        if (request.transactionalId() != null) {
            return new Body.Immediate(new Answer(new InitProducerIdResponseData()
                    .setErrorCode(ErrorCode.UNSUPPORTED_VERSION.code())
                    .setProducerId(-1)
                    .setProducerEpoch((short) -1)));
        }
        return new Body.Client(new ClientRequest.InitProducerId());
    }

    static InitProducerIdResponseData answer(ProducerId id) {
        return new InitProducerIdResponseData()
                .setErrorCode(id.error().code())
                .setProducerId(id.producerId())
                .setProducerEpoch(id.producerEpoch());
    }

    static DescribeProducers neutral(DescribeProducersRequestData request) {
        List<PartitionRef> partitions = new ArrayList<>();
        for (DescribeProducersRequestData.TopicRequest topic : request.topics()) {
            topic.partitionIndexes().forEach(p -> partitions.add(PartitionRef.byName(topic.name(), p)));
        }
        return new DescribeProducers(partitions);
    }

    static DescribeProducersResponseData answer(DescribeProducersRequestData request, Producers producers) {
        Iterator<Producers.ProducersItem> answers = producers.items().iterator();
        DescribeProducersResponseData answer = new DescribeProducersResponseData();
        for (DescribeProducersRequestData.TopicRequest topic : request.topics()) {
            DescribeProducersResponseData.TopicResponse response =
                    new DescribeProducersResponseData.TopicResponse().setName(topic.name());
            for (int partition : topic.partitionIndexes()) {
                Producers.ProducersItem item = answers.next();
                DescribeProducersResponseData.PartitionResponse described =
                        new DescribeProducersResponseData.PartitionResponse()
                                .setPartitionIndex(partition)
                                .setErrorCode(item.error().code());
                item.producers().forEach(producer -> described.activeProducers().add(state(producer)));
                response.partitions().add(described);
            }
            answer.topics().add(response);
        }
        return answer;
    }

    private static DescribeProducersResponseData.ProducerState state(ProducerEntry producer) {
        List<ProducerEntry.Batch> batches = producer.batches();
        return new DescribeProducersResponseData.ProducerState()
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setLastSequence(
                        batches.isEmpty() ? -1 : batches.get(batches.size() - 1).lastSequence())
                .setLastTimestamp(producer.lastTimestamp());
    }
}
