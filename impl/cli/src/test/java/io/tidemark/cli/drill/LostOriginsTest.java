package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LostRecord;
import io.tidemark.workload.Payload;
import io.tidemark.workload.fault.ClusterObserver.Leadership;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.Target;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostOriginsTest {
    @TempDir
    private Path logs;

    private static final List<Leadership> LEADERS =
            List.of(new Leadership(0, 4, 3, 0), new Leadership(0, 5, -1, 1), new Leadership(0, 6, 2, 2));

    private LostOrigins origins;

    /** A dead node's log: record 41 of epoch 4 at offset 0, record 42 of epoch 6 at offset 1. */
    @BeforeEach
    void die() throws Exception {
        Path partition = Files.createDirectories(logs.resolve("drill-0"));
        try (FileChannel segment = FileChannel.open(
                partition.resolve("00000000000000000000.log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            segment.write(batch(0, 4, 41));
            segment.write(batch(1, 6, 42));
        }
        Target target = (Target) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Target.class},
                (proxy, method, arguments) -> Optional.of(logs));
        origins = new LostOrigins(target, 2);
        origins.keep(2);
    }

    private static ByteBuffer batch(long offset, int epoch, long value) {
        SimpleRecord message = new SimpleRecord(1L, (byte[]) null, Payload.encode(value, 20));
        return MemoryRecords.withRecords(offset, Compression.NONE, epoch, message)
                .buffer();
    }

    private static Anomaly lost(int partition, long offset, long value) {
        return new Anomaly(
                AnomalyType.LOST,
                1,
                false,
                new Anomaly.First("drill", partition, offset, value, null, null, "gone", List.of()));
    }

    private Anomaly.First explained(Anomaly anomaly) {
        return origins.explain(anomaly, LEADERS).first();
    }

    @Test
    void theEpochIsReadFromTheDeadNodesLogAndItsLeaderHasAcknowledged() {
        assertThat(explained(lost(0, 0, 41)).leaderEpoch()).isEqualTo(4);
        assertThat(explained(lost(0, 0, 41)).ackedBy()).isEqualTo(3);
        assertThat(explained(lost(0, 1, 42)).leaderEpoch()).isEqualTo(6);
        assertThat(explained(lost(0, 1, 42)).ackedBy()).isEqualTo(2);
    }

    @Test
    void theOffsetOfWhatWasAcknowledgedWithoutOneIsReadFromTheLog() {
        List<LostRecord> lost = List.of(
                new LostRecord("drill-0", 9, 99L, 9_000_000_000L),
                new LostRecord("drill-0", -1, 42L, 12_000_000_000L),
                new LostRecord("drill-0", 0, 41L, 16_000_000_000L),
                new LostRecord("drill-0", 8, 98L, 31_000_000_000L));
        // From 10 s to 15 s and from 20 s to 25 s.
        List<FaultRecord> faults =
                List.of(Outcomes.fault(1, FaultKind.KILL, true), Outcomes.fault(2, FaultKind.FREEZE, true));
        assertThat(origins.explain(lost, LEADERS, faults))
                .containsExactly(
                        new DrillOutcome.Lost("drill", 0, 9L, 99L, 9_000_000_000L, null, null, 1),
                        new DrillOutcome.Lost("drill", 0, 1L, 42L, 12_000_000_000L, 6, 2, 1),
                        new DrillOutcome.Lost("drill", 0, 0L, 41L, 16_000_000_000L, 4, 3, 2),
                        new DrillOutcome.Lost("drill", 0, 8L, 98L, 31_000_000_000L, null, null, null));
    }

    @Test
    void whatNoLogHoldsStaysUnknown() {
        for (Anomaly unknown : List.of(lost(0, 0, 99), lost(0, 7, 41), lost(1, 0, 41))) {
            assertThat(explained(unknown).leaderEpoch()).isNull();
            assertThat(explained(unknown).ackedBy()).isNull();
        }
    }
}
