package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.controller.ControllerTeeth;
import io.tidemark.core.partition.PartitionTeeth;
import io.tidemark.core.quorum.QuorumTeeth;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every guard is needed: without it breaks what {@code spec/guards.tsv} says, on a schedule that ends well with it. */
class GuardTeethTest {
    private static final Map<Guard, Tooth> TEETH = teeth();

    private static Map<Guard, Tooth> teeth() {
        Map<Guard, Tooth> teeth = new EnumMap<>(Guard.class);
        for (Map<Guard, Tooth> some :
                List.of(QuorumTeeth.all(), ControllerTeeth.all(), PartitionTeeth.all(), StoryTeeth.all())) {
            some.forEach((guard, tooth) -> assertThat(teeth.put(guard, tooth))
                    .as("a second for %s", guard)
                    .isNull());
        }
        return teeth;
    }

    @ParameterizedTest
    @EnumSource
    void aGuardThatIsOffIsMissed(Guard guard) {
        Tooth tooth = TEETH.get(guard);
        assertThat(tooth).as("no schedule needs %s", guard).isNotNull();
        String expected = GuardRow.of(guard).broken();
        TreeSet<String> broken = new TreeSet<>();
        int seed = -1;
        while (!broken.contains(expected) && ++seed < tooth.seeds()) {
            String name = tooth.schedule().broken(Guards.without(guard), seed);
            if (name != null) {
                broken.add(name);
            }
        }
        assertThat(broken)
                .as("without %s, in %d schedules", guard, tooth.seeds())
                .contains(expected);
        assertThat(tooth.schedule().broken(Guards.ALL, seed)).as("with it").isNull();
    }
}
