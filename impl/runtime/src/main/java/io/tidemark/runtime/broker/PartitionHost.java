package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.runtime.DurabilityGate;
import io.tidemark.runtime.Flusher;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica on this broker: its core, its log, and the carrying out of what the core decides. */
final class PartitionHost implements PartitionEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionHost.class);

    /** What a replica tells the rest of the broker. */
    interface Neighbours {
        void fetch(PartitionHost host, FetchAsked request);

        void abandonFetch(PartitionHost host);

        void alterPartition(PartitionHost host, AlterPartitionAsked request);

        void abandonAlterPartition(PartitionHost host);

        /** The log is about to be cut at {@code end}: nothing on disk may tell of a high watermark above when this returns. */
        void cutting(PartitionHost host, long end);

        /**
         * As {@link #cutting}, and the log is to go on at {@code start} with nothing before it: that it starts there is on disk
         * when this returns. Else it would look as if its records had been lost.
         */
        void startingAnew(PartitionHost host, long start);

        /** The log begins at {@code start} now, and at no other: also where it began higher before. */
        void startedAnew(PartitionHost host, long start);
    }

    final TopicPartition id;
    final String topic;
    final PartitionCore core;
    final PartitionLog log;
    private final LagTracker lag = new LagTracker();
    private final LinkedHashSet<FetchCall> waitingFetches = new LinkedHashSet<>();
    private final LinkedHashSet<ProduceCall.Item> waitingProduces = new LinkedHashSet<>();
    private final Ports ports;
    private final StepQueue steps;
    private final Neighbours neighbours;
    private final DurabilityGate gate;
    private final Flusher flusher;
    private long flushMessages = Long.MAX_VALUE;
    private long flushMs = Long.MAX_VALUE;
    private long lastFlushMs;
    private boolean closed;
    private @Nullable String saidDamage;

    PartitionHost(
            TopicPartition id,
            String topic,
            PartitionCore core,
            PartitionLog log,
            Ports ports,
            StepQueue steps,
            Neighbours neighbours) {
        this.id = id;
        this.topic = topic;
        this.core = core;
        this.log = log;
        this.ports = ports;
        this.steps = steps;
        this.neighbours = neighbours;
        this.gate = new DurabilityGate(core.view().flushed());
        this.lastFlushMs = ports.dataLoop().nowMs();
        this.flusher = new Flusher(log, ports.dataFlush(), ports.dataLoop(), this::onDurable);
    }

    PartitionView view() {
        return core.view();
    }

    String name() {
        return topic + "-" + id.partition();
    }

    /** {@code flush.messages} and {@code flush.ms}. */
    void flushPolicy(long messages, long ms) {
        flushMs = ms;
        if (messages != flushMessages) {
            flushMessages = messages;
            apply(new PartitionInput.ApplyFlushChange(messages));
        }
    }

    void apply(PartitionInput input) {
        steps.submit(() -> {
            if (!closed) {
                Step<PartitionEffect> step = core.apply(input);
                ports.listener().partition(id, core, input, step);
                step.effects().forEach(effect -> effect.applyTo(this));
            }
        });
    }

    /**
     * Reads what an answer names.
     *
     * @throws StorageException where the log cannot be read; see {@link #damaged}
     */
    RecordsRef read(long from, long upTo, int maxBytes, boolean minOneMessage) {
        return log.read(from, maxBytes, minOneMessage, upTo);
    }

    /**
     * What was read is not what was written. Whoever asked for it is told so; the rest of the log can be read, and the node's
     * other replicas have nothing to do with it. In Kafka too.
     *
     * @throws StorageException {@code e} itself where the disk failed instead
     */
    void damaged(StorageException e) {
        if (!e.isDamage()) {
            throw e;
        }
        if (!Objects.equals(e.getMessage(), saidDamage)) {
            saidDamage = e.getMessage();
            LOG.error("{}: {}; whoever reads there is told CORRUPT_MESSAGE", name(), e.getMessage());
        }
    }

    /** fsyncs in the background where something has not been on disk for {@code flush.ms}; nobody waits for it. */
    void flushByTime(long nowMs) {
        if (log.durableEndOffset() < log.logEndOffset() && nowMs - lastFlushMs >= flushMs) {
            flusher.flush();
        }
    }

    /** A fetch of this follower, from {@code offset} on, has just been answered without an error. */
    void followerFetched(int replica, long offset) {
        lag.fetched(replica, offset, log.logEndOffset(), ports.dataLoop().nowMs());
    }

    /** While this replica leads: its followers that are behind its log's end, and have been for more than {@code maxMs}. */
    SortedSet<Integer> laggards(long maxMs) {
        return lag.laggards(view().logEnd(), ports.dataLoop().nowMs(), maxMs);
    }

    /** Takes no more input. The caller closes or deletes the log. */
    void close() {
        closed = true;
        flusher.close();
    }

    /** Until {@link #waitsNoMore} the call is woken when something moves here; it may wait here already. */
    void waits(FetchCall call) {
        waitingFetches.add(call);
    }

    void waitsNoMore(FetchCall call) {
        waitingFetches.remove(call);
    }

    /** Until {@link #waitsNoMore} the item is told if this replica is {@link #gone}. */
    void waits(ProduceCall.Item item) {
        waitingProduces.add(item);
    }

    void waitsNoMore(ProduceCall.Item item) {
        waitingProduces.remove(item);
    }

    /** How many wait here, of fetches and of produced batches. */
    int waiting() {
        return waitingFetches.size() + waitingProduces.size();
    }

    /** Whoever waits for records here asks again. */
    private void wakeAll() {
        wake(call -> true);
    }

    /** It is {@link #close closed} and nobody finds it any more: whoever waits here is told so. */
    void gone(ErrorCode error) {
        List.copyOf(waitingProduces).forEach(item -> item.gone(error));
        wakeAll();
    }

    private void wake(Predicate<FetchCall> which) {
        waitingFetches.stream().filter(which).forEach(FetchCall::wake);
    }

    // ---- what the core decides

    @Override
    public void append(PartitionEffect.Append effect) {
        BatchHeader batch = effect.batch();
        ByteBuffer buffer = ((RecordBytes) effect.records()).buffer();
        BatchFormat.assign(buffer, buffer.position(), batch.baseOffset(), batch.leaderEpoch());
        if (log.append(batch, buffer)) {
            flusher.flush();
        }
    }

    @Override
    public void appendFetched(PartitionEffect.AppendFetched effect) {
        int bytes = 0;
        for (BatchHeader batch : effect.batches()) {
            bytes += batch.sizeInBytes();
        }
        ByteBuffer buffer = ((RecordBytes) effect.records()).buffer().duplicate();
        if (log.append(effect.batches(), buffer.limit(buffer.position() + bytes))) {
            flusher.flush();
        }
    }

    @Override
    public void truncate(PartitionEffect.Truncate effect) {
        LOG.info("{}: truncating from {} to {}", name(), log.logEndOffset(), effect.offset());
        neighbours.cutting(this, effect.offset());
        List<ProducerEntry> producers = log.truncateTo(effect.offset());
        gate.truncated(effect.offset(), log.durableEndOffset());
        apply(new PartitionInput.ReloadProducers(producers));
    }

    @Override
    public void truncateFully(PartitionEffect.TruncateFully effect) {
        LOG.info("{}: starting anew at {}", name(), effect.offset());
        neighbours.startingAnew(this, effect.offset());
        log.truncateFullyAndStartAt(effect.offset());
        neighbours.startedAnew(this, effect.offset());
        // Nothing is kept, although what was promised may lie below where the log goes on.
        gate.truncated(0, log.durableEndOffset());
    }

    @Override
    public void epochsChanged(PartitionEffect.EpochsChanged effect) {
        log.writeEpochs(effect.epochs());
    }

    @Override
    public void flush(PartitionEffect.Flush effect) {
        flusher.flush();
    }

    @Override
    public void forgetProducers(PartitionEffect.ForgetProducers effect) {
        effect.producerIds().forEach(log::forgetProducer);
    }

    @Override
    public void sendAlterPartition(PartitionEffect.SendAlterPartition effect) {
        neighbours.alterPartition(this, effect.request());
    }

    @Override
    public void abandonAlterPartition(PartitionEffect.AbandonAlterPartition effect) {
        neighbours.abandonAlterPartition(this);
    }

    @Override
    public void fetch(PartitionEffect.Fetch effect) {
        gate.when(effect.requires(), () -> {
            // What waited may have been overtaken by a new leader's epoch.
            if (effect.request().equals(view().asked())) {
                neighbours.fetch(this, effect.request());
            }
        });
    }

    @Override
    public void abandonFetch(PartitionEffect.AbandonFetch effect) {
        neighbours.abandonFetch(this);
    }

    @Override
    public void replyProduce(PartitionEffect.ReplyProduce effect) {
        ProduceCall.Item item = (ProduceCall.Item) effect.token();
        gate.when(
                effect.requires(),
                () -> item.answered(effect.error(), effect.baseOffset(), effect.logStart(), view()),
                () -> item.answered(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1, -1, view()));
    }

    @Override
    public void replyFetch(PartitionEffect.ReplyFetch effect) {
        ((FetchCall.Item) effect.token()).answered(effect.answer());
    }

    @Override
    public void leoMoved(PartitionEffect.LeoMoved effect) {
        wake(FetchCall::ofFollower);
    }

    @Override
    public void hwMoved(PartitionEffect.HwMoved effect) {
        wake(call -> !call.ofFollower());
    }

    @Override
    public void roleChanged(PartitionEffect.RoleChanged effect) {
        LOG.info("{}: {} in leader epoch {}, leader {}", name(), effect.role(), effect.leaderEpoch(), effect.leader());
        if (effect.role() == PartitionRole.LEADER) {
            lag.reset(view().follower().keySet(), ports.dataLoop().nowMs());
        }
        wakeAll();
    }

    @Override
    public void isrChanged(PartitionEffect.IsrChanged effect) {
        LOG.info("{}: ISR is {}", name(), effect.isr());
    }

    @Override
    public void leadershipRefused(PartitionEffect.LeadershipRefused effect) {
        LOG.error(
                "{}: offline: {} holds records of leader epoch {}, and this replica is to lead in epoch {}; it takes part"
                        + " again once another replica leads",
                name(),
                log.dir(),
                effect.lastEpoch(),
                effect.leaderEpoch());
    }

    @Override
    public void self(PartitionEffect.Self effect) {
        apply(effect.input());
    }

    private void onDurable(long end) {
        lastFlushMs = ports.dataLoop().nowMs();
        apply(new PartitionInput.PersistLog(end));
        // The core's own word, as it stands when the step is done.
        steps.submit(() -> gate.flushed(view().flushed()));
    }
}
