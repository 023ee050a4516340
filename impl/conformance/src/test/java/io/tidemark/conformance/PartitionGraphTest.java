package io.tidemark.conformance;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All states that models of partition and controller reach: the code's graph is the specification's, and code that lacks a guard
 * has another.
 */
class PartitionGraphTest {
    /** One mostly of the partition, one of lives of brokers and the controller. */
    private static final List<String> SMALLEST = List.of("PartitionMinIsr", "PartitionBounce");

    static Stream<String> models() {
        return GraphRows.models("Partition", SMALLEST);
    }

    static Stream<String> mutants() {
        return GraphRows.mutants("Partition");
    }

    @ParameterizedTest
    @MethodSource("models")
    void theGraphsAreEqual(String name) {
        GraphRows.assertEqual(name);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void codeThatLacksAGuardParts(String name) {
        GraphRows.assertDifferent(name);
    }
}
