package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.runtime.TestBatches;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.Recovered;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A replica's producers and leader epochs are kept by its core and by its log ({@code io.tidemark.storage} says why). Random
 * appends, truncations and leader epochs; then what the log comes up with is what the core knew.
 */
class CoreAndLogAgreeTest {
    private static final LogConfig SMALL_SEGMENTS = new LogConfig(400, 100, 1_200, false);
    private static final int SEEDS = 150;
    private static final int STEPS = 40;

    private final List<Long> bases = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom(0);
    private BrokerFixture broker = BrokerFixture.started();
    private PartitionHost host;
    private int truncations;
    private int remembered;

    CoreAndLogAgreeTest() {
        host = broker.follow(0);
    }

    @Test
    void afterKillsAndOrderlyStopsTheLogComesUpWithWhatTheCoreKnew() {
        for (int seed = 0; seed < SEEDS; seed++) {
            random = new SplittableRandom(seed);
            broker = BrokerFixture.started();
            broker.logConfig = SMALL_SEGMENTS;
            host = broker.follow(0);
            for (int i = 0; i < STEPS; i++) {
                step(i);
            }
            boolean clean = seed % 2 == 0;
            host.log.close(clean);
            Recovered found = PartitionLog.open(
                    broker.disk, host.log.dir(), SMALL_SEGMENTS, clean, clean ? host.log.logEndOffset() : 0, 0);
            String at = "seed " + seed;
            long end = host.view().logEnd();
            assertThat(found.logEndOffset()).as(at).isEqualTo(end);
            assertThat(found.producers()).as(at).isEqualTo(host.view().producers());
            List<EpochStart> wrote = host.view().log().stream()
                    .filter(start -> start.startOffset() < end)
                    .toList();
            assertThat(found.epochs()).as(at).isEqualTo(wrote);
            remembered += found.producers().size();
        }
        assertThat(truncations).isGreaterThan(SEEDS);
        assertThat(remembered).isGreaterThan(SEEDS);
    }

    private void step(int i) {
        int draw = random.nextInt(10);
        if (draw == 0) {
            int leader = random.nextBoolean() ? 1 : 2;
            broker.commit(new MetadataRecord.Partition(
                    BrokerFixture.TOPIC, 0, BrokerFixture.registration(leader, 5 + i, 10 + i, 1, 2, 3)));
        } else if (host.view().role() == PartitionRole.LEADER) {
            broker.append(0, batch(host.view().producers()));
        } else if (draw == 1 && host.view().logEnd() > 0) {
            truncate();
        } else {
            fetched();
        }
        broker.loop.run();
        if (random.nextInt(4) == 0) {
            broker.fsync();
        }
    }

    /** One to three batches of the leader's epoch. */
    private void fetched() {
        FetchAsked asked = host.view().asked();
        ByteBuffer all = ByteBuffer.allocate(1_000);
        long next = asked.offset();
        for (int i = random.nextInt(3); i >= 0; i--) {
            ByteBuffer batch = batch(host.view().producers()).buffer();
            BatchFormat.assign(batch, 0, next, asked.leaderEpoch());
            next = BatchFormat.batches(batch).get(0).nextOffset();
            all.put(batch.duplicate());
        }
        all.flip();
        answer(asked, null, all);
    }

    /** The leader's log parts from this one at the beginning of some batch. */
    private void truncate() {
        bases.clear();
        host.log.batchesFrom(0, header -> bases.add(header.baseOffset()));
        long at = bases.get(bases.size() - 1 - random.nextInt(Math.min(bases.size(), 6)));
        long before = host.log.logEndOffset();
        answer(host.view().asked(), new OffsetAndEpoch(at, host.view().epochAt(before - 1)), ByteBuffer.allocate(0));
        truncations += host.log.logEndOffset() < before ? 1 : 0;
    }

    private void answer(FetchAsked asked, OffsetAndEpoch diverging, ByteBuffer records) {
        host.apply(new PartitionInput.HandleFetchResponse(
                asked, ErrorCode.NONE, diverging, BatchFormat.batches(records), new RecordBytes(records), -1, 0));
        broker.loop.run();
    }

    /** Of one of three producers, or of none; where it goes on by what is known, and now and then in a new epoch of its own. */
    private RecordBytes batch(List<ProducerEntry> known) {
        int count = 1 + random.nextInt(3);
        int producer = random.nextInt(4);
        ProducerEntry entry = known.stream()
                .filter(e -> e.producerId() == producer)
                .findFirst()
                .orElse(null);
        boolean fresh = entry == null || entry.batches().isEmpty() || random.nextInt(10) == 0;
        int epoch = entry == null ? 0 : entry.producerEpoch() + (fresh ? 1 : 0);
        int sequence =
                fresh ? 0 : entry.batches().get(entry.batches().size() - 1).lastSequence() + 1;
        long timestamp = 1_000 + random.nextInt(1_000);
        return TestBatches.with(TestBatches.produced(count).buffer(), header -> {
            header.putLong(BatchLayout.MAX_TIMESTAMP, timestamp);
            if (producer > 0) {
                header.putLong(BatchLayout.PRODUCER_ID, producer)
                        .putShort(BatchLayout.PRODUCER_EPOCH, (short) epoch)
                        .putInt(BatchLayout.BASE_SEQUENCE, sequence);
            }
        });
    }
}
