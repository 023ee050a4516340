package io.tidemark.cli.drill;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.Report;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;

/** A drill's JSON document, {@code tidemark.drill/1}. */
final class DrillDocument {
    private static final long NANOS = 1_000_000;

    private DrillDocument() {}

    private static Report of(DrillConfig config, DrillOutcome outcome) {
        Report report = new Report("tidemark.drill/1");
        DrillText.notTested(config, outcome).forEach(report::notTested);
        ObjectNode body = report.body();
        body.put("seed", config.seed());
        ObjectNode settings = body.putObject("config");
        settings.put("nodes", config.nodes())
                .put("partitions", config.partitions())
                .put("replicationFactor", config.replicationFactor())
                .put("minInsyncReplicas", config.minInsyncReplicas())
                .put("acks", config.acks())
                .put("uncleanLeaderElection", config.uncleanLeaderElection())
                .put("elr", config.elr() ? "on" : "off")
                .put("flush", config.flush())
                .put("idempotence", config.idempotence())
                .put("rate", config.rate())
                .put("forMs", config.load().toMillis())
                .put("sessionTimeoutMs", DrillConfig.SESSION_TIMEOUT_MS)
                .put("heartbeatIntervalMs", DrillConfig.HEARTBEAT_INTERVAL_MS)
                .put("registrationTimeoutMs", DrillConfig.REGISTRATION_TIMEOUT_MS);
        ArrayNode faults = settings.putArray("faults");
        config.faults().forEach(spec -> faults.add(spec.toString()));
        body.put("expect", config.expectLoss() ? "loss" : "holds");
        return report;
    }

    /** All that was measured, and the verdict. */
    static Report of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict) {
        Report report = of(config, outcome).verdict(verdict.verdict()).exit(verdict.exitCode());
        verdict.reasons().forEach(reason -> report.reason(reason.code(), reason.message()));
        ObjectNode body = report.body();
        workload(body, outcome);
        LogVerdict log = outcome.log();
        // Without a final read it is not known what is lost or there twice: null, not 0.
        Long lost = outcome.lostCount();
        body.put("lost", lost)
                .put("duplicated", outcome.duplicatedCount())
                .put("inconsistentReads", log.count(AnomalyType.Group.INCONSISTENT_READ))
                .put("inconsistentAcknowledgements", log.count(AnomalyType.Group.INCONSISTENT_ACKNOWLEDGEMENT));
        outcome.anomalies().forEach(anomaly -> anomaly(body.withArray("anomalies"), config, anomaly));
        body.withArray("anomalies");
        lost(body.putArray("lostRecords"), outcome);
        body.putObject("rpo")
                .put("records", lost)
                .put("oldestMs", lost == null || log.lost().isEmpty() ? null : (Long) outcome.lostOldestMs());
        body.putObject("rto")
                .put("worstMs", outcome.rto().worstMs())
                .put("medianMs", outcome.rto().medianMs())
                .put("resolutionMs", outcome.rto().resolutionMs());
        faults(body.putArray("faults"), outcome);
        coverage(body, Coverage.of(config, outcome));
        leaders(body, outcome);
        body.putObject("healed").put("allInSyncAfterMs", outcome.allInSyncAfterMs());
        Machine machine = outcome.machine();
        body.putObject("machine")
                .put("starved", machine.starved())
                .put("longestPauseMs", machine.longestPauseMs())
                .put("pausedMs", machine.pausedMs())
                .put("watchedMs", machine.watchedMs())
                .put("loadAverage", machine.load() < 0 ? null : (Double) machine.load())
                .put("processors", machine.processors());
        body.putObject("isr").put("shrinks", outcome.isrShrinks()).put("expansions", outcome.isrExpansions());
        return report;
    }

    private static void workload(ObjectNode body, DrillOutcome outcome) {
        Recorder.Totals totals = outcome.totals();
        body.putObject("workload")
                .put("attempted", totals.attempted())
                .put("acknowledged", totals.acknowledged())
                .put("failed", totals.failed())
                .put("indeterminate", totals.indeterminate())
                .put("acknowledgedDuringFaults", totals.acknowledgedDuringFaults())
                .put("polled", totals.polled())
                .put("loadMs", outcome.loadNanos() / NANOS)
                .put("finalReadComplete", outcome.finalRead().complete())
                .put("replicasCompared", outcome.replicas().compared());
        FinalReadEvidence read = outcome.finalRead();
        LogVerdict.Counts counts = outcome.log().counts();
        body.putObject("finalRead")
                .put("partitions", read.partitions())
                .put("partitionsRead", read.read())
                .put("offsets", read.offsets())
                .put("acknowledgedLookedFor", counts.acknowledged() - counts.unjudged())
                .put("missing", read.missing());
        ReplicaEvidence replicas = outcome.replicas();
        body.putObject("replicas")
                .put("total", replicas.replicas())
                .put("compared", replicas.compared())
                .put("records", replicas.records())
                .put("acknowledgedLookedFor", replicas.acknowledged())
                .put("missing", replicas.missing());
    }

    private static void coverage(ObjectNode body, Coverage coverage) {
        ObjectNode node = body.putObject("coverage");
        coverage.covered().forEach(node.putArray("covered")::add);
        coverage.withoutEffect().forEach(node.putArray("withoutEffect")::add);
        coverage.notInjected().forEach(node.putArray("notInjected")::add);
    }

    private static void anomaly(ArrayNode anomalies, DrillConfig config, Anomaly anomaly) {
        Anomaly.First first = anomaly.first();
        ObjectNode node = anomalies
                .addObject()
                .put("type", anomaly.type().label())
                .put("count", anomaly.count())
                .put("allowed", anomaly.allowed());
        ArrayNode permittedBy = node.putArray("permittedBy");
        Permit.of(config, anomaly.type()).forEach(permit -> permittedBy.add(permit.setting()));
        node.put("why", Permit.inWords(config, anomaly.type()))
                .putObject("first")
                .put("topic", first.topic())
                .put("partition", first.partition())
                .put("offset", first.offset())
                .put("leaderEpoch", first.leaderEpoch())
                .put("ackedBy", first.ackedBy())
                .put("explanation", first.explanation());
    }

    private static void lost(ArrayNode records, DrillOutcome outcome) {
        for (DrillOutcome.Lost lost : outcome.lostNamed(DrillOutcome.LOST_NAMED)) {
            records.addObject()
                    .put("topic", lost.topic())
                    .put("partition", lost.partition())
                    .put("offset", lost.offset())
                    .put("leaderEpoch", lost.leaderEpoch())
                    .put("ackedBy", lost.ackedBy())
                    .put("fault", lost.fault());
        }
    }

    private static void faults(ArrayNode faults, DrillOutcome outcome) {
        for (int i = 0; i < outcome.faults().size(); i++) {
            FaultRecord fault = outcome.faults().get(i);
            ObjectNode node = faults.addObject()
                    .put("id", fault.id())
                    .put("fault", fault.fault())
                    .put("target", fault.target());
            fault.nodes().forEach(node.putArray("nodes")::add);
            node.put("startMs", fault.startNanos() / NANOS)
                    .put("endMs", fault.endNanos() / NANOS)
                    .put("effective", fault.effective())
                    .put("evidence", fault.evidence())
                    .put("rtoMs", outcome.times().get(i).rtoMs())
                    .put("unavailabilityMs", outcome.times().get(i).unavailabilityMs())
                    .put("allInSyncAfterMs", fault.allInSyncAfterMs())
                    .put("lost", outcome.lostBy(fault));
        }
    }

    private static void leaders(ObjectNode body, DrillOutcome outcome) {
        ArrayNode leaders = body.putArray("leaders");
        for (ClusterObserver.Leadership led : outcome.leaderships()) {
            leaders.addObject()
                    .put("topic", DrillConfig.TOPIC)
                    .put("partition", led.partition())
                    .put("leaderEpoch", led.leaderEpoch())
                    .put("leader", led.leader() < 0 ? null : (Integer) led.leader())
                    .put("fromMs", led.fromNanos() / NANOS);
        }
        ArrayNode controllers = body.putArray("controllers");
        for (ClusterObserver.Controllership active : outcome.controllerships()) {
            controllers
                    .addObject()
                    .put("epoch", active.epoch())
                    .put("node", active.node())
                    .put("fromMs", active.fromNanos() / NANOS);
        }
    }
}
