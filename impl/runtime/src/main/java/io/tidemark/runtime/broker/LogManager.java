package io.tidemark.runtime.broker;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.Ports;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.Recovered;
import io.tidemark.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions' directories of this node's log directory. All logs are opened, and recovered where the last stop was
 * unclean, before the broker registers; the metadata then tells which of them are in use.
 *
 * <p>A directory is a replica's if its {@code partition.metadata} names the topic's id: the name says too little, the topic
 * may have been deleted and created again while this node was down. The id is on disk before any record counts as durable,
 * so a directory without one holds nothing that was promised to survive. What is nobody's is moved aside, as Kafka does.
 */
public final class LogManager {
    private static final Logger LOG = LoggerFactory.getLogger(LogManager.class);

    /** So many of what is lacking are told, all are counted. */
    private static final int TOLD = 5;

    /** A log and the state that its replica starts from. */
    record Opened(PartitionLog log, LogState state) {}

    /** A log found at the start, and the topic id in its directory. */
    private record Found(Opened opened, Optional<UUID> topicId) {}

    private final Ports ports;
    private final LogDirectory directory;
    private final LogConfig config;
    /** What is not here of what the last life left, a line each: after a clean stop nothing may be missing. */
    private final List<String> lacking = new ArrayList<>();

    private final Map<PartitionName, Found> unclaimed = new TreeMap<>();
    /** Damaged, with the topic id where it can be read: an empty log in their place could be taken for what they held. */
    private final Map<PartitionName, Optional<UUID>> offline = new TreeMap<>();

    private final Map<PartitionName, Long> logStarts = new TreeMap<>();
    private final Checkpoint highWatermarks;
    private final Checkpoint recoveryPoints;
    private final Checkpoint logStartOffsets;

    public LogManager(Ports ports, LogDirectory directory, LogConfig config) {
        this.ports = ports;
        this.directory = directory;
        this.config = config;
        highWatermarks = new Checkpoint(directory::writeHighWatermarks);
        recoveryPoints = new Checkpoint(directory::writeRecoveryPoints);
        logStartOffsets = new Checkpoint(directory::writeLogStartOffsets);
    }

    /** Opens every partition's log. */
    public void openAll() {
        directory.repairs().forEach(repair -> LOG.warn("{}", repair));
        for (PartitionName name : directory.partitions()) {
            if (!name.equals(PartitionName.METADATA_LOG)) {
                find(name);
            }
        }
        // A power loss may have shortened logs below what the last life wrote down.
        Map<PartitionName, Long> ends = new TreeMap<>();
        unclaimed.forEach((name, found) -> ends.put(name, found.opened().state().logEnd()));
        directory.cutHighWatermarks(ends);
        if (directory.missing()) {
            lacking.add("a partition's directory, or the recovery points, are gone");
        }
        if (!lacking.isEmpty() && directory.previousBrokerEpoch().isPresent()) {
            LOG.warn(
                    "{}: the last stop was clean, but not all is here that it left ({}): this broker registers as after a crash",
                    directory.root(),
                    String.join("; ", lacking.subList(0, Math.min(lacking.size(), TOLD)))
                            + (lacking.size() > TOLD ? "; and " + (lacking.size() - TOLD) + " more" : ""));
        }
    }

    /** A replica is about to cut its log there. */
    void cut(PartitionHost host, long end) {
        directory.cutHighWatermarks(Map.of(nameOf(host), end));
    }

    /** A replica is about to drop all records and go on there. */
    void startAnew(PartitionHost host, long start) {
        cut(host, start);
        directory.raiseLogStart(nameOf(host), start);
    }

    /** It has: a start above that is still on disk would hide, or delete, at the next start what is appended from here on. */
    void startedAnew(PartitionHost host, long start) {
        directory.setLogStart(nameOf(host), start);
        keepLogStart(nameOf(host), start);
    }

    /** A damaged directory costs its own replica alone; a disk that fails, the node. */
    private void find(PartitionName name) {
        Optional<UUID> topicId = Optional.empty();
        try {
            topicId = PartitionMetadata.read(ports.disk(), directory.directory(name));
            Opened opened = open(name);
            // Nobody will claim records whose topic nobody knows: to this broker they are lost.
            if (topicId.isEmpty() && !isEmpty(opened.log())) {
                lacking.add(name + " has records and no topic id");
            }
            unclaimed.put(name, new Found(opened, topicId));
            keepLogStart(name, opened.state().logStart());
        } catch (StorageException e) {
            if (!e.isDamage()) {
                throw e;
            }
            offline.put(name, topicId);
            lacking.add(name + " is offline");
            keepLogStart(name, directory.logStartOffset(name));
            LOG.error(
                    "{}: offline: {}; mend it, or, if another replica is in sync, move {} away, and start again",
                    name,
                    e.getMessage(),
                    directory.directory(name));
        }
    }

    /**
     * The broker epoch of the life that stopped in order before this one; -1 where none did, or where not all is here that it
     * left: who lacks records must not count as one that has them all (KIP-966).
     */
    long previousBrokerEpoch() {
        return lacking.isEmpty() ? directory.previousBrokerEpoch().orElse(-1L) : -1L;
    }

    private static boolean isEmpty(PartitionLog log) {
        return log.logEndOffset() == log.firstOffset();
    }

    private Opened open(PartitionName name) {
        Recovered recovered = PartitionLog.open(
                ports.disk(),
                directory.directory(name),
                config,
                directory.cleanShutdown(),
                directory.recoveryPoint(name),
                directory.logStartOffset(name));
        recovered.repairs().forEach(repair -> LOG.warn("{}: {}", name, repair));
        PartitionLog log = recovered.log();
        if (recovered.logEndOffset() < directory.recoveryPoint(name)) {
            lacking.add(name + " ends at " + recovered.logEndOffset() + " and was on disk up to "
                    + directory.recoveryPoint(name));
        }
        if (recovered.logStartOffset() > directory.logStartOffset(name)) {
            lacking.add(name + " starts at " + recovered.logStartOffset() + " and started at "
                    + directory.logStartOffset(name));
        }
        long hw =
                Math.max(recovered.logStartOffset(), Math.min(directory.highWatermark(name), recovered.logEndOffset()));
        return new Opened(
                log,
                new LogState(
                        recovered.logStartOffset(),
                        recovered.logEndOffset(),
                        log.durableEndOffset(),
                        hw,
                        recovered.epochs(),
                        recovered.producers()));
    }

    /**
     * The log of a replica that the metadata places here: the one found at the start, or a new one; null where what was found
     * is damaged, and not known to be another topic's.
     *
     * @param leaderEpoch the highest that the partition has had: a registration that came after the start is applied
     */
    @Nullable
    Opened take(TopicPartition id, String topic, int leaderEpoch) {
        PartitionName name = new PartitionName(topic, id.partition());
        Optional<UUID> damaged = offline.get(name);
        if (damaged != null) {
            if (damaged.isEmpty() || damaged.get().equals(id.topicId())) {
                return null;
            }
            offline.remove(name);
            stray(name, damaged);
        }
        Found found = unclaimed.remove(name);
        if (found != null) {
            if (found.topicId().equals(Optional.of(id.topicId()))) {
                return mended(name, found.opened(), leaderEpoch);
            }
            moveAside(name, found);
        }
        Opened made = open(name);
        made.log().writeTopicId(id.topicId());
        return made;
    }

    private static Opened mended(PartitionName name, Opened found, int leaderEpoch) {
        LogState state = found.state();
        List<EpochStart> epochs = found.log().mendEpochs(state.epochs(), leaderEpoch);
        if (epochs.equals(state.epochs())) {
            return found;
        }
        LOG.warn(
                "{}: {}: damaged leader epochs {}, the partition has had none above {}; now {}",
                name,
                found.log().dir(),
                state.epochs(),
                leaderEpoch,
                epochs);
        return new Opened(
                found.log(),
                new LogState(state.logStart(), state.logEnd(), state.flushed(), state.hw(), epochs, state.producers()));
    }

    /**
     * What the metadata places here was taken: the topics of the rest were deleted, or placed elsewhere, while this node was
     * down.
     */
    void moveStraysAside() {
        if (!unclaimed.isEmpty()) {
            LOG.warn("{} partition directories are of no replica that the metadata places here", unclaimed.size());
        }
        unclaimed.forEach(this::moveAside);
        unclaimed.clear();
    }

    /** Records are kept for the operator to look at, an empty log is not. */
    private void moveAside(PartitionName name, Found found) {
        PartitionLog log = found.opened().log();
        boolean empty = isEmpty(log);
        log.close(false);
        if (empty) {
            retire(name);
            return;
        }
        stray(name, found.topicId());
    }

    private void stray(PartitionName name, Optional<UUID> topicId) {
        logStarts.remove(name);
        Path renamed = directory.markStray(name, unique());
        LOG.warn(
                "{}: {} is not a replica that the metadata places here: moved to {}, delete it if it is not missed",
                name,
                topicId.map(id -> "topic id " + id).orElse("a directory without a topic id"),
                renamed);
    }

    /** Deletes a replica's directory, in the background but for its rename. */
    void delete(PartitionHost host) {
        host.log.close(false);
        retire(nameOf(host));
    }

    private void retire(PartitionName name) {
        logStarts.remove(name);
        Path renamed = directory.markDeleted(name, unique());
        ports.dataFlush().execute(() -> directory.deleteTree(renamed));
    }

    private String unique() {
        return Long.toHexString(ports.random().nextLong());
    }

    /** Writes {@code replication-offset-checkpoint}, on the flush thread. */
    void checkpointHighWatermarks(Collection<PartitionHost> hosts) {
        highWatermarks.write(() -> highWatermarks(hosts));
    }

    /** Writes {@code recovery-point-offset-checkpoint}, on the flush thread. */
    void checkpointRecoveryPoints(Collection<PartitionHost> hosts) {
        recoveryPoints.write(() -> recoveryPoints(hosts));
    }

    /** Writes {@code log-start-offset-checkpoint}, on the flush thread. */
    void checkpointLogStarts(Collection<PartitionHost> hosts) {
        logStartOffsets.write(() -> logStarts(hosts));
    }

    /**
     * A file that is written every few seconds. While one writing of it waits for a slow disk no other is asked for: the next
     * one tells the same and more, and the flush thread's queue does not grow.
     */
    private final class Checkpoint {
        private final ObjLongConsumer<Map<PartitionName, Long>> file;
        /** Set on the loop, taken back on the flush thread. */
        private volatile boolean waits;

        Checkpoint(ObjLongConsumer<Map<PartitionName, Long>> file) {
            this.file = file;
        }

        void write(Supplier<Map<PartitionName, Long>> offsets) {
            if (waits) {
                return;
            }
            waits = true;
            Map<PartitionName, Long> now = offsets.get();
            long cuts = directory.cuts();
            ports.dataFlush().execute(() -> {
                waits = false;
                file.accept(now, cuts);
            });
        }
    }

    private Map<PartitionName, Long> highWatermarks(Collection<PartitionHost> hosts) {
        return offsets(
                hosts,
                directory::highWatermark,
                opened -> opened.state().hw(),
                host -> host.view().hw());
    }

    private Map<PartitionName, Long> recoveryPoints(Collection<PartitionHost> hosts) {
        return offsets(
                hosts,
                directory::recoveryPoint,
                opened -> opened.log().recoveryPoint(),
                host -> host.log.recoveryPoint());
    }

    /** Of every log: also of one that no replica has taken yet, or that is damaged, as the last life knew it. */
    private Map<PartitionName, Long> offsets(
            Collection<PartitionHost> hosts,
            ToLongFunction<PartitionName> damaged,
            ToLongFunction<Opened> untaken,
            ToLongFunction<PartitionHost> taken) {
        Map<PartitionName, Long> offsets = new TreeMap<>();
        offline.keySet().forEach(name -> offsets.put(name, damaged.applyAsLong(name)));
        unclaimed.forEach((name, found) -> offsets.put(name, untaken.applyAsLong(found.opened())));
        hosts.forEach(host -> offsets.put(nameOf(host), taken.applyAsLong(host)));
        return offsets;
    }

    /** Of every log as well, but for those that start at 0; a copy, since another thread writes it. */
    private Map<PartitionName, Long> logStarts(Collection<PartitionHost> hosts) {
        hosts.forEach(host -> keepLogStart(nameOf(host), host.view().logStart()));
        return new TreeMap<>(logStarts);
    }

    private void keepLogStart(PartitionName name, long offset) {
        if (offset > 0) {
            logStarts.put(name, offset);
        } else {
            logStarts.remove(name);
        }
    }

    /**
     * Closes every log in order, writes the checkpoints and, last, the clean-shutdown file: what still waits for the disk must
     * not replace what the mark vouches for, and is dropped. A life that never registered
     * ({@code brokerEpoch} -1) has changed nothing: the stop before it counts.
     */
    void closeAll(Collection<PartitionHost> hosts, long brokerEpoch) {
        hosts.forEach(host -> host.log.close(true));
        unclaimed.values().forEach(found -> found.opened().log().close(true));
        long cuts = directory.refuseOlder();
        directory.writeHighWatermarks(highWatermarks(hosts), cuts);
        directory.writeRecoveryPoints(recoveryPoints(hosts), cuts);
        directory.writeLogStartOffsets(logStarts(hosts), cuts);
        directory.markClean(brokerEpoch >= 0 ? brokerEpoch : previousBrokerEpoch());
    }

    private static PartitionName nameOf(PartitionHost host) {
        return new PartitionName(host.topic, host.id.partition());
    }
}
