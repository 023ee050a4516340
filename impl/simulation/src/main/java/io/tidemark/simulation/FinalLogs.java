package io.tidemark.simulation;

import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.Regions;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.PartitionName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is on the disks at the end, against what clients were told. */
final class FinalLogs {
    private final Shape shape;
    private final List<SimNode> nodes;
    private final SimClients clients;
    private final Exposure exposure;
    private final SortedMap<TopicPartition, List<Integer>> replicas;

    /** @param replicas the replicas of each partition that there is */
    FinalLogs(
            Shape shape,
            List<SimNode> nodes,
            SimClients clients,
            Exposure exposure,
            SortedMap<TopicPartition, List<Integer>> replicas) {
        this.replicas = replicas;
        this.shape = shape;
        this.nodes = nodes;
        this.clients = clients;
        this.exposure = exposure;
    }

    /**
     * Every replica's log must equal the others', hold each value once and in its producer's order, and hold what was
     * acknowledged and what was read where it was, but for what {@link Exposure} names. Returns how many acknowledged
     * values are gone.
     *
     * @param side the id of the topic that comes and goes, null where it is gone
     */
    int compare(@Nullable UUID side) {
        nodes.forEach(node -> noStrays(node, side));
        int lost = 0;
        for (int partition = 0; partition < shape.partitions; partition++) {
            lost += compare(new TopicPartition(clients.topicId(), partition), SimClients.TOPIC + "-" + partition);
        }
        if (side != null) {
            lost += compare(new TopicPartition(side, 0), Operator.SIDE + "-0");
        }
        return lost;
    }

    /** Nothing is left where replicas are of topics that were deleted. */
    private void noStrays(SimNode node, @Nullable UUID side) {
        try {
            for (Path child : node.disk().list(SimNode.dataDirectory())) {
                String name = String.valueOf(child.getFileName());
                PartitionName.parse(name)
                        .filter(each -> !each.equals(PartitionName.METADATA_LOG))
                        .ifPresent(partition -> {
                            UUID id = PartitionMetadata.read(node.disk(), child).orElse(null);
                            UUID right = partition.topic().equals(Operator.SIDE) ? side : clients.topicId();
                            Invariants.require(
                                    id != null
                                            && id.equals(right)
                                            && replicasOf(new TopicPartition(id, partition.partition()))
                                                    .contains(node),
                                    "NoStrays",
                                    "node " + node.id() + " has " + name + " of topic id " + id + "; the topic's is "
                                            + right + ", its replicas " + replicas);
                        });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<SimNode> replicasOf(TopicPartition id) {
        return replicas.getOrDefault(id, List.of()).stream()
                .map(node -> nodes.get(node - 1))
                .toList();
    }

    private static Path directory(String name) {
        return SimNode.dataDirectory().resolve(name);
    }

    private int compare(TopicPartition id, String name) {
        if (exposure.misled(id)) {
            return 0;
        }
        List<SimNode> holders = replicasOf(id);
        List<SimBatch.Stored> reference = readLog(holders.get(0), name);
        for (SimNode node : holders) {
            Invariants.require(
                    readLog(node, name).equals(reference),
                    "NoDivergenceBelowHw",
                    name + ": replica " + node.id() + " differs from replica "
                            + holders.get(0).id());
        }
        TreeMap<Long, SimBatch.Stored> records = new TreeMap<>();
        long last = 0;
        for (SimBatch.Stored record : reference) {
            // One producer gives each value once, in this order.
            Invariants.require(
                    record.value() > last,
                    "NoDuplicate",
                    name + ": value " + record.value() + " at " + record.offset() + " follows " + last);
            last = record.value();
            records.put(record.offset(), record);
        }
        int lost = 0;
        for (SimClients.Acked acked : clients.acked()) {
            if (acked.partition().equals(id) && isGone(records, acked.offset(), acked.value())) {
                boolean allowed = exposure.mayBeMissing(id, acked.offset(), acked.epoch())
                        || (shape.acks != -1 && !exposure.committed(id, acked.offset(), acked.epoch()));
                Invariants.require(
                        allowed,
                        "AckedDurable",
                        name + ": value " + acked.value() + " acknowledged at offset " + acked.offset() + " in epoch "
                                + acked.epoch() + " after " + acked.atMs() + " ms is gone");
                lost++;
            }
        }
        for (SimClients.Read read : clients.reads()) {
            Invariants.require(
                    !read.partition().equals(id)
                            || !isGone(records, read.offset(), read.value())
                            || exposure.mayBeMissing(id, read.offset(), read.epoch()),
                    "ReadsRepeatable",
                    name + ": value " + read.value() + " was read at offset " + read.offset() + " and is gone");
        }
        return lost;
    }

    private static boolean isGone(Map<Long, SimBatch.Stored> records, long offset, long value) {
        SimBatch.Stored record = records.get(offset);
        return record == null || record.value() != value;
    }

    private List<SimBatch.Stored> readLog(SimNode node, String name) {
        PartitionLog log = PartitionLog.open(node.disk(), directory(name), SimSettings.log(shape), false, 0, 0)
                .log();
        List<SimBatch.Stored> records = new ArrayList<>();
        for (long offset = log.firstOffset(); offset < log.logEndOffset(); ) {
            List<SimBatch.Stored> part = SimBatch.read(Regions.bytes(log.read(offset, 1 << 20, true, Long.MAX_VALUE)));
            records.addAll(part);
            offset = part.get(part.size() - 1).offset() + 1;
        }
        return records;
    }
}
