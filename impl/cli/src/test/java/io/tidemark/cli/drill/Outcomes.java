package io.tidemark.cli.drill;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.LogHistoryCheck;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Drills that never ran: one that proves everything, and ways to take a proof away from it. */
final class Outcomes {
    /** Those that need no disk of their own. */
    static final Set<FaultKind> KINDS = EnumSet.complementOf(EnumSet.of(FaultKind.DISK_FULL));

    private Outcomes() {}

    static DrillConfig config(String acks, boolean expectLoss) {
        return config(acks, expectLoss, FaultSpec.parse(List.of("all"), KINDS));
    }

    static DrillConfig config(String acks, boolean expectLoss, List<FaultSpec> faults) {
        return new DrillConfig(
                3,
                12,
                3,
                2,
                acks,
                1_000,
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                faults,
                7,
                false,
                true,
                "none",
                expectLoss);
    }

    /** One node, one partition, one replica. */
    static DrillConfig single() {
        return new DrillConfig(
                1,
                12,
                1,
                1,
                "all",
                1_000,
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                FaultSpec.parse(List.of("all"), KINDS),
                7,
                false,
                true,
                "none",
                false);
    }

    static FaultRecord fault(int id, FaultKind kind, boolean effective) {
        return new FaultRecord(
                id,
                kind.label(),
                "leader",
                List.of(2),
                id * 10_000_000_000L,
                id * 10_000_000_000L + 3_500_000_000L,
                id * 10_000_000_000L + 5_000_000_000L,
                true,
                effective,
                "node 2 (process 12) gone; 4 leaders moved");
    }

    /** One partition; each of the values is sent and acknowledged at its place, and those that are read are read. */
    static LogVerdict log(boolean complete, List<Long> acked, List<Long> read) {
        return log(true, complete, acked, read);
    }

    static LogVerdict log(boolean idempotence, boolean complete, List<Long> acked, List<Long> read) {
        LogHistoryCheck check = new LogHistoryCheck(idempotence);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < acked.size(); i++) {
            add(operations, 1, Operation.Type.INVOKE, "send", KafkaOps.sendInvoked("drill-0", acked.get(i)));
            add(operations, 1, Operation.Type.OK, "send", KafkaOps.sendAcked("drill-0", i, acked.get(i)));
        }
        List<KafkaOps.Polled> polled = new ArrayList<>();
        for (int i = 0; i < read.size(); i++) {
            polled.add(new KafkaOps.Polled(i, read.get(i)));
        }
        add(operations, 9, Operation.Type.INVOKE, "final-read", null);
        add(operations, 9, Operation.Type.OK, "poll", KafkaOps.polled(Map.of("drill-0", polled)));
        add(
                operations,
                9,
                Operation.Type.OK,
                "final-read",
                KafkaOps.extents(Map.of("drill-0", new KafkaOps.Extent(0, read.size(), complete))));
        operations.forEach(check::accept);
        return check.verdict();
    }

    /** The offset of an acknowledged record is acknowledged again for another one; the final read is cut short. */
    static LogVerdict ackedTwice() {
        return ackedTwice(List.of(), false);
    }

    /** The same with a complete final read, which shows the second record alone. */
    static LogVerdict givenAgain() {
        return ackedTwice(List.of(new KafkaOps.Polled(0, 42L)), true);
    }

    private static LogVerdict ackedTwice(List<KafkaOps.Polled> read, boolean complete) {
        LogHistoryCheck check = new LogHistoryCheck(false);
        List<Operation> operations = new ArrayList<>();
        for (long value : new long[] {41, 42}) {
            add(operations, 1, Operation.Type.INVOKE, "send", KafkaOps.sendInvoked("drill-0", value));
            add(operations, 1, Operation.Type.OK, "send", KafkaOps.sendAcked("drill-0", 0, value));
        }
        add(operations, 9, Operation.Type.INVOKE, "final-read", null);
        add(operations, 9, Operation.Type.OK, "poll", KafkaOps.polled(Map.of("drill-0", read)));
        add(
                operations,
                9,
                complete ? Operation.Type.OK : Operation.Type.INFO,
                "final-read",
                KafkaOps.extents(Map.of("drill-0", new KafkaOps.Extent(0, 1, complete))));
        operations.forEach(check::accept);
        return check.verdict();
    }

    private static void add(List<Operation> operations, long process, Operation.Type type, String f, Object value) {
        long index = operations.size();
        operations.add(new Operation(index, index * 1_000_000, process, type, f, value, null, Map.of()));
    }

    /** A drill to change. */
    static final class Builder {
        LogVerdict log = log(true, List.of(1L, 2L), List.of(1L, 2L));
        long acknowledgedDuringFaults = 5_000;
        int replicasCompared = 36;
        boolean finalReadComplete = true;
        Long allInSyncAfterMs = 320L;
        boolean acknowledgedAgain = true;
        List<DrillVerdict.Reason> trouble = List.of();
        boolean interrupted;
        Machine machine = new Machine(30, 0, 60_000, 1.5, 2);
        Integer lostBy = 1;
        List<FaultRecord> faults = new ArrayList<>();

        Builder() {
            int id = 1;
            for (FaultKind kind : KINDS) {
                faults.add(fault(id++, kind, true));
            }
        }

        DrillOutcome build() {
            List<Anomaly> anomalies = log.anomalies().stream()
                    .map(anomaly -> anomaly.withOrigin(3, 2))
                    .toList();
            return new DrillOutcome(
                    new Recorder.Totals(60_000, 59_990, 2, 8, acknowledgedDuringFaults, 300_000),
                    log,
                    anomalies,
                    log.lost().stream()
                            .map(lost -> new DrillOutcome.Lost(
                                    lost.topic(),
                                    lost.partition(),
                                    lost.offset(),
                                    lost.value(),
                                    lost.ackTime(),
                                    3,
                                    2,
                                    lostBy))
                            .toList(),
                    replicasCompared == 36
                            ? new ReplicaEvidence(36, 36, 179_970, 179_970, null)
                            : new ReplicaEvidence(
                                    36,
                                    replicasCompared,
                                    90_000,
                                    90_000,
                                    "drill-3: the logs of node 2 cannot be reached"),
                    finalReadComplete
                            ? new FinalReadEvidence(12, 12, 59_991, null)
                            : new FinalReadEvidence(12, 11, 55_000, "the end offset of drill-3 is not known"),
                    allInSyncAfterMs,
                    acknowledgedAgain,
                    700,
                    new DrillOutcome.Rto(4_100L, 0L, 12),
                    faults,
                    faults.stream()
                            .map(fault -> new DrillOutcome.FaultTimes(2_900L, 3_100))
                            .toList(),
                    List.of(
                            new ClusterObserver.Leadership(0, 0, 1, 1_000_000_000L),
                            new ClusterObserver.Leadership(0, 1, -1, 11_000_000_000L),
                            new ClusterObserver.Leadership(0, 2, 3, 12_000_000_000L)),
                    List.of(new ClusterObserver.Controllership(4, 1, 1_000_000_000L)),
                    10,
                    10,
                    61_300_000_000L,
                    machine,
                    trouble,
                    interrupted);
        }
    }
}
