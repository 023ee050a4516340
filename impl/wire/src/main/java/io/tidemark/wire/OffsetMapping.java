package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.ClientRequest.ListOffsets;
import io.tidemark.core.message.ClientRequest.OffsetForLeaderEpoch;
import io.tidemark.core.message.ClientResponse.EpochEnds;
import io.tidemark.core.message.ClientResponse.ListedOffsets;
import io.tidemark.core.message.PartitionRef;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;

/**
 * ListOffsets and OffsetForLeaderEpoch. What a request must not ask is kept from the core and answered here, in its place:
 * a partition named twice, a special timestamp that its version does not have.
 */
final class OffsetMapping {
    private static final short FIRST_WITH_OFFSET_NOT_AVAILABLE = 5;
    private static final short FIRST_WITH_MAX_TIMESTAMP = 7;
    private static final short FIRST_WITH_EARLIEST_LOCAL = 8;

    private OffsetMapping() {}

    static ListOffsets neutral(ListOffsetsRequestData request, short version) {
        BitSet twice = twice(request);
        int position = 0;
        List<ListOffsets.OffsetItem> items = new ArrayList<>();
        for (ListOffsetsRequestData.ListOffsetsTopic topic : request.topics()) {
            for (ListOffsetsRequestData.ListOffsetsPartition partition : topic.partitions()) {
                PartitionRef ref = PartitionRef.byName(topic.name(), partition.partitionIndex());
                if (problem(twice.get(position++), partition.timestamp(), version) == ErrorCode.NONE) {
                    items.add(new ListOffsets.OffsetItem(ref, partition.currentLeaderEpoch(), partition.timestamp()));
                }
            }
        }
        return new ListOffsets(request.replicaId(), items);
    }

    /** Positions, counted over all topics, of what is named more than once. */
    private static BitSet twice(ListOffsetsRequestData request) {
        Distinct<Integer> seen = new Distinct<>();
        BitSet twice = new BitSet();
        int position = 0;
        for (ListOffsetsRequestData.ListOffsetsTopic topic : request.topics()) {
            for (ListOffsetsRequestData.ListOffsetsPartition partition : topic.partitions()) {
                PartitionRef ref = PartitionRef.byName(topic.name(), partition.partitionIndex());
                Integer before = seen.put(ref, position);
                if (before != null) {
                    twice.set(before);
                    twice.set(position);
                }
                position++;
            }
        }
        return twice;
    }

    private static ErrorCode problem(boolean twice, long timestamp, short version) {
        if (twice) {
            return ErrorCode.INVALID_REQUEST;
        }
        boolean known = timestamp >= ListOffsets.EARLIEST
                || (timestamp == ListOffsets.MAX_TIMESTAMP && version >= FIRST_WITH_MAX_TIMESTAMP)
                || (timestamp == ListOffsets.EARLIEST_LOCAL && version >= FIRST_WITH_EARLIEST_LOCAL);
        return known ? ErrorCode.NONE : ErrorCode.UNSUPPORTED_VERSION;
    }

    static ListOffsetsResponseData answer(ListOffsetsRequestData request, ListedOffsets listed, short version) {
        BitSet twice = twice(request);
        int position = 0;
        Iterator<ListedOffsets.OffsetAnswer> answers = listed.items().iterator();
        ListOffsetsResponseData answer = new ListOffsetsResponseData();
        for (ListOffsetsRequestData.ListOffsetsTopic topic : request.topics()) {
            ListOffsetsResponseData.ListOffsetsTopicResponse offsets =
                    new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsRequestData.ListOffsetsPartition partition : topic.partitions()) {
                PartitionRef ref = PartitionRef.byName(topic.name(), partition.partitionIndex());
                ErrorCode problem = problem(twice.get(position++), partition.timestamp(), version);
                ListedOffsets.OffsetAnswer item = problem == ErrorCode.NONE
                        ? answers.next()
                        : new ListedOffsets.OffsetAnswer(ref, problem, -1, -1, -1);
                ListOffsetsResponseData.ListOffsetsPartitionResponse offset =
                        new ListOffsetsResponseData.ListOffsetsPartitionResponse()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(known(item.error(), version).code())
                                .setTimestamp(item.timestamp())
                                .setOffset(item.offset());
                if (version >= 4) {
                    offset.setLeaderEpoch(item.leaderEpoch());
                }
                offsets.partitions().add(offset);
            }
            answer.topics().add(offsets);
        }
        return answer;
    }

    /** KIP-207: a client from before it takes this for a leader that is about to be there, and asks again. */
    private static ErrorCode known(ErrorCode error, short version) {
        return error == ErrorCode.OFFSET_NOT_AVAILABLE && version < FIRST_WITH_OFFSET_NOT_AVAILABLE
                ? ErrorCode.LEADER_NOT_AVAILABLE
                : error;
    }

    static OffsetForLeaderEpoch neutral(OffsetForLeaderEpochRequestData request) {
        List<OffsetForLeaderEpoch.EpochItem> items = new ArrayList<>();
        for (OffsetForLeaderEpochRequestData.OffsetForLeaderTopic topic : request.topics()) {
            for (OffsetForLeaderEpochRequestData.OffsetForLeaderPartition partition : topic.partitions()) {
                items.add(new OffsetForLeaderEpoch.EpochItem(
                        PartitionRef.byName(topic.topic(), partition.partition()),
                        partition.currentLeaderEpoch(),
                        partition.leaderEpoch()));
            }
        }
        return new OffsetForLeaderEpoch(Math.max(request.replicaId(), -1), items);
    }

    static OffsetForLeaderEpochResponseData answer(OffsetForLeaderEpochRequestData request, EpochEnds ends) {
        Iterator<EpochEnds.EpochEnd> answers = ends.items().iterator();
        OffsetForLeaderEpochResponseData answer = new OffsetForLeaderEpochResponseData()
                .setTopics(new OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResultCollection(
                        KeyScan.withoutRehash(request.topics().size())));
        for (OffsetForLeaderEpochRequestData.OffsetForLeaderTopic topic : request.topics()) {
            OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult result =
                    new OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderEpochRequestData.OffsetForLeaderPartition partition : topic.partitions()) {
                EpochEnds.EpochEnd end = answers.next();
                result.partitions()
                        .add(new OffsetForLeaderEpochResponseData.EpochEndOffset()
                                .setPartition(partition.partition())
                                .setErrorCode(end.error().code())
                                .setLeaderEpoch(end.leaderEpoch())
                                .setEndOffset(end.endOffset()));
            }
            answer.topics().mustAdd(result);
        }
        return answer;
    }
}
