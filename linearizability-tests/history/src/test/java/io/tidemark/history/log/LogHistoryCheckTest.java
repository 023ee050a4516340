package io.tidemark.history.log;

import static io.tidemark.history.log.LogVerdicts.assertOnly;
import static io.tidemark.history.log.LogVerdicts.explanation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each anomaly of single records, and what is said where the final read tells too little. */
class LogHistoryCheckTest {
    @Test
    void aCleanHistoryIsValid() {
        LogVerdict verdict = new History()
                .send(1)
                .send(2, 1)
                .ack(2, 0)
                .ack(1, 1)
                .send(3)
                .info(3)
                .send(4)
                .fail(4)
                .send(5)
                .poll(50, 0, 2)
                .poll(50, 1, 1, 2, 3)
                .finalRead(2, 1, 3)
                .check();
        assertThat(verdict.anomalies()).isEmpty();
        assertThat(verdict.outcome()).isEqualTo(LogVerdict.Outcome.VALID);
        assertThat(verdict.counts()).isEqualTo(new LogVerdict.Counts(5, 2, 1, 2, 6, 0));
    }

    @Test
    void anAcknowledgedRecordThatIsGoneIsLost() {
        LogVerdict verdict =
                new History().sent(1, 0).sent(2, 1).sent(3, 2).finalRead(1, 2).check();
        assertOnly(
                verdict,
                AnomalyType.LOST,
                1,
                "record 3, acknowledged at offset 2, is gone: at the end the log ends at" + " offset 2");
        assertThat(verdict.lost()).containsExactly(new LostRecord("t-0", 2, 3L, 50));
        Anomaly.First first = verdict.anomalies().get(0).first();
        assertThat(first.topic()).isEqualTo("t");
        assertThat(first.partition()).isZero();
        assertThat(first.offset()).isEqualTo(2);
        assertThat(first.operations()).containsExactly(4L, 5L);
    }

    @Test
    void anOffsetGivenToAnotherRecordIsALossThatAcknowledgementsShowAndNoReader() {
        LogVerdict verdict =
                new History().sent(41, 0).send(52).ack(52, 0).finalRead(52).check();
        assertThat(verdict.count(AnomalyType.LOST)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.OFFSET_ACKED_TWICE)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.ACK_CONTRADICTED)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.Group.INCONSISTENT_ACKNOWLEDGEMENT))
                .isEqualTo(2);
        assertThat(verdict.count(AnomalyType.Group.INCONSISTENT_READ)).isZero();
        assertThat(explanation(verdict, AnomalyType.ACK_CONTRADICTED))
                .isEqualTo("record 41, acknowledged at offset 0, was read as 52 at offset 0");
        assertThat(explanation(verdict, AnomalyType.LOST))
                .isEqualTo("record 41, acknowledged at offset 0, is gone: at the end offset 0 holds record 52");
        assertThat(explanation(verdict, AnomalyType.OFFSET_ACKED_TWICE))
                .isEqualTo("offset 0 was acknowledged for record 41 and for record 52");
    }

    @Test
    void anOffsetReadWithTwoValuesIsFoundWhoeverReadIt() {
        LogVerdict verdict = new History()
                .send(1)
                .info(1)
                .send(2)
                .info(2)
                .poll(50, 0, 1)
                .poll(51, 0, 2)
                .finalRead(2)
                .check();
        assertThat(explanation(verdict, AnomalyType.INCONSISTENT_OFFSET))
                .isEqualTo("offset 0 was read as record 1 and as record 2");
        assertThat(verdict.count(AnomalyType.INCONSISTENT_OFFSET)).isEqualTo(1);
    }

    @Test
    void aRecordSeenAndThenGoneIsADirtyRead() {
        LogVerdict verdict = new History()
                .sent(1, 0)
                .send(2)
                .info(2)
                .poll(50, 0, 1, 1, 2)
                .finalRead(1)
                .check();
        assertOnly(
                verdict,
                AnomalyType.DIRTY_READ,
                1,
                "record 2 was read at offset 1 and is gone: at the end the log ends at offset 1");
    }

    /** A leader that serves above its high watermark: readers see records that an election takes back. */
    @Test
    void readsAboveTheHighWatermarkShowAsDirtyReadsAndInconsistentOffsets() {
        LogVerdict verdict = new History()
                .sent(1, 0)
                .send(2)
                .poll(50, 0, 1, 1, 2)
                .info(2)
                .send(3)
                .ack(3, 1)
                .finalRead(1, 3)
                .check();
        assertThat(verdict.count(AnomalyType.DIRTY_READ)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.INCONSISTENT_OFFSET)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.Group.INCONSISTENT_ACKNOWLEDGEMENT))
                .as("the acknowledgement was right, a reader was given something else")
                .isZero();
        assertThat(verdict.count(AnomalyType.LOST)).isZero();
        assertThat(verdict.outcome()).isEqualTo(LogVerdict.Outcome.INVALID);
    }

    @Test
    void aValueNobodySentIsAPhantom() {
        assertOnly(
                new History().sent(1, 0).finalRead(1, 7).check(),
                AnomalyType.PHANTOM,
                1,
                "offset 1 was read as 7, which nobody sent to this partition");
    }

    @Test
    void aFailedSendMustNotBeRead() {
        assertOnly(
                new History().send(1).fail(1).finalRead(1).check(),
                AnomalyType.FAILED_READ,
                1,
                "record 1, whose send failed for certain, was read at offset 0");
    }

    @Test
    void aRecordAtAnotherOffsetThanAcknowledgedIsMisplaced() {
        LogVerdict verdict = new History().sent(1, 0).sent(2, 5).finalRead(1, 2).check();
        assertOnly(verdict, AnomalyType.MISPLACED, 1, "record 2, acknowledged at offset 5, is at offset 1");
    }

    @Test
    void aDuplicateIsADefectWithIdempotenceOnly() {
        History history = new History().sent(1, 0).finalRead(1, 1);
        assertOnly(history.check(), AnomalyType.DUPLICATE, 1, "record 1 was read at offset 0 and at offset 1");
        LogVerdict allowed = history.check(false);
        assertThat(allowed.count(AnomalyType.DUPLICATE)).isEqualTo(1);
        assertThat(allowed.outcome()).isEqualTo(LogVerdict.Outcome.VALID);
    }

    @Test
    void offsetsWithoutRecordsNeedAReason() {
        LogVerdict verdict = new History()
                .sent(1, 0)
                .sent(2, 4)
                .finalPairs(6, true, 0, 1, 4, 2)
                .check();
        assertOnly(
                verdict, AnomalyType.GAP, 2, "at the end the offsets from 1 to 3 hold no record, and nothing says why");
        KafkaOps.Extent partly =
                new KafkaOps.Extent(0, 6, true, List.of(new KafkaOps.Range(2, 3), new KafkaOps.Range(5, 6)));
        LogVerdict explained = new History()
                .sent(1, 0)
                .sent(2, 4)
                .finalPairs(partly, 0, 1, 4, 2)
                .check();
        assertOnly(explained, AnomalyType.GAP, 2, "at the end offset 1 holds no record, and nothing says why");
    }

    @Test
    void theMarkersOfTransactionsAreGaps() {
        Operation invoked = op(
                0,
                0,
                Operation.Type.INVOKE,
                "txn",
                List.of(KafkaOps.sendInvoked("t-0", 1L), KafkaOps.sendInvoked("t-0", 2L)).stream()
                        .map(one -> ((List<?>) one).get(0))
                        .toList());
        LogHistoryCheck check = new LogHistoryCheck(true);
        check.accept(invoked);
        new History().finalPairs(1, true).operations().forEach(check::accept);
        assertThat(check.verdict().anomalies()).isEmpty();
    }

    @Test
    void anOffsetThatChangedHandsBetweenEpochsIsToldWithThem() {
        LogVerdict verdict = new History()
                .send(41)
                .ackIn(41, 17, 3)
                .send(52)
                .info(52)
                .pollIn(50, 4, 17, 52)
                .check();
        assertThat(verdict.anomalies())
                .extracting(Anomaly::type)
                .containsExactly(AnomalyType.ACK_CONTRADICTED, AnomalyType.OFFSET_REUSED);
        assertThat(explanation(verdict, AnomalyType.OFFSET_REUSED))
                .isEqualTo("record 41, acknowledged at offset 17 in epoch 3, was read as 52 at offset 17 in epoch 4");
        LogVerdict same = new History()
                .send(41)
                .ackIn(41, 17, 4)
                .send(52)
                .info(52)
                .pollIn(50, 4, 17, 52)
                .check();
        assertThat(same.anomalies()).extracting(Anomaly::type).containsExactly(AnomalyType.ACK_CONTRADICTED);
    }

    @Test
    void aRecordReadBeforeItWasSentIsAPhantom() {
        assertOnly(
                new History().poll(50, 0, 1).sent(1, 0).finalRead(1).check(),
                AnomalyType.PHANTOM,
                1,
                "offset 0 was read as 1 before anybody sent it");
    }

    @Test
    void whatNobodySawIsCountedWhereNoFinalReadTells() {
        LogVerdict verdict = new History().sent(1, 0).sent(2, 1).poll(50, 0, 1).check();
        assertThat(verdict.outcome()).isEqualTo(LogVerdict.Outcome.UNKNOWN);
        assertThat(verdict.anomalies()).isEmpty();
        Anomaly unseen = Objects.requireNonNull(verdict.unseen());
        assertThat(unseen.count()).isEqualTo(1);
        assertThat(unseen.first().explanation())
                .isEqualTo("record 2, acknowledged at offset 1, was seen by no reader, and no complete final read says"
                        + " whether it is there");
        assertThat(new History().sent(1, 0).finalRead(1).check().unseen()).isNull();
    }

    @Test
    void withoutACompleteFinalReadNothingIsSaidAboutLoss() {
        LogVerdict cut = new History()
                .sent(1, 0)
                .sent(2, 1)
                .poll(50, 0, 1, 1, 2)
                .finalPairs(2, false, 0, 1)
                .check();
        assertThat(cut.anomalies()).isEmpty();
        assertThat(cut.outcome()).isEqualTo(LogVerdict.Outcome.UNKNOWN);
        assertThat(cut.incomplete()).containsExactly("t-0");
        assertThat(cut.counts().unjudged()).isEqualTo(1);
        LogVerdict none = new History().sent(1, 0).check();
        assertThat(none.outcome()).isEqualTo(LogVerdict.Outcome.UNKNOWN);
        assertThat(none.counts().unjudged()).isEqualTo(1);
    }

    @Test
    void aFinalReadCutShortStillShowsOtherDefects() {
        LogVerdict verdict = new History().sent(1, 0).finalPairs(2, false, 0, 9).check();
        assertThat(verdict.outcome()).isEqualTo(LogVerdict.Outcome.INVALID);
        assertThat(verdict.count(AnomalyType.PHANTOM)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.ACK_CONTRADICTED)).isEqualTo(1);
    }

    @Test
    void partitionsAreJudgedByThemselves() {
        LogHistoryCheck check = new LogHistoryCheck(true);
        Operation.Type ok = Operation.Type.OK;
        Operation.Type invoke = Operation.Type.INVOKE;
        List<Operation> operations = List.of(
                op(0, 1, invoke, "send", KafkaOps.sendInvoked("a-0", 1L)),
                op(1, 1, ok, "send", KafkaOps.sendAcked("a-0", 0, 1L)),
                op(2, 2, invoke, "send", KafkaOps.sendInvoked("a-1", 1L)),
                op(3, 2, ok, "send", KafkaOps.sendAcked("a-1", 0, 1L)),
                op(4, 9, invoke, "final-read", null),
                op(5, 9, ok, "poll", KafkaOps.polled(Map.of("a-0", List.of(new KafkaOps.Polled(0, 1L))))),
                op(
                        6,
                        9,
                        ok,
                        "final-read",
                        KafkaOps.extents(Map.of(
                                "a-0", new KafkaOps.Extent(0, 1, true), "a-1", new KafkaOps.Extent(0, 0, true)))));
        operations.forEach(check::accept);
        LogVerdict verdict = check.verdict();
        assertThat(verdict.lost()).extracting(LostRecord::key).containsExactly("a-1");
        assertThat(verdict.anomalies()).hasSize(1);
    }

    @Test
    void aValueSentTwiceIsRefused() {
        assertThatThrownBy(() -> new History().sent(1, 0).send(1).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operation 2: value 1 sent to t-0 a second time; expected unique values");
    }

    private static Operation op(long index, long process, Operation.Type type, String f, Object value) {
        return new Operation(index, index, process, type, f, value, null, Map.of());
    }
}
