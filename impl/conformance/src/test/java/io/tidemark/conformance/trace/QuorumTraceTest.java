package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.simulation.Shape;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes of the simulator do to their metadata quorum, against the specification; and that other steps are told from it. */
class QuorumTraceTest extends TraceHarness {
    private static final Layer QUORUM = new Layer.Quorum();
    /** By then the nodes have found each other: before, they ask who leads and learn nothing. */
    private static final int FROM = 200;

    QuorumTraceTest() {
        super(20_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTheCodeDoesIsABehaviourOfTheSpecification(long seed) throws InterruptedException {
        List<String> lines = traced(seed, Shape.three().with(shape -> shape.dynamicVoters = seed == 2));
        TraceSegment segment = QUORUM.segment(TraceFile.parse("trace", lines), FROM, 500);
        assertThat(segment.events()).isGreaterThanOrEqualTo(500);
        isAccepted(run().follow(segment, List.of(), 0), segment);
    }

    /**
     * Node 1 knows no leader and fetches from node 2; both have heard of leader 3 when the fetch is taken up. Recorded by
     * {@code ./tidemark cluster --nodes 3 --dir demo --trace t.ndjson}, the three files merged; the quorum's lines alone.
     */
    @Test
    void aVotersFetchMayComeWhenItKnowsItsLeader() throws Exception {
        List<String> lines;
        try (InputStream file =
                Objects.requireNonNull(QuorumTraceTest.class.getResourceAsStream("late-fetch.ndjson"))) {
            lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        TraceSegment segment = QUORUM.segment(TraceFile.parse("late-fetch", lines), 1, 1_000);
        isAccepted(run().follow(segment, List.of(), 0), segment);
        // As from an epoch of which node 1 had not heard: it has never sent that.
        List<String> never = new ArrayList<>(lines);
        int last = lines.size() - 1;
        never.set(last, lines.get(last).replace("\"from\":1,\"epoch\":1", "\"from\":1,\"epoch\":2"));
        assertThat(never).isNotEqualTo(lines);
        TraceSegment other = QUORUM.segment(TraceFile.parse("late-fetch", never), 1, 1_000);
        assertThat(run().follow(other, List.of(), 0).followed())
                .containsExactly(other.steps().size() - 1);
    }

    @Test
    void aSegmentThatBeginsInAnotherStateIsRefused() throws InterruptedException {
        isRefusedWhereTheNextBeginsOtherwise(QUORUM, traced(2, Shape.three()), FROM, "hw", Map.of("n1", 1_000));
    }

    @Test
    void aTraceWithAnEventLessOrTwiceOrInAnotherPlaceIsRejected() throws InterruptedException {
        List<String> lines = traced(2, Shape.three());
        Doctored doctored = new Doctored(lines, QUORUM, FROM, 300);
        TraceSegment recorded = doctored.segment(lines);
        List<Integer> appends = recorded.steps().stream()
                .filter(step -> lines.get(step.event()).contains("\"log\""))
                .map(SpecStep::event)
                .distinct()
                .toList();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        for (int i = 2; i < 18; i += 4) {
            int event = appends.get(i);
            int next = appends.stream()
                    .filter(later -> later > event && node(lines, later) == node(lines, event))
                    .findFirst()
                    .orElseThrow();
            places.put(event, next);
        }
        isRefusedWithout(doctored, recorded, places);
    }

    private static int node(List<String> lines, int event) {
        return Doctored.read(lines.get(event)).path("node").asInt();
    }

    /** A follower that does not cut what its leader has not got. */
    @Test
    void whatTheCodeDoesWithoutAGuardIsRejected() throws InterruptedException {
        TraceValidator.Rejection rejection =
                rejection(Guards.without(Guard.QUORUM_DIVERGENCE), QUORUM::equals, FROM, 7);
        assertThat(rejection.layer()).isEqualTo("quorum");
    }
}
