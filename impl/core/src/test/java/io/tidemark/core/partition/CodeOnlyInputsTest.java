package io.tidemark.core.partition;

import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.failed;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodeOnlyInputsTest {
    @Test
    void aTimedOutAckIsAnsweredOnce() {
        Fixture leader = Fixture.replica().leads(1, 2, 3);
        leader.step(produce(ALL, batch(1)));
        Step<PartitionEffect> step = leader.step(new PartitionInput.AckTimeout(T));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(failed(T, ErrorCode.REQUEST_TIMED_OUT));
        assertThat(leader.view.logEnd()).as("the record stays").isEqualTo(1);
        assertThat(leader.refuses(new PartitionInput.AckTimeout(T))).isEmpty();
        leader.fetches(2, 1);
        assertThat(leader.fetches(3, 1)).containsExactly(hw(1), leader.readable(1, 1, 1));
    }

    @Test
    void aFetchThatWaitedReadsAgainAndSaysNothingNewOfItsFollower() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(2);
        leader.fetches(2, 2);
        leader.writes(1);
        leader.fetches(2, 3);
        assertThat(leader.refuses(new PartitionInput.FollowerRead(1, 2, 1, T)))
                .containsExactly(leader.readable(2, 3, leader.view.hw()));
        assertThat(leader.view.follower().get(2).offset()).isEqualTo(3);
        assertThat(leader.refuses(new PartitionInput.FollowerRead(9, 2, 1, T)))
                .containsExactly(leader.notReadable(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(leader.refuses(new PartitionInput.FollowerRead(1, 7, 1, T)))
                .as("diverges")
                .isNotEqualTo(List.of(leader.readable(7, 7, leader.view.hw())));
        Fixture follower = Fixture.replica().follows(1);
        assertThat(follower.refuses(new PartitionInput.FollowerRead(1, 0, -1, T)))
                .containsExactly(follower.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void nothingWaitsWhereNobodyLeads() {
        assertThat(Fixture.replica().refuses(new PartitionInput.AckTimeout(T))).isEmpty();
    }

    @Test
    void producersAreForgottenOnceTheirLastBatchIsOldEnough() {
        Fixture leader = Fixture.replica().leads(1);
        leader.step(produce(1, at(100, batch(1, 7, 0, 0))));
        leader.step(produce(1, at(200, batch(1, 8, 0, 0))));
        assertThat(leader.refuses(new PartitionInput.ExpireProducers(99))).isEmpty();
        Step<PartitionEffect> step = leader.step(new PartitionInput.ExpireProducers(100));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(new PartitionEffect.ForgetProducers(List.of(7L)));
        assertThat(leader.view.producers())
                .extracting(ProducerEntry::producerId)
                .containsExactly(8L);
    }

    @Test
    void aForgottenProducersRetryIsANewBatchAndItMayGoOnAnywhere() {
        Fixture leader = Fixture.replica().leads(1);
        leader.step(produce(1, batch(1, 7, 0, 0)));
        leader.step(produce(1, batch(1, 7, 0, 1)));
        leader.step(produce(1, batch(1, 7, 0, 1)));
        assertThat(leader.view.logEnd()).as("a duplicate").isEqualTo(2);
        leader.step(produce(1, batch(1, 7, 0, 5)));
        assertThat(leader.view.logEnd()).as("a gap").isEqualTo(2);

        leader.step(new PartitionInput.ExpireProducers(Long.MAX_VALUE));
        leader.step(produce(1, batch(1, 7, 0, 1)));
        assertThat(leader.view.logEnd())
                .as("nobody knows that it is a duplicate")
                .isEqualTo(3);
        leader.step(new PartitionInput.ExpireProducers(Long.MAX_VALUE));
        leader.step(produce(1, batch(1, 7, 0, 5)));
        assertThat(leader.view.logEnd()).as("nobody knows of a gap").isEqualTo(4);
    }

    @Test
    void aFollowerForgetsByItself() {
        Fixture follower =
                Fixture.with(io.tidemark.core.Guards.ALL, Fixture.log(0, 1)).follows(1);
        follower.step(new PartitionInput.ReloadProducers(
                List.of(new ProducerEntry(7, (short) 2, 5, List.of(new ProducerEntry.Batch(0, 0, 0, 0, 5))))));
        assertThat(follower.step(new PartitionInput.ExpireProducers(5)).effects())
                .containsExactly(new PartitionEffect.ForgetProducers(List.of(7L)));
        assertThat(follower.view.producers()).isEmpty();
    }

    private static BatchHeader at(long timestamp, BatchHeader batch) {
        return new BatchHeader(
                batch.baseOffset(),
                batch.lastOffsetDelta(),
                batch.leaderEpoch(),
                batch.sizeInBytes(),
                timestamp,
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence(),
                false,
                false);
    }

    @Test
    void producersAreReplacedByWhatTheLogGives() {
        Fixture follower =
                Fixture.with(io.tidemark.core.Guards.ALL, Fixture.log(0, 1, 1)).follows(1);
        List<ProducerEntry> remaining =
                List.of(new ProducerEntry(7, (short) 2, 5, List.of(new ProducerEntry.Batch(0, 1, 0, 1, 5))));
        Step<PartitionEffect> step = follower.step(new PartitionInput.ReloadProducers(remaining));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
        assertThat(follower.view.producers()).isEqualTo(remaining);
    }
}
