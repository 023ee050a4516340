package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The state of the quorum in which the steps begin: what the lines before have told, as {@code Start} of the module. */
final class QuorumStartState {
    private QuorumStartState() {}

    /** @param sent requests of before that are still to arrive */
    static Map<String, Object> of(List<QuorumImage> images, List<Integer> nodes, Set<Object> sent) {
        Map<String, Object> start = new LinkedHashMap<>();
        start.put("currentEpoch", each(images, node -> node.number("currentEpoch")));
        start.put("votedKey", each(images, QuorumImage::votedKey));
        start.put("leaderId", each(images, QuorumImage::leader));
        start.put(
                "durable",
                each(
                        images,
                        node -> record(
                                "epoch", node.number("currentEpoch"),
                                "voted", node.votedKey(),
                                "leader", node.leader())));
        start.put("role", each(images, QuorumImage::role));
        start.put("grants", each(images, QuorumImage::grants));
        start.put("rejects", each(images, QuorumImage::rejects));
        start.put("fetchedFromLeader", each(images, QuorumImage::fetchedFromLeader));
        start.put("voterFetch", each(images, node -> node.voterFetch(nodes)));
        start.put("log", each(images, node -> records(node.log)));
        for (String name : List.of("hw", "logStart", "flushed")) {
            start.put(name, each(images, node -> node.number(name)));
        }
        start.put("dirId", each(images, QuorumImage::directory));
        start.put("committed", committed(images));
        start.put("sent", sent);
        return start;
    }

    private static Map<String, Object> each(List<QuorumImage> images, Function<QuorumImage, Object> of) {
        Map<String, Object> all = new LinkedHashMap<>();
        images.forEach(node -> all.put(node.name(), of.apply(node)));
        return all;
    }

    /** A trace tells epochs alone: what kind a record is of matters to no step of the code, which changes no voters. */
    private static List<Object> records(List<Integer> epochs) {
        List<Object> all = new ArrayList<>();
        epochs.forEach(
                epoch -> all.add(record("epoch", epoch, "kind", "data", "id", -1, "seen", 0, "voters", Set.of())));
        return all;
    }

    /** What the node that knows most knows as committed. */
    private static List<Object> committed(List<QuorumImage> images) {
        List<Object> most = List.of();
        for (QuorumImage node : images) {
            int hw = Math.min(node.number("hw"), node.log.size());
            if (hw > most.size()) {
                most = records(node.log.subList(0, hw));
            }
        }
        List<Object> all = new ArrayList<>();
        most.forEach(each -> all.add(record("rec", each, "by", 0)));
        return all;
    }
}
