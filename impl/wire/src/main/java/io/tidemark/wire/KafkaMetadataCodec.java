package io.tidemark.wire;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.metadata.MetadataRecordSerde;

/** Kafka's format of the metadata log's batches, as its dump-log reads it. */
public final class KafkaMetadataCodec implements MetadataCodec {
    /** The version of a frame around a metadata record. */
    private static final int FRAME_VERSION = 1;

    /** Of the buffer that a batch is built in; it grows. */
    private static final int FIRST_CAPACITY = 512;

    /** Without directory ids, which the quorum's LeaderChange does not carry. */
    private static final short LEADER_CHANGE = 0;

    private static final short KRAFT_VERSIONS_MIN = 0;
    private static final short KRAFT_VERSIONS_MAX = 1;

    @Override
    public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
        MemoryRecordsBuilder batch = batch(false);
        RecordToKafka kafka = new RecordToKafka(message -> {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer value = ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(message, cache));
            MetadataRecordSerde.INSTANCE.write(message, cache, new ByteBufferAccessor(value));
            batch.append(timestampMs, null, value.flip());
        });
        records.forEach(record -> record.applyTo(kafka));
        return bytes(batch);
    }

    @Override
    public List<MetadataRecord> decode(ByteBuffer batch) {
        List<MetadataRecord> records = new ArrayList<>();
        for (Record record : records(batch, false)) {
            records.add(decodeRecord(record.value()));
        }
        return records;
    }

    private static MetadataRecord decodeRecord(ByteBuffer value) {
        try {
            BoundedReadable in = BoundedReadable.of(value, value.remaining());
            int frame = in.readUnsignedVarint();
            int apiKey = in.readUnsignedVarint();
            int version = in.readUnsignedVarint();
            if (frame != FRAME_VERSION || apiKey > Short.MAX_VALUE || version > Short.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a metadata record of frame version " + frame + ", type " + apiKey + ", version " + version);
            }
            if (!known(apiKey)) {
                return new MetadataRecord.Unknown((short) apiKey);
            }
            ApiMessage message = MetadataRecordType.fromId((short) apiKey).newMetadataRecord();
            if (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
                throw new IllegalArgumentException("a metadata record of type " + apiKey + " has version " + version
                        + "; known are " + message.lowestSupportedVersion() + " to "
                        + message.highestSupportedVersion());
            }
            message.read(in, (short) version);
            if (value.hasRemaining()) {
                throw new IllegalArgumentException(
                        value.remaining() + " bytes behind a metadata record of type " + apiKey);
            }
            return MetadataRecordMapping.neutral(message);
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("a metadata record cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean known(int apiKey) {
        for (MetadataRecordType type : MetadataRecordType.values()) {
            if (type.id() == apiKey) {
                return true;
            }
        }
        return false;
    }

    @Override
    public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
        MemoryRecordsBuilder batch = batch(true);
        for (ControlRecord record : records) {
            if (record instanceof ControlRecord.LeaderChange change) {
                batch.appendControlRecord(
                        timestampMs, ControlRecordType.LEADER_CHANGE, value(leaderChange(change), LEADER_CHANGE));
            } else if (record instanceof ControlRecord.KRaftVersion version) {
                short current = ControlRecordUtils.KRAFT_VERSION_CURRENT_VERSION;
                batch.appendControlRecord(
                        timestampMs,
                        ControlRecordType.KRAFT_VERSION,
                        value(
                                new KRaftVersionRecord().setVersion(current).setKRaftVersion(version.version()),
                                current));
            } else if (record instanceof ControlRecord.Voters voters) {
                batch.appendControlRecord(
                        timestampMs,
                        ControlRecordType.KRAFT_VOTERS,
                        value(voters(voters.voters()), ControlRecordUtils.KRAFT_VOTERS_CURRENT_VERSION));
            }
        }
        return bytes(batch);
    }

    /** Base offset and leader epoch are 0 until the batch is appended. */
    private static MemoryRecordsBuilder batch(boolean control) {
        return new MemoryRecordsBuilder(
                ByteBuffer.allocate(FIRST_CAPACITY),
                RecordBatch.CURRENT_MAGIC_VALUE,
                Compression.NONE,
                TimestampType.CREATE_TIME,
                0,
                RecordBatch.NO_TIMESTAMP,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                control,
                0,
                Integer.MAX_VALUE);
    }

    private static RecordBytes bytes(MemoryRecordsBuilder batch) {
        if (batch.numRecords() == 0) {
            throw new IllegalArgumentException("a batch must have a record");
        }
        return new RecordBytes(batch.build().buffer());
    }

    private static ByteBuffer value(Message message, short version) {
        return MessageUtil.toByteBufferAccessor(message, version).buffer();
    }

    private static LeaderChangeMessage leaderChange(ControlRecord.LeaderChange change) {
        return new LeaderChangeMessage()
                .setVersion(LEADER_CHANGE)
                .setLeaderId(change.leaderId())
                .setVoters(change.voters().stream()
                        .map(id -> new LeaderChangeMessage.Voter().setVoterId(id))
                        .toList())
                .setGrantingVoters(change.grantingVoters().stream()
                        .map(id -> new LeaderChangeMessage.Voter().setVoterId(id))
                        .toList());
    }

    private static VotersRecord voters(VoterSet set) {
        VotersRecord record = new VotersRecord().setVersion(ControlRecordUtils.KRAFT_VOTERS_CURRENT_VERSION);
        for (VoterSet.Voter voter : set.voters().values()) {
            VotersRecord.Voter kafka = new VotersRecord.Voter()
                    .setVoterId(voter.key().id())
                    .setVoterDirectoryId(Ids.kafka(voter.key().directoryId()))
                    .setKRaftVersionFeature(new VotersRecord.KRaftVersionFeature()
                            .setMinSupportedVersion(KRAFT_VERSIONS_MIN)
                            .setMaxSupportedVersion(KRAFT_VERSIONS_MAX));
            for (Endpoint endpoint : voter.endpoints()) {
                kafka.endpoints()
                        .add(new VotersRecord.Endpoint()
                                .setName(endpoint.listener())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port()));
            }
            record.voters().add(kafka);
        }
        return record;
    }

    @Override
    public List<ControlRecord> decodeControl(ByteBuffer batch) {
        List<ControlRecord> records = new ArrayList<>();
        for (Record record : records(batch, true)) {
            try {
                ControlRecordType type = ControlRecordType.parse(record.key());
                if (type == ControlRecordType.LEADER_CHANGE) {
                    LeaderChangeMessage change = ControlRecordUtils.deserializeLeaderChangeMessage(record.value());
                    records.add(new ControlRecord.LeaderChange(
                            change.leaderId(), ids(change.voters()), ids(change.grantingVoters())));
                } else if (type == ControlRecordType.KRAFT_VERSION) {
                    records.add(new ControlRecord.KRaftVersion(
                            ControlRecordUtils.deserializeKRaftVersionRecord(record.value())
                                    .kRaftVersion()));
                } else if (type == ControlRecordType.KRAFT_VOTERS) {
                    records.add(new ControlRecord.Voters(
                            voters(ControlRecordUtils.deserializeVotersRecord(record.value()))));
                }
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("a control record cannot be read: " + e.getMessage(), e);
            }
        }
        return records;
    }

    private static List<Integer> ids(List<LeaderChangeMessage.Voter> voters) {
        return voters.stream().map(LeaderChangeMessage.Voter::voterId).toList();
    }

    private static VoterSet voters(VotersRecord record) {
        return VoterSet.of(record.voters().stream()
                .map(v -> new VoterSet.Voter(
                        new ReplicaKey(v.voterId(), Ids.java(v.voterDirectoryId())),
                        v.endpoints().stream()
                                .map(e -> new Endpoint(e.name(), e.host(), e.port()))
                                .toList()))
                .toList());
    }

    private static List<Record> records(ByteBuffer bytes, boolean control) {
        List<Record> records = new ArrayList<>();
        try {
            int batches = 0;
            for (MutableRecordBatch batch :
                    MemoryRecords.readableRecords(bytes.slice()).batches()) {
                batches++;
                batch.ensureValid();
                if (batch.isControlBatch() != control) {
                    throw new IllegalArgumentException(
                            control
                                    ? "a data batch where a control batch is due"
                                    : "a control batch where records are due");
                }
                batch.forEach(records::add);
            }
            if (batches != 1) {
                throw new IllegalArgumentException(batches + " whole batches where one is due");
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the bytes are no batch of records: " + e.getMessage(), e);
        }
        for (Record record : records) {
            if (!record.hasValue() || (control && !record.hasKey())) {
                throw new IllegalArgumentException("a record without " + (record.hasValue() ? "key" : "value"));
            }
        }
        return records;
    }
}
