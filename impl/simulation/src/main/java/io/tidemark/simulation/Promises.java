package io.tidemark.simulation;

import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.QuorumMessage;

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

    /** What a voter's fetch shows of the metadata log counts for what is committed. */
    static void asks(SimNode node, Object request) {
        if (request instanceof QuorumMessage.MetadataFetch fetch
                && node.isController()
                && node.faultyDisk().showsMore(fetch.fetchOffset())) {
            Invariants.require(
                    node.faultyDisk().holdsRecords(SimDisk.METADATA, fetch.fetchOffset()),
                    "FetchesOnDisk",
                    "node " + node.id() + " fetches from " + fetch.fetchOffset() + ", and may lose what is below");
        }
    }

    /** With flush.messages=1 what is acknowledged is on the leader's disk. */
    static void acknowledges(SimNode node, TopicPartition partition, long offset) {
        Invariants.require(
                node.faultyDisk().holdsRecords(SimClients.TOPIC + "-" + partition.partition(), offset + 1),
                "AckedOnDisk",
                "node " + node.id() + " acknowledges " + partition.partition() + "@" + offset
                        + " although its own disk may lose it, with flush.messages=1");
    }
}
