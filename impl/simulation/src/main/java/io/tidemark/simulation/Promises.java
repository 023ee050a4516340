package io.tidemark.simulation;

import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.QuorumMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What leaves a node and promises something is on its disk by then, as the disk itself says and not as the node believes:
 * a power loss at that very moment must not take it back.
 */
final class Promises {
    private Promises() {}

    /** A vote is never forgotten. */
    static void answers(SimNode node, Object request, Object response) {
        if (request instanceof QuorumMessage.Vote vote
                && response instanceof QuorumMessage.VoteResult result
                && result.granted()
                && !result.preVote()) {
            Invariants.require(
                    node.faultyDisk().holdsVote(result.epoch(), vote.candidate().id()),
                    "VotesOnDisk",
                    "node " + node.id() + " tells " + vote.candidate() + " that it has its vote in epoch "
                            + result.epoch() + ", and may forget it");
        }
    }

    /**
     * What a voter's fetch shows of the metadata log counts for what is committed; what a follower's shows of a partition too,
     * and with flush.messages=1 it is on the follower's disk.
     *
     * @param flushed the topic whose records are fsynced one by one; null for none
     */
    static void asks(SimNode node, Object request, @Nullable UUID flushed) {
        if (request instanceof QuorumMessage.MetadataFetch fetch && node.isController()) {
            shows(node, SimDisk.METADATA, fetch.fetchOffset());
        } else if (request instanceof ClientRequest.Fetch fetch && fetch.replicaId() == node.id()) {
            for (ClientRequest.Fetch.FetchItem item : fetch.items()) {
                if (item.partition().topicId().equals(flushed)) {
                    shows(node, directory(item.partition().partition()), item.fetchOffset());
                }
            }
        }
    }

    private static void shows(SimNode node, String log, long end) {
        if (node.faultyDisk().showsMore(log, end)) {
            Invariants.require(
                    node.faultyDisk().holdsRecords(log, end),
                    "FetchesOnDisk",
                    "node " + node.id() + " fetches " + log + " from " + end + ", and may lose what is below");
        }
    }

    private static String directory(int partition) {
        return SimClients.TOPIC + "-" + partition;
    }

    /** With flush.messages=1 what is acknowledged is on the leader's disk. */
    static void acknowledges(SimNode node, TopicPartition partition, long offset) {
        Invariants.require(
                node.faultyDisk().holdsRecords(directory(partition.partition()), offset + 1),
                "AckedOnDisk",
                "node " + node.id() + " acknowledges " + partition.partition() + "@" + offset
                        + " although its own disk may lose it, with flush.messages=1");
    }
}
