package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A run before it runs: everything that happens from outside, drawn from the seed. The same plan is the same run; a plan
 * with turns left out is another run of the same cluster.
 *
 * @param seed of everything that is drawn while it runs: delays, time-outs, what a power loss leaves
 * @param wire whether messages between nodes go through the real wire code as bytes
 * @param forMs how long faults and load go on, virtual ms
 * @param turns in the order of their times
 * @param written the partitions of the topic that clients write to and read
 */
public record Plan(long seed, Shape shape, boolean wire, long forMs, List<Turn> turns, List<Integer> written) {
    /** How long faults and load go on where nobody says so, virtual ms. */
    public static final long DEFAULT_FOR_MS = 30_000;

    public Plan {
        turns = List.copyOf(turns);
        written = List.copyOf(written);
    }

    /** The plan of a seed, of the swarm's shape and faults. */
    public static Plan of(long seed) {
        return of(seed, Shape.of(seed), Aim.all(), DEFAULT_FOR_MS);
    }

    /**
     * The plan of a seed.
     *
     * @param aims the faults to draw from; a seed takes about half of them, each more or less often, so that runs differ in
     *     kind (swarm testing)
     */
    public static Plan of(long seed, Shape shape, List<Aim> aims, long forMs) {
        boolean wire = World.random(seed, "wire").nextInt(4) == 0;
        return new Plan(
                seed,
                shape,
                wire,
                forMs,
                turns(World.random(seed, "plan"), aims, forMs),
                IntStream.range(0, shape.partitions).boxed().toList());
    }

    private static List<Turn> turns(RandomGenerator random, List<Aim> aims, long forMs) {
        List<Aim> swarm = new ArrayList<>();
        for (Aim aim : aims) {
            int weight = random.nextInt(6) - 2;
            for (int i = 0; i < weight; i++) {
                swarm.add(aim);
            }
        }
        if (swarm.isEmpty()) {
            swarm.addAll(aims);
        }
        Chore[] chores = Chore.values();
        List<Turn> turns = new ArrayList<>();
        long pause = random.nextLong(400, 1_600);
        for (long at = random.nextLong(100, 2 * pause); at < forMs; at += random.nextLong(100, 2 * pause)) {
            if (swarm.isEmpty() || random.nextInt(5) == 0) {
                turns.add(new Turn(at, chores[random.nextInt(chores.length)], null, random.nextLong()));
            } else {
                Aim aim = swarm.get(random.nextInt(swarm.size()));
                turns.add(new Turn(at, aim.fault(), target(aim, random), random.nextLong()));
            }
        }
        return turns;
    }

    private static Target target(Aim aim, RandomGenerator random) {
        Target drawn = new Target(
                switch (random.nextInt(12)) {
                    case 0 -> Target.Who.ALL;
                    case 1 -> Target.Who.MINORITY;
                    case 2 -> Target.Who.MAJORITY;
                    case 3, 4 -> Target.Who.LEADER;
                    case 5 -> Target.Who.CONTROLLER;
                    default -> Target.Who.ONE;
                },
                0);
        @Nullable Target asked = aim.target();
        return asked == null ? drawn : asked;
    }

    /** As this one, with other turns. */
    public Plan withTurns(List<Turn> some) {
        return new Plan(seed, shape, wire, forMs, some, written);
    }

    /** As this one, with fewer partitions under load. */
    public Plan withWritten(List<Integer> some) {
        return new Plan(seed, shape, wire, forMs, turns, some);
    }

    /** As this one, shorter. */
    public Plan withForMs(long shorter) {
        return new Plan(
                seed,
                shape,
                wire,
                shorter,
                turns.stream().filter(turn -> turn.atMs() < shorter).toList(),
                written);
    }
}
