package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.SpecAction;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** What a seed stands for, and what is demanded of many. */
final class Seeds {
    static final int FAULTS_MS = 30_000;

    /** How often each fault and each event must have had an effect in 200 seeds. */
    private static final SortedMap<String, Integer> AT_LEAST = new TreeMap<>(Map.ofEntries(
            Map.entry("kill", 100),
            Map.entry("power-loss", 100),
            Map.entry("power-loss-after-death", 10),
            Map.entry("freeze", 100),
            Map.entry("restart", 100),
            Map.entry("wipe-disk", 20),
            Map.entry("disk-full", 100),
            Map.entry("fsync-error", 100),
            Map.entry("message-cut-off", 1_000),
            Map.entry("message-lost", 1_000),
            Map.entry("message-overtaken", 1_000),
            Map.entry("message-twice", 300),
            Map.entry("isr-change-twice", 3),
            Map.entry("topic-created", 50),
            Map.entry("topic-deleted", 15),
            Map.entry("min-isr-raised", 25),
            Map.entry("min-isr-lowered", 20),
            Map.entry("config-changed", 40),
            Map.entry("unclean-enabled", 40),
            Map.entry("elected-preferred", 10),
            Map.entry("elected-unclean", 5)));

    private final SortedMap<String, Integer> tookEffect = new TreeMap<>();
    private final SortedMap<String, Integer> losses = new TreeMap<>();
    private final TreeSet<String> taken = new TreeSet<>();
    private int idle;
    private int seeds;

    private static boolean oneIn(int many, RandomGenerator random) {
        return random.nextInt(many) == 0;
    }

    /**
     * Drawn one by one, so that everything meets everything: some fsync every message, some have ELR off, some a fourth node
     * whose disk may be wiped; in some a broker waits for the controller as long as Kafka's does.
     */
    static Shape shape(long seed) {
        RandomGenerator random = new World(seed).random("shape");
        return Shape.three().with(shape -> {
            shape.flushEveryMessage = oneIn(4, random);
            shape.elr = !oneIn(5, random);
            shape.requestTimeoutMs = oneIn(8, random) ? 30_000 : 3_000;
            shape.brokers = oneIn(4, random) ? 1 : 0;
            shape.replicationFactor = shape.nodes();
        });
    }

    /** Whether messages go through the real wire. */
    static boolean wire(long seed) {
        return oneIn(4, new World(seed).random("wire"));
    }

    static Simulation.Result run(long seed, Shape shape) {
        Simulation simulation = new Simulation(seed, shape, wire(seed));
        try {
            return simulation.run(FAULTS_MS);
        } catch (Throwable broken) {
            throw new AssertionError("seed " + seed + "\n" + simulation.story(), broken);
        }
    }

    void add(Shape shape, Simulation.Result result) {
        result.tookEffect().forEach((kind, count) -> tookEffect.merge(kind, count, Integer::sum));
        result.losses().forEach((ground, count) -> losses.merge(ground, count, Integer::sum));
        taken.addAll(result.taken().keySet());
        String seed = "seed " + result.seed();
        if (shape.flushEveryMessage && shape.brokers == 0) {
            // What was acknowledged was fsynced: a disk can lose nothing of it.
            assertThat(result.losses()).as(seed).doesNotContainKeys("LAST_KNOWN", "LAST_OF_ISR");
        }
        assertThat(result.losses()).as(seed).doesNotContainKey(shape.elr ? "LAST_OF_ISR" : "LAST_KNOWN");
        seeds++;
        idle += result.acknowledged() == 0 ? 1 : 0;
    }

    /** In a few seeds nothing may be acknowledged, but not in many; and what there is to meet is met in the many. */
    void areEnough() {
        if (seeds >= 10) {
            assertThat(idle).as("seeds in which nothing was acknowledged").isLessThanOrEqualTo(seeds / 10);
        }
        if (seeds >= 200) {
            assertThat(tookEffect.keySet()).containsExactlyInAnyOrderElementsOf(AT_LEAST.keySet());
            AT_LEAST.forEach(
                    (kind, count) -> assertThat(tookEffect.get(kind)).as(kind).isGreaterThanOrEqualTo(count));
            assertThat(losses.keySet()).containsExactly("LAST_KNOWN", "LAST_OF_ISR", "UNCLEAN", "torn");
            assertThat(notTaken()).as("actions not taken").isEmpty();
        }
    }

    private SortedSet<String> notTaken() {
        return Arrays.stream(SpecAction.values())
                .map(Enum::name)
                .filter(action -> !taken.contains(action))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public String toString() {
        return seeds + " seeds, " + idle + " of them idle: " + tookEffect + ", lost as allowed " + losses
                + ", actions not taken " + notTaken();
    }
}
