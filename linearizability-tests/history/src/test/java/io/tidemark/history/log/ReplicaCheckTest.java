package io.tidemark.history.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicaCheckTest {
    private final AnomalyLog log = new AnomalyLog(Set.of());
    private final LogHistoryCheck history = new LogHistoryCheck(true);

    /** Values at offsets 0, 1, ..., all of epoch 1; a digest is the value. */
    private static ReplicaLog replica(int node, long... values) {
        ReplicaLog replica = new ReplicaLog(node);
        for (int i = 0; i < values.length; i++) {
            replica.add(i, 1, values[i], values[i]);
        }
        return replica;
    }

    private List<Anomaly> check(long highWatermark, ReplicaLog... replicas) {
        new History().sent(1, 0).sent(2, 1).operations().forEach(history::accept);
        new ReplicaCheck(log).check("t-0", highWatermark, List.of(replicas), history);
        return log.anomalies();
    }

    @Test
    void equalReplicasWithAllThatWasAcknowledgedAreClean() {
        assertThat(check(2, replica(1, 1, 2), replica(2, 1, 2), replica(3, 1, 2)))
                .isEmpty();
    }

    @Test
    void whatLiesAboveTheHighWatermarkMayDiffer() {
        assertThat(check(2, replica(1, 1, 2, 3), replica(2, 1, 2, 4), replica(3, 1, 2)))
                .isEmpty();
    }

    @Test
    void differentBytesBelowTheHighWatermarkAreFound() {
        List<Anomaly> anomalies = check(3, replica(1, 1, 2, 3), replica(2, 1, 2, 4));
        assertThat(anomalies).extracting(Anomaly::type).containsExactly(AnomalyType.REPLICA_DIFFERS);
        assertThat(anomalies.get(0).first().explanation())
                .isEqualTo("at offset 2 node 1 holds record 3 of epoch 1, node 2 holds record 4 of epoch 1");
    }

    @Test
    void equalBytesOfAnotherEpochDiffer() {
        ReplicaLog later = replica(2, 1);
        later.add(1, 2, 2, 2);
        assertThat(check(2, replica(1, 1, 2), later))
                .extracting(Anomaly::type)
                .containsExactly(AnomalyType.REPLICA_DIFFERS);
    }

    @Test
    void aReplicaThatEndsBelowTheHighWatermarkIsShortAndMissesWhatWasAcknowledged() {
        List<Anomaly> anomalies = check(2, replica(1, 1, 2), replica(2, 1));
        assertThat(anomalies)
                .extracting(Anomaly::type)
                .containsExactly(AnomalyType.REPLICA_SHORT, AnomalyType.REPLICA_MISSING);
        assertThat(anomalies.get(0).first().explanation())
                .isEqualTo("the log of node 2 ends at offset 1, below the high watermark 2");
        assertThat(anomalies.get(1).first().explanation())
                .isEqualTo(
                        "record 2, acknowledged at offset 1, is not in the log of node 2, which holds nothing there");
    }

    @Test
    void aHoleBelowTheHighWatermarkIsFound() {
        ReplicaLog hole = replica(2, 1);
        hole.add(2, 1, 3, 3);
        assertThat(check(3, replica(1, 1, 2, 3), hole))
                .extracting(Anomaly::type)
                .containsExactly(AnomalyType.REPLICA_SHORT, AnomalyType.REPLICA_MISSING);
    }

    /** A leader that moved its high watermark past what it held: no replica has what it acknowledged. */
    @Test
    void anAcknowledgementAboveTheHighWatermarkIsNamed() {
        List<Anomaly> anomalies = check(1, replica(1, 1), replica(2, 1));
        assertThat(anomalies).extracting(Anomaly::type).containsExactly(AnomalyType.REPLICA_MISSING);
        assertThat(anomalies.get(0).count()).isEqualTo(2);
        assertThat(anomalies.get(0).first().explanation()).endsWith("holds nothing there, above the high watermark 1");
    }
}
