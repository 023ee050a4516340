package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.HandleAlterPartitionResponse;
import static io.tidemark.core.SpecAction.HandleFetch;
import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.acked;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.granted;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.lag;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.log.LogState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandleAlterPartitionResponseTest {
    /** One record waits; broker 2 has it, broker 3 is on its way out. */
    private static Fixture shrinking(Guards guards) {
        Fixture leader = Fixture.with(guards, LogState.empty());
        leader.leads(1, 2, 3);
        leader.step(produce(ALL, batch(1)));
        leader.fetches(2, 1);
        leader.step(lag(3));
        return leader;
    }

    private static PartitionInput failed(Fixture leader, ErrorCode error) {
        return leader.answered(AlterPartitionAnswer.failed(error));
    }

    @Test
    void successCommitsAndTheRecordMovesTheHw() {
        Fixture leader = shrinking(Guards.ALL);
        assertThat(leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2))))
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(), new PartitionEffect.IsrChanged(List.of(1, 2)));
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2)));
        assertThat(leader.view.part().partitionEpoch()).isEqualTo(2);
        assertThat(leader.view.departed()).containsExactly(3);
        assertThat(leader.apply(1, 1, 2, 1, 2)).containsExactly(hw(1), acked(T, 0));
        assertThat(leader.view.departed()).isEmpty();
    }

    @Test
    void withoutHwAppliedIsrTheAnswerAloneMovesTheHw() {
        Fixture leader = shrinking(Guards.without(Guard.HW_APPLIED_ISR));
        assertThat(leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2))))
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(),
                        new PartitionEffect.IsrChanged(List.of(1, 2)),
                        hw(1),
                        acked(T, 0));
    }

    @Test
    void aRecordOfAnEarlierAnswerReleasesOnlyWhoLeftByIt() {
        Fixture leader = shrinking(Guards.ALL);
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2)));
        leader.applyMinIsr(1);
        leader.writes(1).step(lag(2));
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 3, 1)));
        leader.step(lag(2, 3));
        assertThat(leader.view.departed()).containsExactly(2, 3);
        assertThat(leader.apply(1, 1, 2, 1, 2)).containsExactly(hw(1), acked(T, 0));
        assertThat(leader.view.departed()).containsExactly(2);
        assertThat(leader.apply(1, 1, 3, 1)).containsExactly(hw(2));
    }

    @Test
    void whoCameAndWentByAnswersAloneIsWaitedForToo() {
        Fixture leader = Fixture.replica().leads(1, 2);
        leader.fetches(3, 0);
        leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 0));
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2, 3)));
        leader.writes(1).fetches(2, 1);
        leader.step(lag(3));
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 3, 1, 2)));
        leader.step(lag(3));
        assertThat(leader.apply(1, 1, 2, 1, 2, 3)).isEmpty();
        assertThat(leader.view.hw()).isZero();
        assertThat(leader.apply(1, 1, 3, 1, 2)).containsExactly(hw(1));
    }

    @Test
    void whoWasToJoinAndIsNotInTheAnswerMayHaveBeenAMemberMeanwhile() {
        Fixture leader = Fixture.replica().leads(1, 2);
        leader.fetches(3, 0);
        leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 0));
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 3, 1, 2)));
        assertThat(leader.view.departed()).containsExactly(3);
    }

    @Test
    void whoRejoinsBeforeTheRecordIsAMemberAgain() {
        Fixture leader = shrinking(Guards.ALL);
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2)));
        assertThat(leader.fetches(3, 1)).contains(hw(1), acked(T, 0));
        leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 1));
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 3, 1, 2, 3)));
        assertThat(leader.view.departed()).isEmpty();
        leader.writes(1).fetches(2, 2);
        assertThat(leader.apply(1, 1, 2, 1, 2)).isEmpty();
        assertThat(leader.view.hw()).isEqualTo(1);
    }

    @Test
    void aNewLeaderEpochBeginsWithTheIsrOfItsRecord() {
        Fixture leader = shrinking(Guards.ALL);
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 2, 1, 2)));
        leader.apply(1, 2, 3, 1, 2);
        assertThat(leader.view.departed()).isEmpty();
        assertThat(leader.takes(HandleFetch, Fixture.fetch(2, 102, 2, 1, 1))).contains(hw(1), acked(T, 0));
    }

    @Test
    void theSamePartitionEpochIsSuccessToo() {
        Fixture leader = shrinking(Guards.ALL);
        leader.takes(HandleAlterPartitionResponse, leader.answered(granted(1, 1, 1, 2)));
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2)));
        assertThat(leader.view.departed())
                .as("nothing is ahead of the metadata log")
                .isEmpty();
    }

    @Test
    void successOfAnotherEpochIsRefused() {
        Fixture leader = shrinking(Guards.ALL);
        assertThat(leader.refuses(leader.answered(granted(2, 2, 1, 2)))).isEmpty();
        assertThat(leader.refuses(leader.answered(granted(1, 0, 1, 2)))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPERATION_NOT_ATTEMPTED", "INELIGIBLE_REPLICA"})
    void aChangeThatWasCertainlyNotMadeIsDropped(ErrorCode error) {
        Fixture leader = shrinking(Guards.ALL);
        assertThat(leader.takes(HandleAlterPartitionResponse, failed(leader, error)))
                .containsExactly(new PartitionEffect.AbandonAlterPartition());
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2, 3)));
    }

    @ParameterizedTest
    @EnumSource(names = {"OPERATION_NOT_ATTEMPTED", "INELIGIBLE_REPLICA"})
    void aRefusalLeavesItPendingWhileAnEarlierAttemptMayArrive(ErrorCode error) {
        Fixture leader = shrinking(Guards.ALL);
        assertThat(leader.refuses(leader.answeredBesideAStray(AlterPartitionAnswer.failed(error))))
                .isEmpty();
        Fixture credulous = shrinking(Guards.without(Guard.BELIEVE_REFUSAL_ALONE));
        credulous.step(credulous.answeredBesideAStray(AlterPartitionAnswer.failed(error)));
        assertThat(credulous.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2, 3)));
    }

    @Test
    void aGrantCountsWhateverElseMayArrive() {
        Fixture leader = shrinking(Guards.ALL);
        leader.takes(HandleAlterPartitionResponse, leader.answeredBesideAStray(granted(1, 2, 1, 2)));
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2)));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "OPERATION_NOT_ATTEMPTED", "INELIGIBLE_REPLICA"})
    void anyOtherErrorLeavesItPending(ErrorCode error) {
        Fixture leader = shrinking(Guards.ALL);
        assertThat(leader.refuses(failed(leader, error))).isEmpty();
    }

    @Test
    void withoutPendingUntilKnownTheHwPassesAReplicaThatMayHaveJoined() {
        for (Guards guards : List.of(Guards.ALL, Guards.without(Guard.PENDING_UNTIL_KNOWN))) {
            Fixture leader = Fixture.with(guards, LogState.empty()).leads(1, 2);
            leader.fetches(3, 0);
            leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 0));
            leader.step(failed(leader, ErrorCode.INVALID_UPDATE_VERSION));
            leader.writes(2).fetches(2, 2);
            leader.fetches(3, 0);
            leader.fetches(3, 0);
            assertThat(leader.view.hw()).isEqualTo(guards == Guards.ALL ? 0 : 2);
        }
    }

    @Test
    void aDroppedExpansionNoLongerHoldsTheHw() {
        Fixture leader = Fixture.replica().leads(1, 2);
        leader.fetches(3, 0);
        leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 0));
        leader.writes(2).fetches(2, 2);
        leader.applyBroker(3, 103, false);
        assertThat(leader.view.hw()).isZero();
        assertThat(leader.takes(HandleAlterPartitionResponse, failed(leader, ErrorCode.INELIGIBLE_REPLICA)))
                .containsExactly(new PartitionEffect.AbandonAlterPartition(), hw(2));
    }

    @Test
    void anAnswerToWhatIsNotPendingIsRefused() {
        Fixture leader = shrinking(Guards.ALL);
        AlterPartitionAsked asked = leader.view.isrState().asked();
        PartitionInput answer = leader.answered(granted(1, 2, 1, 2));
        leader.apply(1, 1, 2, 1, 2);
        assertThat(leader.refuses(answer)).isEmpty();
        leader.writes(1).step(lag(2));
        assertThat(leader.view.isrState().asked()).isNotEqualTo(asked);
        assertThat(leader.refuses(answer)).as("another change is").isEmpty();
        assertThat(Fixture.replica().follows(1).refuses(answer)).isEmpty();
    }
}
