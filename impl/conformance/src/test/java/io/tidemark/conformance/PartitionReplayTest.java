package io.tidemark.conformance;

import io.tidemark.conformance.partition.PartitionSubject;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counterexamples of the partition's mutants on replicas, brokers and controller. */
class PartitionReplayTest {
    private static final String NOBODY_ACTS = "a behaviour without end in which nobody acts, and no step is wrong";

    private static final String TWIN = "no guard stands for it: its twin in the code is ";

    private static final MutantReplays REPLAYS = new MutantReplays(
            "Partition",
            Map.of(
                    "ack-before-fsync",
                    TWIN + "acknowledgement-before-its-fsync",
                    "hw-before-fsync",
                    TWIN + "acknowledgement-before-its-fsync",
                    "fetch-before-fsync",
                    TWIN + "the one of its name",
                    "neglects-living",
                    NOBODY_ACTS,
                    "neglects-settling",
                    NOBODY_ACTS,
                    "neglects-fetching",
                    NOBODY_ACTS,
                    "without-truncate-own-epoch",
                    "a behaviour without end, no state of which is wrong by itself"),
            PartitionSubject::new);

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
