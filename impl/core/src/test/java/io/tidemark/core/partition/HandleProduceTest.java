package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.HandleProduce;
import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.BYTES;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.Token;
import static io.tidemark.core.partition.Fixture.acked;
import static io.tidemark.core.partition.Fixture.append;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.failed;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.leo;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Requires;
import io.tidemark.core.log.BatchHeader;
import org.junit.jupiter.api.Test;

class HandleProduceTest {
    private final Fixture leader = Fixture.replica().leads(1, 2, 3);

    @Test
    void acksOneIsAnsweredAtOnce() {
        assertThat(leader.takes(HandleProduce, produce(1, batch(3))))
                .containsExactly(append(batch(3).assigned(0, 1)), leo(3), acked(T, 0));
        assertThat(leader.view.hw()).isZero();
    }

    @Test
    void acksZeroIsAppendedAndItsTokenReturned() {
        assertThat(leader.takes(HandleProduce, produce(0, batch(1))))
                .containsExactly(append(batch(1).assigned(0, 1)), leo(1), acked(T, 0));
    }

    @Test
    void acksAllWaitsForTheWholeMaximalIsr() {
        assertThat(leader.takes(HandleProduce, produce(ALL, batch(2))))
                .containsExactly(append(batch(2).assigned(0, 1)), leo(2));
        assertThat(leader.view.pendingAcks()).containsExactly(2L);
        assertThat(leader.fetches(2, 2)).containsExactly(leader.readable(2, 2, 0));
        assertThat(leader.fetches(3, 2)).containsExactly(hw(2), acked(T, 0), leader.readable(2, 2, 2));
        assertThat(leader.view.pendingAcks()).isEmpty();
    }

    @Test
    void acksLeaveInOffsetOrder() {
        leader.step(produce(ALL, batch(1), new Token("first")));
        leader.step(produce(ALL, batch(1), new Token("second")));
        leader.step(produce(ALL, batch(1), new Token("third")));
        leader.fetches(2, 3);
        assertThat(leader.fetches(3, 2))
                .containsExactly(
                        hw(2), acked(new Token("first"), 0), acked(new Token("second"), 1), leader.readable(2, 3, 2));
    }

    @Test
    void aloneInTheIsrAcksAllIsAnsweredInTheSameStep() {
        Fixture alone = Fixture.replica();
        alone.applyMinIsr(1);
        alone.leads(1);
        assertThat(alone.takes(HandleProduce, produce(ALL, batch(1))))
                .containsExactly(append(batch(1).assigned(0, 1)), leo(1), hw(1), acked(T, 0));
    }

    @Test
    void acksAllBelowMinIsrIsRefusedBeforeTheAppend() {
        Fixture alone = Fixture.replica().leads(1);
        assertThat(alone.refuses(produce(ALL, batch(1)))).containsExactly(failed(T, ErrorCode.NOT_ENOUGH_REPLICAS));
        assertThat(alone.takes(HandleProduce, produce(1, batch(1))))
                .as("acks=1 is taken, and stays invisible")
                .containsExactly(append(batch(1).assigned(0, 1)), leo(1), acked(T, 0));
    }

    @Test
    void withoutMinIsrAppendItIsTaken() {
        Fixture alone = Fixture.without(Guard.MIN_ISR_APPEND).leads(1);
        assertThat(alone.takes(HandleProduce, produce(ALL, batch(1)))).hasSize(2);
    }

    @Test
    void withoutAckAfterHwAnUnreplicatedRecordIsAcknowledged() {
        Fixture early = Fixture.without(Guard.ACK_AFTER_HW).leads(1, 2, 3);
        assertThat(early.takes(HandleProduce, produce(ALL, batch(1)))).contains(acked(T, 0));
    }

    @Test
    void whereEveryMessageIsFlushedAcksWaitForTheDisk() {
        Fixture flushing = Fixture.flushing().leads(1, 2, 3);
        assertThat(flushing.takes(HandleProduce, produce(1, batch(1))))
                .containsExactly(
                        append(batch(1).assigned(0, 1)),
                        new PartitionEffect.Flush(),
                        leo(1),
                        new PartitionEffect.ReplyProduce(T, ErrorCode.NONE, 0, 0, new Requires.Flushed(1)));
        assertThat(flushing.takes(HandleProduce, produce(ALL, batch(1))))
                .containsExactly(append(batch(1).assigned(1, 1)), new PartitionEffect.Flush(), leo(2));
        flushing.fetches(2, 2);
        assertThat(flushing.fetches(3, 2)).as("nothing is on the leader's disk").doesNotContain(hw(2));
        assertThat(flushing.step(new PartitionInput.PersistLog(2)).effects()).containsExactly(hw(2), acked(T, 1));
    }

    @Test
    void whoDoesNotLeadRefuses() {
        assertThat(Fixture.replica().refuses(produce(1, batch(1))))
                .containsExactly(failed(T, ErrorCode.NOT_LEADER_OR_FOLLOWER));
        assertThat(Fixture.replica().follows(1).refuses(produce(1, batch(1))))
                .containsExactly(failed(T, ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void unknownAcksAreRefused() {
        for (int acks : new int[] {-2, 2, Short.MAX_VALUE, Short.MIN_VALUE}) {
            assertThat(leader.refuses(produce(acks, batch(1))))
                    .containsExactly(failed(T, ErrorCode.INVALID_REQUIRED_ACKS));
        }
    }

    @Test
    void whatNoClientMayWriteIsRefused() {
        BatchHeader control = new BatchHeader(0, 0, -1, 80, 1, 7, (short) 0, -1, true, true);
        assertThat(leader.refuses(produce(1, control))).containsExactly(failed(T, ErrorCode.INVALID_RECORD));
        assertThat(leader.refuses(produce(1, batch(1, 7, 0, -1)))).containsExactly(failed(T, ErrorCode.INVALID_RECORD));
        assertThat(leader.refuses(produce(1, batch(1, 7, -1, 0)))).containsExactly(failed(T, ErrorCode.INVALID_RECORD));
    }

    @Test
    void aGapInTheSequencesIsRefused() {
        leader.step(produce(1, batch(2, 7, 0, 0)));
        assertThat(leader.refuses(produce(1, batch(1, 7, 0, 3))))
                .containsExactly(failed(T, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER));
        assertThat(leader.takes(HandleProduce, produce(1, batch(1, 7, 0, 2)))).contains(acked(T, 2));
    }

    @Test
    void anOldProducerEpochIsRefused() {
        leader.step(produce(1, batch(1, 7, 3, 0)));
        assertThat(leader.refuses(produce(1, batch(1, 7, 2, 0))))
                .containsExactly(failed(T, ErrorCode.INVALID_PRODUCER_EPOCH));
    }

    @Test
    void aDuplicateGetsTheFirstOffsetsAndIsNotAppended() {
        leader.step(produce(1, batch(2, 7, 0, 0)));
        leader.step(produce(1, batch(2, 7, 0, 2)));
        PartitionState before = leader.view.copy();
        assertThat(leader.takes(HandleProduce, produce(1, batch(2, 7, 0, 0)))).containsExactly(acked(T, 0));
        assertThat(leader.view.copy()).isEqualTo(before);
    }

    @Test
    void aDuplicateOfAnUnreplicatedBatchWaitsToo() {
        leader.step(produce(ALL, batch(1, 7, 0, 0), new Token("lost")));
        leader.step(produce(ALL, batch(1), new Token("other")));
        assertThat(leader.takes(HandleProduce, produce(ALL, batch(1, 7, 0, 0), new Token("retry"))))
                .isEmpty();
        assertThat(leader.view.pendingAcks()).containsExactly(1L, 1L, 2L);
        leader.fetches(2, 2);
        assertThat(leader.fetches(3, 1))
                .containsExactly(
                        hw(1), acked(new Token("lost"), 0), acked(new Token("retry"), 0), leader.readable(1, 2, 1));
    }

    @Test
    void withoutAckDuplicateAfterHwTheRetryIsAcknowledgedTooEarly() {
        Fixture early = Fixture.without(Guard.ACK_DUPLICATE_AFTER_HW).leads(1, 2, 3);
        early.step(produce(ALL, batch(1, 7, 0, 0)));
        assertThat(early.takes(HandleProduce, produce(ALL, batch(1, 7, 0, 0)))).containsExactly(acked(T, 0));
    }

    @Test
    void aDuplicateBelowMinIsrIsRefusedAsAnyOther() {
        leader.step(produce(1, batch(1, 7, 0, 0)));
        leader.apply(1, 1, 2, 1);
        assertThat(leader.refuses(produce(ALL, batch(1, 7, 0, 0))))
                .containsExactly(failed(T, ErrorCode.NOT_ENOUGH_REPLICAS));
    }

    @Test
    void theBytesPassThrough() {
        PartitionEffect.Append append = (PartitionEffect.Append)
                leader.takes(HandleProduce, produce(1, batch(1))).get(0);
        assertThat(append.records()).isSameAs(BYTES);
    }
}
