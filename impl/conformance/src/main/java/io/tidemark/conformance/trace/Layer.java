package io.tidemark.conformance.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** One of the things that a trace tells of, each followed by itself with a module of its own. */
sealed interface Layer {
    /** As reports name it. */
    String name();

    /**
     * The steps of the events from one on; none where it does not begin to be followed by then.
     *
     * @param from index of the first event
     * @param count how many events of this layer, about
     */
    TraceSegment segment(TraceFile trace, int from, int count);

    /** The metadata quorum. */
    record Quorum() implements Layer {
        @Override
        public String name() {
            return "quorum";
        }

        @Override
        public TraceSegment segment(TraceFile trace, int from, int count) {
            return QuorumSteps.of(trace, from, count);
        }
    }

    /** The nodes that act as the controller, for all partitions and brokers. */
    record Controller() implements Layer {
        @Override
        public String name() {
            return "controller";
        }

        @Override
        public TraceSegment segment(TraceFile trace, int from, int count) {
            return ControllerSteps.of(trace, from, count);
        }
    }

    /** A partition with its brokers and its controller. */
    record Partition(String name) implements Layer {
        @Override
        public TraceSegment segment(TraceFile trace, int from, int count) {
            return PartitionSteps.of(trace, name, from, count);
        }
    }

    /** Those that the trace has lines about. */
    static List<Layer> of(TraceFile trace) {
        List<Layer> all = new ArrayList<>();
        if (trace.events().stream().anyMatch(QuorumSteps::tells)) {
            all.add(new Quorum());
        }
        if (trace.events().stream().anyMatch(ControllerSteps::tells)) {
            all.add(new Controller());
        }
        partitions(trace).forEach(partition -> all.add(new Partition(partition)));
        return all;
    }

    /** The partitions that the trace has lines about. */
    static List<String> partitions(TraceFile trace) {
        TreeSet<String> all = new TreeSet<>();
        for (TraceEvent event : trace.events()) {
            String partition = event.args().path("partition").asText("");
            if (!partition.isEmpty()) {
                all.add(partition);
            }
        }
        return List.copyOf(all);
    }
}
