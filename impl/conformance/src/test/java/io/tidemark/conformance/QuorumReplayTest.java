package io.tidemark.conformance;

import io.tidemark.conformance.quorum.QuorumSubject;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counterexamples of the quorum's mutants on its cores. */
class QuorumReplayTest {
    private static final MutantReplays REPLAYS = new MutantReplays(
            "MCQuorum",
            Map.of(
                    "without-check-quorum", "a leader that should go stays: no step of it is wrong",
                    "without-one-voter-change", "the code does not change voters yet",
                    "quorum-static-voters-wiped", "the code's voters are known by their directories too",
                    "quorum-leads-again", "the code has no such restart to switch on",
                    "quorum-decides-in-commit", "the code has no such controller to switch on",
                    "quorum-stays-candidate", "a behaviour without end, of a candidate that the code does not have",
                    "quorum-cut-as-told", "a behaviour without end, of a cut that the code does not have"),
            QuorumSubject::new);

    static Stream<String> mutants() {
        return REPLAYS.names();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theCodeBreaksWithoutTheGuardAndRefusesWithIt(String name) throws IOException {
        REPLAYS.replay(name);
    }

    @Test
    void whatIsLeftOutExists() {
        REPLAYS.assertAllNamed();
    }

    @AfterAll
    static void table() {
        System.out.println(REPLAYS.table());
    }
}
