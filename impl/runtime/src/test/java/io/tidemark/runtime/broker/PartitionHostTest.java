package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.TestBatches;
import io.tidemark.storage.BatchFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every message is flushed: what promises it waits for its fsync. */
class PartitionHostTest {
    private final BrokerFixture broker = BrokerFixture.started(true);
    private final PartitionHost host = broker.follow(0);
    private final FetchAsked waiting = fetchedOne();

    /** A record of broker 2's epoch comes; what is to be asked next. */
    private FetchAsked fetchedOne() {
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), 0, 0, 4);
        FetchAsked asked = Objects.requireNonNull(host.view().asked());
        host.apply(new PartitionInput.HandleFetchResponse(
                asked, ErrorCode.NONE, null, List.of(TestBatches.header(bytes)), bytes, 0, 0));
        broker.loop.run();
        return Objects.requireNonNull(host.view().asked());
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

    @Test
    void aFetchThatANewLeaderEpochOvertookMeanwhileIsNotSent() {
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(3, 5, 10, 1, 2, 3)));
        broker.fsync();
        assertThat(broker.fetches).doesNotContain(waiting);
        assertThat(broker.fetches)
                .last()
                .isEqualTo(host.view().asked())
                .extracting(FetchAsked::leader)
                .isEqualTo(3);
    }
}
