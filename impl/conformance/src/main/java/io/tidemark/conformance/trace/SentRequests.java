package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.field;
import static io.tidemark.conformance.trace.ReplicaImage.record;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The requests that were live, and after which step, so that those that arrive late can be kept until then. */
final class SentRequests {
    private static final String FETCH = "fetch";
    private static final String ALTER_PARTITION = "alterPartition";
    /** What steps keep. */
    static final List<String> KEPT = List.of(FETCH, ALTER_PARTITION);

    private record Sent(Map<String, Object> request, int step, String broker) {}

    private final List<SpecStep> steps;
    private final List<Sent> fetches = new ArrayList<>();
    private final List<Sent> changes = new ArrayList<>();
    private final Set<Object> keptFromTheStart = new LinkedHashSet<>();

    SentRequests(List<SpecStep> steps) {
        this.steps = steps;
    }

    /** The state after the last step has this fetch. */
    void fetch(ReplicaImage follower, MetadataIndex index) {
        fetches.add(new Sent(
                fetch(follower, follower.fetch(), index.epoch(follower.broker, follower.brokerEpoch)),
                steps.size(),
                follower.broker));
    }

    static Map<String, Object> fetch(ReplicaImage follower, ReplicaImage.Request r, int brokerEpoch) {
        return fetch(follower.broker, r, brokerEpoch);
    }

    static Map<String, Object> fetch(String from, ReplicaImage.Request r, int brokerEpoch) {
        return record(
                "type",
                "fetch",
                "from",
                from,
                "to",
                ReplicaImage.brokerOrNil(r.leader()),
                "brokerEpoch",
                brokerEpoch,
                "leaderEpoch",
                r.leaderEpoch(),
                "offset",
                r.offset(),
                "lastEpoch",
                r.lastEpoch());
    }

    /** The state after the last step has this pending change. */
    void alterPartition(ReplicaImage leader, MetadataIndex index) {
        changes.add(new Sent(alterPartitionOf(leader, index), steps.size(), leader.broker));
    }

    static Map<String, Object> alterPartitionOf(ReplicaImage leader, MetadataIndex index) {
        Map<String, Object> pending =
                ReplicaImage.pending(leader.get("isrState").path("pending"), index);
        return record(
                "type",
                "alterPartition",
                "from",
                leader.broker,
                "brokerEpoch",
                index.epoch(leader.broker, leader.brokerEpoch),
                "leaderEpoch",
                leader.number("leaderEpoch"),
                "partitionEpoch",
                leader.number("partitionEpoch"),
                "isr",
                field(pending, "isr"),
                "epochs",
                field(pending, "epochs"));
    }

    /** The request arrives although it is not live any more; what was never sent cannot be kept. */
    void arrivesLate(Map<String, Object> request) {
        boolean fetch = field(request, "type").equals(FETCH);
        List<Sent> all = fetch ? fetches : changes;
        for (int i = all.size() - 1; i >= 0; i--) {
            Sent each = all.get(i);
            if (each.request.equals(request)) {
                if (each.step == 0) {
                    keptFromTheStart.add(request);
                } else if (fetch) {
                    steps.get(each.step - 1).keep(FETCH, each.broker);
                } else {
                    steps.get(each.step - 1).keep(ALTER_PARTITION, each.broker);
                }
                return;
            }
        }
    }

    /** Those of before the first step; grows while later events are read. */
    Set<Object> keptFromTheStart() {
        return keptFromTheStart;
    }
}
