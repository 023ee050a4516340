package io.tidemark.core.partition;

import io.tidemark.core.Guards;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.Producers;
import io.tidemark.core.log.RecordsRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One replica of a {@link ModelCluster}: its core, its disk, and what its runtime has to send. */
final class ModelReplica {
    /** A record on a disk; what it holds is its {@code id}. */
    record Stored(BatchHeader header, int id) {}

    record Records(List<Stored> stored) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return stored.size();
        }
    }

    final int id;
    final List<Stored> log = new ArrayList<>();
    boolean up = true;
    int incarnation;
    long brokerEpoch;
    /** The next record of the metadata log to be applied. */
    int next;

    long flushed;
    long hwCheckpoint;
    PartitionCore core;
    PartitionInvariants local = new PartitionInvariants();

    @Nullable
    FetchAsked fetch;

    @Nullable
    AlterPartitionAsked alter;

    private final PartitionConfig config;
    private final long flushMessages;

    ModelReplica(int id, long brokerEpoch, boolean flushEveryMessage, Guards guards) {
        this.id = id;
        this.brokerEpoch = brokerEpoch;
        this.config = new PartitionConfig(id, guards);
        this.flushMessages = flushEveryMessage ? 1 : Long.MAX_VALUE;
        this.core = start();
    }

    private PartitionCore start() {
        List<EpochStart> epochs = new ArrayList<>();
        for (Stored stored : log) {
            int epoch = stored.header.leaderEpoch();
            if (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() < epoch) {
                epochs.add(new EpochStart(epoch, stored.header.baseOffset()));
            }
        }
        PartitionCore started =
                new PartitionCore(config, new LogState(0, log.size(), log.size(), hwCheckpoint, epochs, producers()));
        started.apply(new PartitionInput.ApplyFlushChange(flushMessages));
        return started;
    }

    void restart(long newBrokerEpoch) {
        up = true;
        incarnation++;
        flushed = log.size();
        brokerEpoch = newBrokerEpoch;
        core = start();
        local = new PartitionInvariants();
    }

    List<ProducerEntry> producers() {
        Producers fold = new Producers();
        log.forEach(stored -> fold.appended(stored.header));
        return fold.snapshot();
    }

    void store(Stored stored) {
        ModelInvariants.require(log.stream().noneMatch(known -> known.id == stored.id), "NoDuplicates", stored);
        log.add(stored);
    }

    void cut(int end) {
        log.subList(end, log.size()).clear();
        flushed = Math.min(flushed, end);
    }

    PartitionView view() {
        return core.view();
    }
}
