package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.TestBatches;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every message is flushed: what promises it waits for its fsync. */
class PartitionHostTest {
    private final BrokerFixture broker = BrokerFixture.started(true);
    private final PartitionHost host = broker.follow(0);
    private final FetchAsked waiting = fetchedOne();

    /** A record of broker 2's epoch comes; what is to be asked next. */
    private FetchAsked fetchedOne() {
        FetchAsked asked = Objects.requireNonNull(host.view().asked());
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), 0, asked.offset(), asked.leaderEpoch());
        return answered(ErrorCode.NONE, null, bytes, 0);
    }

    private FetchAsked answered(ErrorCode error, @Nullable OffsetAndEpoch diverging, RecordBytes bytes, long logStart) {
        FetchAsked asked = Objects.requireNonNull(host.view().asked());
        List<BatchHeader> batches = bytes.sizeInBytes() == 0 ? List.of() : List.of(TestBatches.header(bytes));
        host.apply(new PartitionInput.HandleFetchResponse(asked, error, diverging, batches, bytes, 0, logStart));
        broker.loop.run();
        return Objects.requireNonNull(host.view().asked());
    }

    private void become(int leader, int epoch) {
        broker.commit(new MetadataRecord.Partition(
                BrokerFixture.TOPIC, 0, BrokerFixture.registration(leader, epoch, 10 + epoch, 1, 2, 3)));
    }

    @BeforeEach
    void itWaits() {
        assertThat(waiting.offset()).isEqualTo(1);
        assertThat(broker.fetches).hasSize(1).doesNotContain(waiting);
    }

    @Test
    void aFetchLeavesOnceWhatItCoversIsOnDisk() {
        broker.fsync();
        assertThat(broker.fetches).hasSize(2).endsWith(waiting);
    }

    /** A killed process leaves in the page cache what it had not fsynced: the next one finds it, and it is on no disk. */
    @Test
    void whatALifeBeforeLeftIsFsyncedBeforeItIsPromised() {
        BrokerFixture next = broker.killedAndStarted();
        next.commit(BrokerFixture.flushMessages(1));
        PartitionHost found = next.follow(0);
        assertThat(found.view().logEnd()).isEqualTo(1);
        assertThat(found.view().flushed()).isZero();
        assertThat(next.fetches).as("a fetch would say that it has it").isEmpty();
        next.fsync();
        assertThat(next.fetches).extracting(FetchAsked::offset).containsExactly(1L);
    }

    /** As leader it counts itself only up to what it has fsynced. */
    @Test
    void aLeaderCommitsWhatALifeBeforeLeftOnceItIsOnDisk() {
        BrokerFixture next = broker.killedAndStarted();
        next.commit(BrokerFixture.flushMessages(1));
        PartitionHost found = next.lead(0, 1);
        assertThat(found.view().logEnd()).isEqualTo(1);
        assertThat(found.view().hw()).isZero();
        next.fsync();
        assertThat(found.view().hw()).isEqualTo(1);
    }

    /** A record that is written while an fsync is under way waits for the next one. */
    @Test
    void anFsyncCountsForWhatItTookAlone() {
        PartitionHost led = broker.lead(1, 1);
        List<ClientResponse> answers = new ArrayList<>();
        broker.fsyncs.clear();
        broker.append(1, 1);
        broker.fsyncs.remove(0).run();
        new ProduceCall(new ClientRequest.Produce((short) 1, 1_000, List.of(BrokerFixture.produce(1, 1))), answers::add)
                .start(broker.replicas, broker.loop);
        broker.loop.run();
        assertThat(led.view().logEnd()).isEqualTo(2);
        assertThat(led.view().flushed()).isEqualTo(1);
        assertThat(led.view().hw()).isEqualTo(1);
        assertThat(answers).isEmpty();
        broker.fsync();
        assertThat(led.view().flushed()).isEqualTo(2);
        assertThat(led.view().hw()).isEqualTo(2);
        assertThat(answers).hasSize(1);
    }

    /** Its log may be closed, or deleted, or another replica's by now. */
    @Test
    void closedItTakesNoInput() {
        PartitionHost led = broker.lead(1, 1);
        broker.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        broker.inputs.clear();
        RecordBytes batch = TestBatches.produced(1);
        led.apply(new PartitionInput.HandleProduce((short) 1, TestBatches.header(batch), batch, new ReplyToken() {}));
        assertThat(broker.inputs).isEmpty();
        assertThat(led.log.logEndOffset()).isZero();
    }

    /** Else nothing but time and its end would bring a log to disk that is flushed neither by messages nor by ms. */
    @Test
    void aCompletedSegmentIsFsyncedInTheBackground() {
        BrokerFixture unflushed = BrokerFixture.started();
        int batch = TestBatches.produced(1).sizeInBytes();
        unflushed.logConfig = new LogConfig(2 * batch, 0, 1_200, false);
        PartitionHost led = unflushed.lead(0, 1);
        PartitionHost follower = unflushed.follow(1);
        for (int offset = 0; offset < 3; offset++) {
            assertThat(unflushed.fsyncs).isEmpty();
            unflushed.append(0, 1);
            FetchAsked asked = Objects.requireNonNull(follower.view().asked());
            RecordBytes bytes = TestBatches.produced(1);
            BatchFormat.assign(bytes.buffer(), 0, offset, asked.leaderEpoch());
            follower.apply(new PartitionInput.HandleFetchResponse(
                    asked, ErrorCode.NONE, null, List.of(TestBatches.header(bytes)), bytes, 0, 0));
        }
        assertThat(unflushed.fsyncs).hasSize(2);
        unflushed.fsync();
        assertThat(led.view().flushed()).isEqualTo(3);
        assertThat(follower.view().flushed()).isEqualTo(3);
    }

    @Test
    void aFetchThatANewLeaderEpochOvertookMeanwhileIsNotSent() {
        become(3, 5);
        broker.fsync();
        assertThat(broker.fetches).doesNotContain(waiting);
        assertThat(broker.fetches)
                .last()
                .isEqualTo(host.view().asked())
                .extracting(FetchAsked::leader)
                .isEqualTo(3);
    }

    @Test
    void theFsyncOfADeletedReplicaReleasesNothing() {
        broker.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        broker.fsync();
        assertThat(broker.fetches).doesNotContain(waiting);
    }

    /** How the new leader's log parts from this one: it says where, or all that it has lies behind the end of this one. */
    enum Cut {
        DIVERGING,
        OUT_OF_RANGE
    }

    /** Nothing is kept. */
    private void cut(Cut how) {
        if (how == Cut.DIVERGING) {
            answered(ErrorCode.NONE, new OffsetAndEpoch(0, 0), RecordBytes.EMPTY, 0);
        } else {
            answered(ErrorCode.OFFSET_OUT_OF_RANGE, null, RecordBytes.EMPTY, 7);
        }
        assertThat(host.log.logEndOffset()).isEqualTo(host.log.firstOffset());
    }

    /** Else a death in between would leave a high watermark on disk for records that others take the place of. */
    @ParameterizedTest
    @EnumSource
    void beforeATruncationTheHighWatermarkOnDiskIsCut(Cut how) {
        broker.fsync();
        become(3, 5);
        cut(how);
        assertThat(broker.cuts).containsExactly("at " + host.log.firstOffset() + " of 1");
        assertThat(broker.starts)
                .isEqualTo(
                        how == Cut.OUT_OF_RANGE ? List.of(host.log.firstOffset(), host.log.firstOffset()) : List.of());
    }

    /** What takes the place of the records that were cut off is on no disk yet, although they were. */
    @ParameterizedTest
    @EnumSource
    void afterATruncationAFetchWaitsForWhatItCoversNow(Cut how) {
        broker.fsync();
        become(3, 5);
        cut(how);
        FetchAsked next = fetchedOne();
        assertThat(next.offset()).isEqualTo(host.log.firstOffset() + 1);
        assertThat(broker.fetches).doesNotContain(next);
        broker.fsync();
        assertThat(broker.fetches).last().isEqualTo(next);
    }

    /** Another record is flushed at its offset, by then: that must not be taken for the fsync that the answer waited for. */
    @ParameterizedTest
    @EnumSource
    void whatIsCutOffIsNotAcknowledged(Cut how) {
        List<ClientResponse> answers = new ArrayList<>();
        broker.fsync();
        become(1, 5);
        new ProduceCall(new ClientRequest.Produce((short) 1, 1_000, List.of(BrokerFixture.produce(0, 1))), answers::add)
                .start(broker.replicas, broker.loop);
        broker.loop.run();
        assertThat(host.view().logEnd()).isEqualTo(2);
        assertThat(answers).as("it waits for its fsync").isEmpty();
        become(3, 6);
        cut(how);
        fetchedOne();
        fetchedOne();
        broker.fsync();
        broker.fsync();
        assertThat(host.view().flushed()).isEqualTo(host.log.firstOffset() + 2);
        assertThat(answers)
                .singleElement()
                .extracting(answer ->
                        ((ClientResponse.Produced) answer).items().get(0).error())
                .isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void whatNoMessageCountBringsToDiskTimeDoes() {
        BrokerFixture timed = BrokerFixture.started();
        PartitionHost led = timed.lead(0, 1);
        led.flushPolicy(Long.MAX_VALUE, 100);
        timed.append(0, 1);
        timed.loop.elapse(99);
        led.flushByTime(99);
        assertThat(timed.fsyncs).as("flush.ms is not over").isEmpty();
        timed.loop.elapse(1);
        led.flushByTime(100);
        timed.fsync();
        assertThat(led.log.durableEndOffset()).isEqualTo(1);

        timed.append(0, 1);
        led.flushByTime(199);
        assertThat(timed.fsyncs).as("it counts from the last fsync on").isEmpty();
        led.flushByTime(200);
        timed.fsync();
        assertThat(led.log.durableEndOffset()).isEqualTo(2);
        led.flushByTime(1_000);
        assertThat(timed.fsyncs).as("all is on disk").isEmpty();
    }
}
