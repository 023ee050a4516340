package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import io.tidemark.spec.tlc.TlcOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces of the simulator against the specification; and that traces which are not of it are told from those. */
class PartitionTraceTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final int FAULTS_MS = 6_000;

    @TempDir
    Path work;

    private TraceRun run() {
        return new TraceRun(SPEC, work, TlcOptions.standard());
    }

    private static List<String> traced(long seed, Guards guards) {
        return SimTrace.of(Plan.of(seed, Shape.three().withGuards(guards), Aim.all(), FAULTS_MS));
    }

    private static Layer first(List<String> lines) {
        return new Layer.Partition(
                Layer.partitions(TraceFile.parse("trace", lines)).get(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTheCodeDoesIsABehaviourOfTheSpecification(long seed) throws InterruptedException {
        List<String> lines = traced(seed, Guards.ALL);
        TraceSegment segment = first(lines).segment(TraceFile.parse("trace", lines), 1, 500);
        assertThat(segment.events()).isGreaterThanOrEqualTo(500);
        int followed = run().follow(segment, List.of(), 0).followed().get(0);
        assertThat(followed)
                .as(() -> "step " + segment.steps().get(followed).tla())
                .isEqualTo(segment.steps().size());
    }

    @Test
    void aTraceWithAnEventLessOrTwiceOrInAnotherPlaceIsRejected() throws InterruptedException {
        List<String> lines = traced(2, Guards.ALL);
        Doctored doctored = new Doctored(lines, first(lines), 1, 300);
        TraceSegment recorded = doctored.segment(lines);
        List<Integer> appends = recorded.steps().stream()
                .filter(step ->
                        step.action().equals("HandleProduce") || step.action().equals("HandleFetchResponse"))
                .filter(step -> lines.get(step.event()).contains("\"log\""))
                .map(SpecStep::event)
                .distinct()
                .toList();
        List<TraceRun.Variant> variants = new ArrayList<>();
        for (int i = 5; i < 45; i += 5) {
            int event = appends.get(i);
            int next = nextOf(lines, event);
            variants.add(doctored.variant(all -> {
                all.remove(event);
                return all;
            }));
            variants.add(doctored.variant(all -> {
                all.add(event, all.get(event));
                return all;
            }));
            variants.add(doctored.variant(all -> {
                Collections.swap(all, event, next);
                return all;
            }));
        }
        List<Integer> followed = run().follow(recorded, variants, 0).followed();
        for (int i = 0; i < variants.size(); i++) {
            assertThat(Corruptions.refused(recorded, variants.get(i), followed.get(i + 1)))
                    .as("variant " + i + " of event " + appends.get(5 + 5 * (i / 3)))
                    .isNotNull();
        }
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

    /** A segment's start is held against the end of the one before. */
    @Test
    void aSegmentThatBeginsInAnotherStateIsRefused() throws InterruptedException {
        List<String> lines = traced(2, Guards.ALL);
        TraceFile trace = TraceFile.parse("trace", lines);
        TraceSegment first = first(lines).segment(trace, 1, 60);
        TraceSegment second = first(lines).segment(trace, first.last() + 1, 1);
        assertThat(run().follow(first, List.of(), 0, second.start()).followed())
                .containsExactly(first.steps().size());
        Map<String, Object> wrong = new LinkedHashMap<>(second.start());
        wrong.put("metaHw", 1_000);
        TraceRun.Followed refused = run().follow(first, List.of(), 0, wrong);
        assertThat(refused.followed()).containsExactly(first.steps().size() - 1);
        assertThat(refused.observed()).containsOnlyKeys("metaHw");
        assertThat(refused.expected()).containsOnlyKeys("metaHw");
    }

    /** A constant of the module has one value in a run of TLC: what comes after a change is not held against it. */
    @Test
    void whatComesAfterAChangeOfASettingIsNotFollowed() {
        List<String> lines = traced(2, Guards.ALL);
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
                        + Long.MAX_VALUE + "; a change is not modelled");
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
                        + " on: eligible.leader.replicas.version is switched off; a change is not modelled");
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
        Guards without = Guards.without(Guard.MIN_ISR_APPEND);
        TraceValidator validator = new TraceValidator(SPEC, work, TlcOptions.standard());
        TraceValidator.Rejection rejection = null;
        for (long seed = 1; seed <= 5 && rejection == null; seed++) {
            TraceFile trace = TraceFile.parse("trace", traced(seed, without));
            rejection = validator.validate(trace, 1, 700, line -> {}).rejected();
        }
        assertThat(rejection).isNotNull();
        assertThat(rejection.action()).isEqualTo("HandleProduce");
        assertThat(rejection.expected()).isNull();
        assertThat(rejection.enabled()).isNotEmpty().doesNotContain("HandleProduce");
    }
}
