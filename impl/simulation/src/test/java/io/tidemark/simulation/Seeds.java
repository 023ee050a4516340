package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.StepListener;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs of seeds, and what is demanded of each and of many. */
final class Seeds {
    /** How often each event must have happened in 300 seeds. */
    private static final SortedMap<String, Integer> AT_LEAST = new TreeMap<>(Map.ofEntries(
            Map.entry("config-changed", 60),
            Map.entry("duplicate-answered", 10),
            Map.entry("elected-preferred", 5),
            Map.entry("elected-unclean", 5),
            Map.entry("isr-change-across-death", 50),
            Map.entry("isr-change-twice", 3),
            Map.entry("min-isr-lowered", 15),
            Map.entry("min-isr-raised", 15),
            Map.entry("power-loss-after-death", 10),
            Map.entry("topic-created", 50),
            Map.entry("topic-deleted", 15),
            Map.entry("unclean-enabled", 60),
            Map.entry("voter-wiped", 3)));

    private final Summary summary = new Summary();

    static Simulation.Result run(long seed) {
        return run(Plan.of(seed), "replay: " + replay(seed));
    }

    /** The command line that runs a seed of the swarm again. */
    static String replay(long seed) {
        return "./tidemark simulate --seed " + seed;
    }

    /** The swarm's faults on another shape. */
    static Simulation.Result run(long seed, Shape shape) {
        return run(
                Plan.of(seed, shape, Aim.all(), Plan.DEFAULT_FOR_MS),
                "no command line has this shape; run the test again");
    }

    private static Simulation.Result run(Plan plan, String replay) {
        try {
            return Simulation.of(plan).run();
        } catch (Throwable broken) {
            throw new AssertionError(
                    "seed " + plan.seed() + ", " + replay + "\n" + plan.shape() + "\n" + story(plan), broken);
        }
    }

    /** What a run that fails does, told by a second one. */
    private static String story(Plan plan) {
        Simulation again = Simulation.of(plan, true, node -> StepListener.NONE);
        try {
            again.run();
            return "it failed once, and not again";
        } catch (Throwable broken) {
            return again.story();
        }
    }

    void add(Simulation.Result result) {
        summary.add(result);
        Shape shape = result.plan().shape();
        String seed = replay(result.plan().seed());
        boolean keepsDisks = result.faults().stream()
                .noneMatch(count -> count.fault() == Fault.WIPE_DISK || count.fault() == Fault.FSYNC_LIE);
        if (shape.flushMessages == 1 && keepsDisks) {
            // What was acknowledged was fsynced: a disk can lose nothing of it.
            assertThat(result.losses()).as(seed).doesNotContainKeys("LAST_KNOWN", "LAST_OF_ISR");
        }
        assertThat(result.losses()).as(seed).doesNotContainKey(shape.elr ? "LAST_OF_ISR" : "LAST_KNOWN");
    }

    /**
     * In a few seeds nothing may be acknowledged, but not in many; and what there is to meet is met in the many.
     *
     * @param asked how many were to be run; what failed is not among the runs
     */
    void areEnough(long asked) {
        if (asked < 300) {
            return;
        }
        assertThat(summary.missing()).isEmpty();
        assertThat(summary.faults()).extracting(Effects.Count::fault).containsExactly(Fault.values());
        assertThat(summary.events().keySet()).containsExactlyElementsOf(AT_LEAST.keySet());
        AT_LEAST.forEach((event, count) ->
                assertThat(summary.events().get(event)).as(event).isGreaterThanOrEqualTo(count));
        assertThat(summary.losses().keySet()).contains("LAST_KNOWN", "LAST_OF_ISR", "UNCLEAN", "torn");
        assertThat(summary.misled()).as("partitions not judged").isLessThanOrEqualTo(3);
        assertThat(summary.untaken()).as("actions not taken").isEqualTo(List.of());
    }

    @Override
    public String toString() {
        return summary.toString();
    }
}
