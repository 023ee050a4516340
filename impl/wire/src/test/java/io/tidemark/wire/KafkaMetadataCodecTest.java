package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.VoterSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.FenceBrokerRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

class KafkaMetadataCodecTest {
    private final KafkaMetadataCodec codec = new KafkaMetadataCodec();

    @Provide
    Arbitrary<List<MetadataRecord>> records() {
        Arbitrary<UUID> ids =
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new);
        Arbitrary<String> names = Arbitraries.strings().alpha().ofMaxLength(20);
        Arbitrary<Integer> numbers = Arbitraries.integers();
        Arbitrary<Long> longs = Arbitraries.longs();
        Arbitrary<Short> shorts = Arbitraries.shorts();
        Arbitrary<List<Integer>> lists = numbers.list().ofMaxSize(4);
        Arbitrary<LeaderRecovery> recoveries = Arbitraries.of(LeaderRecovery.class);
        Arbitrary<PartitionRegistration> partitions = Combinators.combine(
                        lists, ids.list().ofMaxSize(3), lists, lists, lists, recoveries, numbers, numbers)
                .as((replicas, directories, isr, elr, last, recovery, leader, epoch) -> new PartitionRegistration(
                        replicas, directories, isr, elr, last, isr, elr, leader, recovery, epoch, epoch + 1));
        Arbitrary<MetadataRecord> changes = Combinators.combine(
                        ids,
                        numbers,
                        lists.injectNull(0.4),
                        numbers.filter(n -> n != -2).injectNull(0.4),
                        lists.injectNull(0.4),
                        recoveries.injectNull(0.4),
                        lists.injectNull(0.4),
                        ids.list().ofMaxSize(3).injectNull(0.4))
                .as((id, p, isr, leader, replicas, recovery, elr, dirs) -> new MetadataRecord.PartitionChange(
                        id, p, isr, leader, replicas, elr, isr, recovery, elr, replicas, dirs));
        Arbitrary<Boolean> bools = Arbitraries.of(true, false);
        Arbitrary<MetadataRecord> brokers = Combinators.combine(
                        numbers, longs, ids, names.injectNull(0.3), ids.list().ofMaxSize(2), bools, bools)
                .as((id, epoch, incarnation, rack, dirs, fenced, down) ->
                        new MetadataRecord.RegisterBroker(new BrokerRegistration(
                                id,
                                epoch,
                                incarnation,
                                Samples.ENDPOINTS,
                                Samples.features(),
                                rack,
                                dirs,
                                fenced,
                                down)));
        Arbitrary<MetadataRecord> simple = Arbitraries.oneOf(
                Combinators.combine(names, ids).as(MetadataRecord.Topic::new),
                ids.map(MetadataRecord.RemoveTopic::new),
                names.map(MetadataRecord.ClearElr::new),
                Combinators.combine(numbers, longs).as(MetadataRecord.UnregisterBroker::new),
                Combinators.combine(names, shorts).as(MetadataRecord.FeatureLevel::new),
                Combinators.combine(numbers, longs, longs).as(MetadataRecord.ProducerIds::new),
                Combinators.combine(Arbitraries.bytes(), names, names, names.injectNull(0.3))
                        .as(MetadataRecord.Config::new),
                Combinators.combine(
                                numbers,
                                longs,
                                bools.injectNull(0.3),
                                Arbitraries.just(true).injectNull(0.5))
                        .as(MetadataRecord.BrokerRegistrationChange::new),
                Combinators.combine(numbers, ids, bools)
                        .as((id, incarnation, ready) -> new MetadataRecord.RegisterController(
                                id, incarnation, ready, Samples.ENDPOINTS, Samples.features())),
                names.injectNull(0.5).map(MetadataRecord.BeginTransaction::new),
                names.injectNull(0.5).map(MetadataRecord.AbortTransaction::new),
                Arbitraries.of(new MetadataRecord.EndTransaction(), new MetadataRecord.NoOp()));
        Arbitrary<MetadataRecord> partition =
                Combinators.combine(ids, numbers, partitions).as(MetadataRecord.Partition::new);
        return Arbitraries.oneOf(simple, partition, changes, brokers)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property(tries = 300)
    void whatIsWrittenIsReadAgainByUsAndByKafka(@ForAll("records") List<MetadataRecord> records) {
        ByteBuffer batch = codec.encode(records, 123).buffer();
        assertThat(codec.decode(batch)).isEqualTo(records);
        int offset = 0;
        for (Record record : MemoryRecords.readableRecords(batch).records()) {
            assertThat(record.timestamp()).isEqualTo(123);
            assertThat(record.offset()).isEqualTo(offset++);
            MetadataRecordSerde.INSTANCE.read(new ByteBufferAccessor(record.value()), record.valueSize());
        }
        assertThat(offset).isEqualTo(records.size());
    }

    @Property(tries = 200)
    void damagedBytesAreRefusedAndNothingElseHappens(
            @ForAll("records") List<MetadataRecord> records, @ForAll int where, @ForAll byte what) {
        ByteBuffer batch = codec.encode(records, 123).buffer();
        byte[] bytes = new byte[batch.remaining()];
        batch.get(bytes);
        int at = 17 + Math.floorMod(where, bytes.length - 17); // the CRC covers the rest
        bytes[at] ^= what == 0 ? 1 : what;
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(bytes))).isInstanceOf(IllegalArgumentException.class);
    }

    private ByteBuffer written(ApiMessage message, int version) {
        ApiMessageAndVersion versioned = new ApiMessageAndVersion(message, (short) version);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer value = ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(versioned, cache));
        MetadataRecordSerde.INSTANCE.write(versioned, cache, new ByteBufferAccessor(value));
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(value.array()))
                .buffer();
    }

    @Test
    void readsWhatKafkaWrote() {
        assertThat(codec.decode(written(new FenceBrokerRecord().setId(3).setEpoch(4), 0)))
                .containsExactly(new MetadataRecord.BrokerRegistrationChange(3, 4, true, null));
        assertThat(codec.decode(
                        written(new AccessControlEntryRecord().setPrincipal("p").setHost("h"), 0)))
                .containsExactly(new MetadataRecord.Unknown(new AccessControlEntryRecord().apiKey()));
        PartitionRecord old = new PartitionRecord()
                .setPartitionId(1)
                .setReplicas(List.of(1))
                .setIsr(List.of(1))
                .setLeader(1)
                .setLeaderEpoch(2)
                .setPartitionEpoch(3);
        assertThat(codec.decode(written(old, 0)))
                .containsExactly(new MetadataRecord.Partition(
                        new UUID(0, 0),
                        1,
                        new PartitionRegistration(
                                List.of(1),
                                List.of(),
                                List.of(1),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                1,
                                LeaderRecovery.RECOVERED,
                                2,
                                3)));
    }

    @Test
    void aKindFromTheFutureIsNamedNotDropped() {
        ByteBuffer value = ByteBuffer.allocate(8);
        new ByteBufferAccessor(value).writeUnsignedVarint(1);
        new ByteBufferAccessor(value).writeUnsignedVarint(999);
        new ByteBufferAccessor(value).writeUnsignedVarint(0);
        ByteBuffer batch = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(value.array()))
                .buffer();
        assertThat(codec.decode(batch)).containsExactly(new MetadataRecord.Unknown((short) 999));
    }

    @Test
    void controlRecordsAreKafkas() {
        List<ControlRecord> records = List.of(
                new ControlRecord.LeaderChange(1, List.of(1, 2, 3), List.of(1, 3)),
                new ControlRecord.KRaftVersion((short) 1),
                new ControlRecord.Voters(VoterSet.of(List.of(new VoterSet.Voter(Samples.KEY, Samples.ENDPOINTS)))));
        ByteBuffer batch = codec.encodeControl(records, 55).buffer();
        assertThat(codec.decodeControl(batch)).isEqualTo(records);

        List<Record> kafka = new ArrayList<>();
        MemoryRecords.readableRecords(batch).records().forEach(kafka::add);
        assertThat(kafka.stream().map(r -> ControlRecordType.parse(r.key())))
                .containsExactly(
                        ControlRecordType.LEADER_CHANGE,
                        ControlRecordType.KRAFT_VERSION,
                        ControlRecordType.KRAFT_VOTERS);
        assertThat(ControlRecordUtils.deserializeLeaderChangeMessage(kafka.get(0))
                        .grantingVoters())
                .extracting(v -> v.voterId())
                .containsExactly(1, 3);
        assertThat(ControlRecordUtils.deserializeVotersRecord(kafka.get(2))
                        .voters()
                        .get(0)
                        .endpoints()
                        .find(Samples.LISTENER)
                        .port())
                .isEqualTo(9093);
        assertThatThrownBy(() -> codec.decode(batch)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatHasNoPlaceInKafkasSchema() {
        assertThatThrownBy(() -> codec.encode(List.of(new MetadataRecord.Unknown((short) 3)), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.encode(List.of(), 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
