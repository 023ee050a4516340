package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.storage.StorageException;
import java.util.ArrayList;
import java.util.List;

/** Questions about a leader's log that change nothing: offsets by time, ends of epochs, producers. */
final class OffsetQueries {
    /** {@code replica.id} of a consumer; whoever else asks sees the whole log. */
    private static final int CONSUMER = -1;

    /** {@code replica.id} of a debugging consumer, which may ask any replica. */
    private static final int DEBUGGING_CONSUMER = -2;

    private final PartitionHosts replicas;
    private final RecordScanner scanner;

    OffsetQueries(PartitionHosts replicas, RecordScanner scanner) {
        this.replicas = replicas;
        this.scanner = scanner;
    }

    ClientResponse.ListedOffsets listOffsets(ClientRequest.ListOffsets request) {
        List<ClientResponse.ListedOffsets.OffsetAnswer> answers =
                new ArrayList<>(request.items().size());
        for (ClientRequest.ListOffsets.OffsetItem item : request.items()) {
            PartitionHosts.Lookup lookup = replicas.find(item.partition());
            PartitionHost host = lookup.host();
            ErrorCode error = host == null
                    ? lookup.error()
                    : check(host.view(), item.currentLeaderEpoch(), request.replicaId() != DEBUGGING_CONSUMER);
            if (host == null || error != ErrorCode.NONE) {
                answers.add(nothing(item.partition(), error));
            } else {
                answers.add(listOffset(item.partition(), host, item.timestamp(), request.replicaId()));
            }
        }
        return new ClientResponse.ListedOffsets(answers);
    }

    private ClientResponse.ListedOffsets.OffsetAnswer listOffset(
            PartitionRef ref, PartitionHost host, long timestamp, int replicaId) {
        PartitionView view = host.view();
        boolean consumer = replicaId == CONSUMER;
        // What a consumer may read ends at the high watermark, what a follower may copy at the log's end.
        long end = consumer ? view.hw() : view.logEnd();
        // KIP-207: right after an election the high watermark may be behind what was exposed before.
        ErrorCode beyondEnd = consumer && view.role() == PartitionRole.LEADER && view.epochStart() > view.hw()
                ? ErrorCode.OFFSET_NOT_AVAILABLE
                : ErrorCode.NONE;
        if (timestamp == ClientRequest.ListOffsets.EARLIEST || timestamp == ClientRequest.ListOffsets.EARLIEST_LOCAL) {
            return new ClientResponse.ListedOffsets.OffsetAnswer(
                    ref, ErrorCode.NONE, -1, view.logStart(), view.epochAt(view.logStart()));
        }
        if (timestamp == ClientRequest.ListOffsets.LATEST) {
            return beyondEnd == ErrorCode.NONE
                    ? new ClientResponse.ListedOffsets.OffsetAnswer(ref, ErrorCode.NONE, -1, end, leaderEpoch(view))
                    : nothing(ref, beyondEnd);
        }
        TimestampOffset found;
        try {
            found = timestamp == ClientRequest.ListOffsets.MAX_TIMESTAMP
                    ? host.log.maxTimestampOffset(scanner)
                    : host.log.offsetForTimestamp(timestamp, view.logStart(), scanner);
        } catch (StorageException e) {
            host.damaged(e);
            return nothing(ref, ErrorCode.CORRUPT_MESSAGE);
        }
        // A record below the end is the answer whatever comes behind it; where there is none, one of those may be it.
        return found == null || found.offset() >= end
                ? nothing(ref, beyondEnd)
                : new ClientResponse.ListedOffsets.OffsetAnswer(
                        ref, ErrorCode.NONE, found.timestamp(), found.offset(), found.leaderEpoch());
    }

    private static ClientResponse.ListedOffsets.OffsetAnswer nothing(PartitionRef ref, ErrorCode error) {
        return new ClientResponse.ListedOffsets.OffsetAnswer(ref, error, -1, -1, -1);
    }

    ClientResponse.EpochEnds epochEnds(ClientRequest.OffsetForLeaderEpoch request) {
        List<ClientResponse.EpochEnds.EpochEnd> answers =
                new ArrayList<>(request.items().size());
        for (ClientRequest.OffsetForLeaderEpoch.EpochItem item : request.items()) {
            PartitionHosts.Lookup lookup = replicas.find(item.partition());
            PartitionHost host = lookup.host();
            ErrorCode error = host == null
                    ? lookup.error()
                    : check(host.view(), item.currentLeaderEpoch(), request.replicaId() != DEBUGGING_CONSUMER);
            if (host == null || error != ErrorCode.NONE) {
                answers.add(new ClientResponse.EpochEnds.EpochEnd(item.partition(), error, -1, -1));
            } else {
                PartitionView view = host.view();
                OffsetAndEpoch end = item.leaderEpoch() == leaderEpoch(view)
                        ? new OffsetAndEpoch(view.logEnd(), leaderEpoch(view))
                        : view.endOffsetFor(item.leaderEpoch());
                answers.add(new ClientResponse.EpochEnds.EpochEnd(
                        item.partition(), ErrorCode.NONE, end.epoch(), end.offset()));
            }
        }
        return new ClientResponse.EpochEnds(answers);
    }

    ClientResponse.Producers producers(ClientRequest.DescribeProducers request) {
        List<ClientResponse.Producers.ProducersItem> answers =
                new ArrayList<>(request.partitions().size());
        for (PartitionRef ref : request.partitions()) {
            PartitionHosts.Lookup lookup = replicas.find(ref);
            PartitionHost host = lookup.host();
            answers.add(
                    host == null
                            ? new ClientResponse.Producers.ProducersItem(ref, lookup.error(), List.of())
                            : new ClientResponse.Producers.ProducersItem(
                                    ref, ErrorCode.NONE, host.view().producers()));
        }
        return new ClientResponse.Producers(answers);
    }

    private static ErrorCode check(PartitionView view, int epoch, boolean leaderOnly) {
        if (epoch >= 0 && epoch < leaderEpoch(view)) {
            return ErrorCode.FENCED_LEADER_EPOCH;
        }
        if (epoch > leaderEpoch(view)) {
            return ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        return leaderOnly && view.role() != PartitionRole.LEADER ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.NONE;
    }

    private static int leaderEpoch(PartitionView view) {
        PartitionRegistration part = view.part();
        return part == null ? -1 : part.leaderEpoch();
    }
}
