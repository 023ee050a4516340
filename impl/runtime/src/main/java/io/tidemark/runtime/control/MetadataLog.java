package io.tidemark.runtime.control;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.Regions;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.Recovered;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's files of the quorum: the metadata log and {@code quorum-state}. Appends go to the page cache at once; fsync
 * happens on the metadata flush thread. Used from the control loop alone.
 */
public final class MetadataLog {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataLog.class);

    /** Bound of one answer to a fetch, as in Kafka's quorum. */
    private static final int MAX_FETCH_BYTES = 8 * 1024 * 1024;

    private final Ports ports;
    private final PartitionLog log;
    private final QuorumStateFile stateFile;
    private final LogState opened;

    private MetadataLog(Ports ports, Recovered recovered, QuorumStateFile stateFile) {
        this.ports = ports;
        this.log = recovered.log();
        this.stateFile = stateFile;
        this.opened = new LogState(
                recovered.logStartOffset(),
                recovered.logEndOffset(),
                log.durableEndOffset(),
                recovered.logStartOffset(),
                recovered.epochs(),
                recovered.producers());
    }

    /** Opens, recovers and fsyncs it. */
    public static MetadataLog open(Ports ports, Path directory, int segmentIndexBytes, long logStartOffset) {
        LogConfig config = new LogConfig(
                LogConfig.DEFAULT.segmentBytes(), LogConfig.DEFAULT.indexIntervalBytes(), segmentIndexBytes, false);
        // As in Kafka, whatever the clean-shutdown file says: it was written while the quorum still appended.
        boolean clean = false;
        Recovered recovered = PartitionLog.open(ports.disk(), directory, config, clean, 0, logStartOffset);
        recovered.repairs().forEach(repair -> LOG.warn("{}: {}", directory.getFileName(), repair));
        // What a killed process left in the page cache counts only once it is on disk; and so does the directory's own
        // name:
        // quorum-state will lie in it, and a vote must not be lost with it.
        recovered.log().flush(Long.MAX_VALUE);
        return new MetadataLog(ports, recovered, new QuorumStateFile(ports.disk(), directory));
    }

    /** The quorum's replica as the files held it when they were opened. */
    public QuorumCore replica(QuorumConfig config) {
        return new QuorumCore(config, stateFile.read().orElse(QuorumStateData.INITIAL), opened, voterHistory());
    }

    /** Takes batches of the log, header and all bytes. */
    interface BatchSink {
        void batch(BatchHeader header, ByteBuffer bytes);
    }

    /** The voter sets in the log, by the offset of their record. */
    private SortedMap<Long, VoterSet> voterHistory() {
        TreeMap<Long, VoterSet> history = new TreeMap<>();
        scan(log.firstOffset(), log.logEndOffset(), (header, bytes) -> {
            if (header.control()) {
                long offset = header.baseOffset();
                for (ControlRecord record : ports.codec().decodeControl(bytes)) {
                    if (record instanceof ControlRecord.Voters voters) {
                        history.put(offset, voters.voters());
                    }
                    offset++;
                }
            }
        });
        return history;
    }

    /** Hands every batch from the one that holds {@code from} up to {@code to} to {@code sink}, in order. */
    void scan(long from, long to, BatchSink sink) {
        long offset = from;
        while (offset < to) {
            ByteBuffer buffer = Regions.bytes(log.read(offset, MAX_FETCH_BYTES, true, to));
            if (!buffer.hasRemaining()) {
                throw new IllegalStateException("the metadata log has nothing at " + offset + ", before " + to);
            }
            for (int position = 0; position < buffer.limit(); ) {
                BatchHeader header = BatchFormat.header(buffer, position, buffer.limit() - position);
                sink.batch(header, buffer.slice(position, header.sizeInBytes()));
                position += header.sizeInBytes();
                offset = header.nextOffset();
            }
        }
    }

    PartitionLog log() {
        return log;
    }

    RecordsRef read(long from, long upTo) {
        return log.read(from, MAX_FETCH_BYTES, true, upTo);
    }

    /** A batch of this leader: {@code records} holds one batch, not yet assigned. */
    void append(long baseOffset, int epoch, RecordBytes records) {
        ByteBuffer buffer = records.buffer();
        BatchFormat.assign(buffer, buffer.position(), baseOffset, epoch);
        log.append(BatchFormat.header(buffer, buffer.position(), buffer.remaining()), buffer);
    }

    /** The first batches of what was fetched. */
    void appendFetched(List<MetadataBatch> batches, RecordBytes records) {
        List<BatchHeader> headers = new ArrayList<>(batches.size());
        int bytes = 0;
        for (MetadataBatch batch : batches) {
            headers.add(batch.header());
            bytes += batch.header().sizeInBytes();
        }
        ByteBuffer buffer = records.buffer().duplicate();
        log.append(headers, buffer.limit(buffer.position() + bytes));
    }

    /** The leader epochs as they are after an append or a truncation. */
    void writeEpochs(List<EpochStart> epochs) {
        log.writeEpochs(epochs);
    }

    /**
     * Checks sizes and CRCs of fetched batches.
     *
     * @throws io.tidemark.storage.CorruptBatchException where they are no whole batches
     */
    List<MetadataBatch> parse(RecordBytes records) {
        ByteBuffer buffer = records.buffer();
        List<MetadataBatch> batches = new ArrayList<>();
        int position = buffer.position();
        for (BatchHeader header : BatchFormat.batches(buffer)) {
            batches.add(new MetadataBatch(
                    header,
                    header.control()
                            ? ports.codec().decodeControl(buffer.slice(position, header.sizeInBytes()))
                            : List.of()));
            position += header.sizeInBytes();
        }
        return batches;
    }

    void truncateTo(long offset) {
        log.truncateTo(offset);
    }

    /** Writes and fsyncs {@code quorum-state}, then calls {@code done} on the loop. */
    void writeQuorumState(QuorumStateData state, Runnable done) {
        ports.metadataFlush().execute(() -> {
            stateFile.write(state);
            ports.controlLoop().post(done);
        });
    }

    /** Closes the log in order, durable to its end. */
    void close() {
        log.close(true);
    }
}
