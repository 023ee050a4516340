package io.tidemark.history.log;

import static io.tidemark.history.log.LogVerdicts.assertOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.KafkaOps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of records, of what readers see and of the ends that they are told. */
class LogOrderTest {
    @Test
    void theOrderOfOneClientIsKeptWithIdempotence() {
        History history = new History().send(1).send(2).ack(1, 1).ack(2, 0).finalRead(2, 1);
        assertOnly(
                history.check(),
                AnomalyType.CLIENT_ORDER,
                1,
                "record 2, sent after record 1 by the same client, is at offset 0, before it at offset 1");
        assertThat(history.check(false).outcome()).isEqualTo(LogVerdict.Outcome.VALID);
        History two = new History().send(1, 0).send(2, 1).ack(1, 1).ack(2, 0).finalRead(2, 1);
        assertThat(two.check().anomalies()).isEmpty();
    }

    @Test
    void whatWasAcknowledgedBeforeASendStaysBelowIt() {
        LogVerdict verdict = new History()
                .send(1, 0)
                .ack(1, 1)
                .send(2, 1)
                .ack(2, 0)
                .finalRead(2, 1)
                .check();
        assertOnly(
                verdict,
                AnomalyType.REAL_TIME_ORDER,
                1,
                "record 2 was acknowledged at offset 0, although offset 1 had been acknowledged before it was sent");
    }

    @Test
    void aReadersOffsetsAscendUnlessItIsAssignedAnew() {
        History history = new History().sent(1, 0).sent(2, 1).poll(50, 0, 1, 1, 2);
        assertOnly(
                new History()
                        .sent(1, 0)
                        .sent(2, 1)
                        .poll(50, 0, 1, 1, 2)
                        .poll(50, 0, 1)
                        .finalRead(1, 2)
                        .check(),
                AnomalyType.NONMONOTONIC_POLL,
                1,
                "process 50 read offset 0 after offset 1");
        assertThat(history.assign(50).poll(50, 0, 1).finalRead(1, 2).check().anomalies())
                .isEmpty();
    }

    @Test
    void aReaderMustNotPassOverARecordButMayPassOverAHole() {
        History skip = new History().sent(1, 0).sent(2, 1).sent(3, 2).poll(50, 0, 1, 2, 3);
        assertOnly(
                skip.finalRead(1, 2, 3).check(),
                AnomalyType.POLL_SKIP,
                1,
                "process 50 read offset 2 after offset 0 and passed over record 2 at offset 1");
        History hole = new History().sent(1, 0).sent(3, 2).poll(50, 0, 1, 2, 3);
        KafkaOps.Extent explained = new KafkaOps.Extent(0, 3, true, List.of(new KafkaOps.Range(1, 2)));
        assertThat(hole.finalPairs(explained, 0, 1, 2, 3).check().anomalies()).isEmpty();
    }

    @Test
    void whatReadersSawShowsASkipWithoutAFinalRead() {
        LogVerdict verdict = new History()
                .sent(1, 0)
                .sent(2, 1)
                .sent(3, 2)
                .poll(50, 0, 1, 1, 2)
                .poll(51, 0, 1, 2, 3)
                .check();
        assertOnly(
                verdict,
                AnomalyType.POLL_SKIP,
                1,
                "process 51 read offset 2 after offset 0 and passed over record 2 at offset 1");
    }

    @Test
    void theEndOfTheLogIsNeverToldToBeLowerThanBefore() {
        LogVerdict verdict = new History()
                .sent(1, 0)
                .sent(2, 1)
                .asks(50)
                .told(50, 2)
                .asks(51)
                .told(51, 1)
                .finalRead(1, 2)
                .check();
        assertOnly(
                verdict,
                AnomalyType.HW_REGRESS,
                1,
                "process 51 was told that the log ends at offset 1, although end 2 had been told before it asked");
        LogVerdict concurrent = new History()
                .sent(1, 0)
                .sent(2, 1)
                .asks(50)
                .asks(51)
                .told(50, 2)
                .told(51, 1)
                .finalRead(1, 2)
                .check();
        assertThat(concurrent.anomalies()).isEmpty();
    }

    @Test
    void anEndBelowAnAcknowledgedRecordIsStaleWhereReadsAreStrong() {
        History history = new History().sent(1, 0).asks(50).told(50, 0).finalRead(1);
        assertThat(history.check().anomalies()).isEmpty();
        assertOnly(
                history.check(new LogHistoryCheck.Rules(true, true)),
                AnomalyType.STALE_READ,
                1,
                "process 50 was told that the log ends at offset 0, although record 1 had been acknowledged at offset 0"
                        + " before it asked");
    }

    @Test
    void whatWasReadBeforeASendStaysBelowItHoweverTheSendEnded() {
        LogVerdict verdict = new History()
                .send(1)
                .poll(50, 1, 1)
                .send(2, 1)
                .info(2)
                .info(1)
                .finalRead(2, 1)
                .check();
        assertOnly(
                verdict,
                AnomalyType.REAL_TIME_ORDER,
                1,
                "record 2 was read at offset 0, although offset 1 had been read before it was sent");
    }
}
