package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** The state in which the steps begin: what the lines before have told, as {@code Start} of the module. */
final class StartState {
    private final ControllerImage controller;
    private final SortedMap<String, ReplicaImage> replicas;
    private final SentRequests sent;
    private final Map<List<Integer>, Map<String, Object>> records = new HashMap<>();

    StartState(ControllerImage controller, SortedMap<String, ReplicaImage> replicas, SentRequests sent) {
        this.controller = controller;
        this.replicas = replicas;
        this.sent = sent;
    }

    /** A record by its place and epoch: within an epoch there is one leader. */
    private Map<String, Object> named(int offset, int epoch) {
        return records.computeIfAbsent(
                List.of(offset, epoch), place -> record("epoch", epoch, "id", records.size() + 1));
    }

    private Map<String, Object> each(Function<ReplicaImage, Object> of) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String broker : controller.brokers()) {
            ReplicaImage replica = replicas.get(broker);
            if (replica == null) {
                throw new IllegalStateException("nothing is known of " + broker);
            }
            all.put(broker, of.apply(replica));
        }
        return all;
    }

    /** @param metaHw how many records are committed */
    Map<String, Object> build(int metaHw) {
        MetadataIndex index = controller.index();
        Map<String, Object> start = new LinkedHashMap<>();
        start.put("metaLog", controller.metaLog());
        start.put("metaHw", metaHw);
        start.put("up", each(r -> r.up));
        start.put("incarnation", each(r -> r.incarnation));
        start.put("brokerEpoch", each(r -> r.brokerEpoch < 0 ? Tla.NIL : index.epoch(r.broker, r.brokerEpoch)));
        start.put("applied", each(r -> index.of(r.get("applied").asLong())));
        start.put("log", each(this::log));
        for (String name : List.of("logStart", "flushed", "hw")) {
            start.put(name, each(r -> r.number(name)));
        }
        start.put("fsynced", each(r -> r.fsynced));
        start.put("lying", each(r -> r.lied));
        start.put("epochStart", each(r -> r.leads() ? (Object) r.number("epochStart") : Tla.NIL));
        start.put("follower", each(r -> r.leads() ? followers(r) : Tla.NIL));
        start.put("isrState", each(r -> r.leads() ? r.isrState(index) : Tla.NIL));
        start.put("pendingAcks", each(this::acks));
        start.put("fetchResp", each(r -> r.fetchResp(this::named)));
        start.put("apResp", each(ReplicaImage::apResp));
        start.put("ids", records.size());
        start.put("late", sent.keptFromTheStart());
        return start;
    }

    private List<Object> log(ReplicaImage replica) {
        List<Object> log = new ArrayList<>();
        for (int offset = 0; offset < replica.log.size(); offset++) {
            log.add(named(offset, replica.log.get(offset)));
        }
        return log;
    }

    private Map<String, Object> followers(ReplicaImage leader) {
        Map<String, Object> all = new LinkedHashMap<>();
        Map<String, Object> known = leader.followers(controller.index(), controller.brokers());
        for (String broker : controller.brokers()) {
            Map<String, Object> progress = new LinkedHashMap<>();
            if (known.get(broker) instanceof Map<?, ?> at) {
                at.forEach((name, value) -> progress.put((String) name, value));
            } else {
                progress.putAll(record("offset", -1, "brokerEpoch", -1, "caughtUp", false));
            }
            progress.put("leaderEnd", leader.leaderEnds.getOrDefault(broker, -1));
            all.put(broker, progress);
        }
        return all;
    }

    private SortedSet<Object> acks(ReplicaImage leader) {
        TreeSet<Object> all = new TreeSet<>(java.util.Comparator.comparing(Object::toString));
        leader.get("pendingAcks").forEach(each -> {
            int required = each.asInt();
            if (required >= 1 && required <= leader.log.size()) {
                int epoch = leader.log.get(required - 1);
                Map<String, Object> entry = record("offset", required - 1);
                entry.putAll(named(required - 1, epoch));
                all.add(record("acks", "all", "required", required, "entry", entry));
            }
        });
        return all;
    }
}
