package io.tidemark.core;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.Producers;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionInvariants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One broker of a {@link StoryCluster}: its replica, its disk, and what it has under way. */
final class StoryBroker {
    /** A batch of one record on a disk; what it holds is its {@code id}. */
    record Stored(BatchHeader header, int id) {
        int epoch() {
            return header.leaderEpoch();
        }
    }

    record Bytes(List<Stored> stored) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return stored.size();
        }
    }

    final int id;
    final List<Stored> log = new ArrayList<>();
    private final Guards guards;
    private final boolean flush;
    PartitionCore core;
    PartitionInvariants alone = new PartitionInvariants();
    boolean up = true;
    int incarnation;
    long epoch;
    /** The next record of the metadata log to be applied. */
    int next;

    long flushed;

    @Nullable
    FetchAsked fetch;

    @Nullable
    AlterPartitionAsked alter;

    StoryCluster.@Nullable Fetched fetched;

    @Nullable
    AlterPartitionAsked decided;

    @Nullable
    AlterPartitionAnswer altered;

    StoryBroker(int id, Guards guards, boolean flush) {
        this.id = id;
        this.guards = guards;
        this.flush = flush;
        this.core = core(0);
    }

    private PartitionCore core(long hw) {
        List<EpochStart> epochs = new ArrayList<>();
        for (int offset = 0; offset < log.size(); offset++) {
            if (offset == 0 || log.get(offset).epoch() > log.get(offset - 1).epoch()) {
                epochs.add(new EpochStart(log.get(offset).epoch(), offset));
            }
        }
        LogState state = new LogState(0, log.size(), log.size(), hw, epochs, producers());
        PartitionCore started = new PartitionCore(new PartitionConfig(id, guards), state);
        started.apply(new PartitionInput.ApplyFlushChange(flush ? 1 : Long.MAX_VALUE));
        return started;
    }

    private List<ProducerEntry> producers() {
        Producers fold = new Producers();
        log.forEach(stored -> fold.appended(stored.header));
        return fold.snapshot();
    }

    void die(int kept) {
        up = false;
        cut(kept);
    }

    /** A new life on what the disk has. */
    void start() {
        fetch = null;
        alter = null;
        fetched = null;
        decided = null;
        altered = null;
        flushed = log.size();
        core = core(Math.min(core.view().hw(), log.size()));
        alone = new PartitionInvariants();
        up = true;
    }

    /** A fetch says what is fsynced, where anybody asks for that. */
    boolean mayFetch() {
        return up && fetch != null && (!flush || flushed >= fetch.offset());
    }

    private void cut(int end) {
        log.subList(end, log.size()).clear();
        flushed = Math.min(flushed, end);
    }

    private void store(BatchHeader header, Stored sent) {
        if (log.stream().anyMatch(known -> known.id == sent.id)) {
            throw new StoryInvariants.Violation("NoDuplicates", "record " + sent.id + " twice on broker " + id);
        }
        log.add(new Stored(header, sent.id));
    }

    void carryOut(PartitionEffect effect, ArrayDeque<PartitionInput> inputs) {
        if (effect instanceof PartitionEffect.Append append) {
            store(append.batch(), ((Bytes) append.records()).stored.get(0));
        } else if (effect instanceof PartitionEffect.AppendFetched append) {
            for (int i = 0; i < append.batches().size(); i++) {
                store(append.batches().get(i), ((Bytes) append.records()).stored.get(i));
            }
        } else if (effect instanceof PartitionEffect.Truncate truncate) {
            cut((int) truncate.offset());
            inputs.addFirst(new PartitionInput.ReloadProducers(producers()));
        } else if (effect instanceof PartitionEffect.SendAlterPartition send) {
            alter = send.request();
        } else if (effect instanceof PartitionEffect.AbandonAlterPartition) {
            alter = null;
        } else if (effect instanceof PartitionEffect.Fetch send) {
            fetch = send.request();
        } else if (effect instanceof PartitionEffect.AbandonFetch) {
            fetch = null;
        }
    }
}
