package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.simulation.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces of the simulator against the specification; and that traces which are not of it are told from those. */
class PartitionTraceTest extends TraceHarness {
    PartitionTraceTest() {
        super(6_000);
    }

    private static Layer first(List<String> lines) {
        return new Layer.Partition(
                Layer.partitions(TraceFile.parse("trace", lines)).get(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTheCodeDoesIsABehaviourOfTheSpecification(long seed) throws InterruptedException {
        List<String> lines = traced(seed, Shape.three());
        TraceSegment segment = first(lines).segment(TraceFile.parse("trace", lines), 1, 500);
        assertThat(segment.events()).isGreaterThanOrEqualTo(500);
        isAccepted(run().follow(segment, List.of(), 0), segment);
    }

    @Test
    void aTraceWithAnEventLessOrTwiceOrInAnotherPlaceIsRejected() throws InterruptedException {
        List<String> lines = traced(2, Shape.three());
        Doctored doctored = new Doctored(lines, first(lines), 1, 300);
        TraceSegment recorded = doctored.segment(lines);
        List<Integer> appends = recorded.steps().stream()
                .filter(step ->
                        step.action().equals("HandleProduce") || step.action().equals("HandleFetchResponse"))
                .filter(step -> lines.get(step.event()).contains("\"log\""))
                .map(SpecStep::event)
                .distinct()
                .toList();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        for (int i = 5; i < 45; i += 5) {
            places.put(appends.get(i), nextOf(lines, appends.get(i)));
        }
        isRefusedWithout(doctored, recorded, places);
    }

    /** The next append of anybody: no two of them commute on one replica, nor does a copy come before what it copies. */
    private static int nextOf(List<String> lines, int event) {
        ObjectNode line = Doctored.read(lines.get(event));
        for (int i = event + 1; i < lines.size(); i++) {
            ObjectNode other = Doctored.read(lines.get(i));
            boolean same = other.path("node").equals(line.path("node"))
                    && other.path("args")
                            .path("partition")
                            .equals(line.path("args").path("partition"));
            if (same && other.path("state").has("log")) {
                return i;
            }
        }
        throw new IllegalStateException("no later append of node " + line.path("node"));
    }

    @Test
    void aSegmentThatBeginsInAnotherStateIsRefused() throws InterruptedException {
        List<String> lines = traced(2, Shape.three());
        isRefusedWhereTheNextBeginsOtherwise(first(lines), lines, 1, "metaHw", 1_000);
    }

    /** A constant of the module has one value in a run of TLC: what comes after a change is not held against it. */
    @Test
    void whatComesAfterAChangeOfASettingIsNotFollowed() {
        List<String> lines = traced(2, Shape.three());
        Layer layer = first(lines);
        TraceSegment whole = layer.segment(TraceFile.parse("trace", lines), 1, 500);
        assertThat(whole.ends()).isNull();
        assertThat(whole.constants()).containsEntry("ElrEnabled", true).containsEntry("FlushEveryMessage", false);

        int change = whole.steps().get(250).event();
        int node = Doctored.read(lines.get(change)).path("node").asInt();
        List<String> flush = Doctored.numbered(inserted(lines, change, node, "ApplyFlushChange", layer.name(), 1));
        TraceSegment before = layer.segment(TraceFile.parse("trace", flush), 1, 500);
        assertThat(before.ends())
                .isEqualTo("from event " + change + " on: flush.messages of node " + node + " is 1, was "
                        + Long.MAX_VALUE + "; a change is not modelled, and --from " + (change + 1)
                        + " follows what comes after it");
        assertThat(before.last()).isLessThan(change);
        assertThat(texts(before.steps()))
                .isEqualTo(texts(whole.steps()).subList(0, before.steps().size()));
        TraceSegment after = layer.segment(TraceFile.parse("trace", flush), change + 1, 100);
        assertThat(after.steps()).isEmpty();
        assertThat(after.ends()).contains("replicas that differ in flush.messages");

        int told = firstOf(lines, "\"metaLog\"", change);
        List<String> elr = new ArrayList<>(lines);
        elr.set(told, lines.get(told).replace("\"state\":{", "\"state\":{\"elrEnabled\":false,"));
        elr.subList(told + 1, elr.size())
                .replaceAll(line -> line.replace("\"elrEnabled\":true", "\"elrEnabled\":false"));
        assertThat(layer.segment(TraceFile.parse("trace", elr), 1, 100_000).ends())
                .isEqualTo("from event " + told
                        + " on: eligible.leader.replicas.version is switched off; a change is not modelled, and --from "
                        + (told + 1) + " follows what comes after it");
        TraceSegment later = layer.segment(TraceFile.parse("trace", elr), told + 1, 100);
        assertThat(later.ends()).isNull();
        assertThat(later.constants()).containsEntry("ElrEnabled", false);
    }

    private static List<String> inserted(
            List<String> lines, int at, int node, String action, String partition, long messages) {
        List<String> all = new ArrayList<>(lines);
        all.add(
                at,
                "{\"seq\":0,\"node\":" + node + ",\"nodeSeq\":0,\"cause\":null,\"action\":\"" + action
                        + "\",\"args\":{\"partition\":\"" + partition + "\",\"messages\":" + messages
                        + "},\"state\":{}}");
        return all;
    }

    private static List<String> texts(List<SpecStep> steps) {
        return steps.stream().map(SpecStep::tla).toList();
    }

    /** The first line from one on that has the text. */
    private static int firstOf(List<String> lines, String text, int from) {
        int at = from;
        while (!lines.get(at).contains(text)) {
            at++;
        }
        return at;
    }

    /** A leader that appends below min.insync.replicas. */
    @Test
    void whatTheCodeDoesWithoutAGuardIsRejected() throws InterruptedException {
        TraceValidator.Rejection rejection =
                rejection(Guards.without(Guard.MIN_ISR_APPEND), Layer.Partition.class::isInstance, 1, 1);
        assertThat(rejection.action()).isEqualTo("HandleProduce");
        assertThat(rejection.expected()).isNull();
        assertThat(rejection.enabled()).isNotEmpty().doesNotContain("HandleProduce");
    }
}
