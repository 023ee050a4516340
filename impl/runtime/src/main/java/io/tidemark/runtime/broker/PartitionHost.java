package io.tidemark.runtime.broker;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.runtime.DurabilityGate;
import io.tidemark.runtime.Flusher;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.Turn;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.ReplicaLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica on this broker: its core, its log, and the carrying out of what the core decides. */
final class PartitionHost {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionHost.class);

    /** What a replica tells the rest of the broker. */
    interface Neighbours {
        void wake(PartitionHost host, PartitionEffect moved);

        void roleChanged(PartitionHost host, PartitionEffect.RoleChanged change);

        void fetch(PartitionHost host, PartitionEffect.Fetch fetch);

        void abandonFetch(PartitionHost host);

        void alterPartition(PartitionHost host, PartitionEffect.SendAlterPartition alter);

        void abandonAlterPartition(PartitionHost host);
    }

    final TopicPartition id;
    final String topic;
    final PartitionCore core;
    final ReplicaLog log;
    final LagTracker lag = new LagTracker();
    final java.util.LinkedHashSet<FetchCall> waitingFetches = new java.util.LinkedHashSet<>();
    private final Ports ports;
    private final Turn turn;
    private final Neighbours neighbours;
    private final DurabilityGate gate;
    private final Flusher flusher;
    private int maxMessageBytes;
    private boolean closed;

    PartitionHost(
            TopicPartition id,
            String topic,
            PartitionCore core,
            ReplicaLog log,
            Ports ports,
            Turn turn,
            Neighbours neighbours) {
        this.id = id;
        this.topic = topic;
        this.core = core;
        this.log = log;
        this.ports = ports;
        this.turn = turn;
        this.neighbours = neighbours;
        this.gate = new DurabilityGate(core.view().flushed());
        this.flusher = new Flusher(log, ports.dataFlush(), ports.dataLoop(), this::onDurable);
    }

    PartitionView view() {
        return core.view();
    }

    String name() {
        return topic + "-" + id.partition();
    }

    int maxMessageBytes() {
        return maxMessageBytes;
    }

    void maxMessageBytes(int bytes) {
        maxMessageBytes = bytes;
    }

    void apply(PartitionInput input) {
        turn.submit(() -> {
            if (!closed) {
                Step<PartitionEffect> step = core.apply(input);
                ports.listener().partition(id, core, input, step);
                for (PartitionEffect effect : step.effects()) {
                    carryOut(effect);
                }
            }
        });
    }

    /** Reads what an answer names. */
    RecordsRef read(long from, long upTo, int maxBytes, boolean minOneMessage) {
        return log.read(from, maxBytes, minOneMessage, upTo);
    }

    /** fsyncs in the background: a completed segment. */
    void flush() {
        flusher.flush();
    }

    /** Takes no more input. The caller closes or deletes the log. */
    void close() {
        closed = true;
        flusher.close();
    }

    private void carryOut(PartitionEffect effect) {
        if (effect instanceof PartitionEffect.Append append) {
            append(append.batch(), (RecordBytes) append.records());
        } else if (effect instanceof PartitionEffect.AppendFetched append) {
            appendFetched(append.batches(), (RecordBytes) append.records());
        } else if (effect instanceof PartitionEffect.ReplyFetch reply) {
            ((FetchCall.Item) reply.token()).answered(reply.answer());
        } else if (effect instanceof PartitionEffect.ReplyProduce reply) {
            ProduceCall.Item item = (ProduceCall.Item) reply.token();
            gate.when(
                    reply.requires(),
                    () -> item.answered(reply.error(), reply.baseOffset(), reply.logStart(), view()),
                    () -> item.answered(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1, -1, view()));
        } else if (effect instanceof PartitionEffect.LeoMoved
                || effect instanceof PartitionEffect.HwMoved
                || effect instanceof PartitionEffect.LogStartMoved) {
            neighbours.wake(this, effect);
        } else if (effect instanceof PartitionEffect.Fetch fetch) {
            gate.when(fetch.requires(), () -> {
                // What waited may have been overtaken by a new leader's epoch.
                if (fetch.request().equals(view().asked())) {
                    neighbours.fetch(this, fetch);
                }
            });
        } else if (effect instanceof PartitionEffect.AbandonFetch) {
            neighbours.abandonFetch(this);
        } else if (effect instanceof PartitionEffect.SendAlterPartition alter) {
            neighbours.alterPartition(this, alter);
        } else if (effect instanceof PartitionEffect.AbandonAlterPartition) {
            neighbours.abandonAlterPartition(this);
        } else if (effect instanceof PartitionEffect.Truncate truncate) {
            LOG.info("{}: truncating from {} to {}", name(), log.logEndOffset(), truncate.offset());
            List<ProducerEntry> producers = log.truncateTo(truncate.offset());
            gate.truncated(truncate.offset(), log.durableEndOffset());
            apply(new PartitionInput.ReloadProducers(producers));
        } else if (effect instanceof PartitionEffect.TruncateFully truncate) {
            LOG.info("{}: starting anew at {}", name(), truncate.offset());
            log.truncateFullyAndStartAt(truncate.offset());
            gate.truncated(truncate.offset(), log.durableEndOffset());
        } else if (effect instanceof PartitionEffect.EpochsChanged changed) {
            log.writeEpochs(changed.epochs());
        } else if (effect instanceof PartitionEffect.Flush) {
            flusher.flush();
        } else if (effect instanceof PartitionEffect.RoleChanged change) {
            neighbours.roleChanged(this, change);
        } else if (effect instanceof PartitionEffect.IsrChanged changed) {
            LOG.info("{}: ISR is {}", name(), changed.isr());
        } else if (effect instanceof PartitionEffect.Self self) {
            apply(self.input());
        } else {
            throw new IllegalStateException("nobody carries out " + effect);
        }
    }

    private void append(BatchHeader batch, RecordBytes records) {
        ByteBuffer buffer = records.buffer();
        BatchFormat.assign(buffer, buffer.position(), batch.baseOffset(), batch.leaderEpoch());
        if (log.append(batch, buffer)) {
            flusher.flush();
        }
    }

    private void appendFetched(List<BatchHeader> batches, RecordBytes records) {
        int bytes = 0;
        for (BatchHeader batch : batches) {
            bytes += batch.sizeInBytes();
        }
        ByteBuffer buffer = records.buffer().duplicate();
        if (log.append(batches, buffer.limit(buffer.position() + bytes))) {
            flusher.flush();
        }
    }

    private void onDurable(long end) {
        apply(new PartitionInput.PersistLog(end));
        turn.submit(() -> gate.flushed(log.durableEndOffset()));
    }
}
