package io.tidemark.simulation;

import io.tidemark.core.Guards;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What a simulated cluster looks like. Changed only while it is made: {@link #with} changes a copy. */
public final class Shape implements Cloneable {
    /** Combined nodes, each a controller and a broker, ids from 1. */
    public int controllers = 3;

    /** Nodes that are brokers alone, with the ids after those: a disk of theirs may be wiped. */
    public int brokers;

    /** Of the topic under load. */
    public int partitions = 3;

    public int replicationFactor = 3;
    public int minIsr = 2;
    /** Of every producer: -1, 0 or 1. */
    public short acks = -1;

    /** Off: as Kafka before KIP-966. */
    public boolean elr = true;

    /** {@code unclean.leader.election.enable} of every node. */
    public boolean unclean;

    /** {@code log.flush.interval.messages}; 0: never, as by default. */
    public int flushMessages;

    /** Voters in the metadata log (kraft.version 1) or, false, in {@code controller.quorum.voters}. */
    public boolean dynamicVoters;

    /** Racks, by which nodes are dealt round robin. */
    public int racks = 3;

    /** How many batches a producer has under way, as {@code max.in.flight.requests.per.connection}. */
    public int inFlight = 1;

    /** The longest pause of a producer between two batches, virtual ms; the mean is half of it. */
    public int produceEveryMs = 60;

    /** How long a broker waits for a controller's answer: {@code request.timeout.ms}. */
    public int requestTimeoutMs = 3_000;

    /** Kafka's default time-outs; false: shorter ones, so that more happens in a run. */
    public boolean kafkaTimes;

    /** All on, but in mutants. */
    Guards guards = Guards.ALL;

    /** An invariant of one step that a story breaks on purpose and goes on; empty for none. */
    String unheld = "";

    private Shape() {}

    /** Three combined nodes with a topic of three partitions on each of them. */
    public static Shape three() {
        return new Shape();
    }

    /**
     * The shape of a seed: each setting drawn on its own, so that everything meets everything. Settings that keep records
     * are more frequent than those that may lose them.
     */
    public static Shape of(long seed) {
        RandomGenerator random = World.random(seed, "shape");
        Shape shape = new Shape();
        shape.controllers = oneIn(8, random) ? 1 : oneIn(5, random) ? 5 : 3;
        int least = Math.max(3, shape.controllers);
        shape.brokers = (oneIn(2, random) ? least : random.nextInt(least, 6)) - shape.controllers;
        shape.partitions = oneIn(2, random) ? random.nextInt(1, 4) : random.nextInt(1, 9);
        shape.replicationFactor = oneIn(4, random) ? random.nextInt(1, 4) : 3;
        shape.minIsr = oneIn(4, random)
                ? random.nextInt(1, shape.replicationFactor + 1)
                : Math.min(2, shape.replicationFactor);
        shape.acks = (short) (oneIn(5, random) ? (oneIn(4, random) ? 0 : 1) : -1);
        shape.elr = !oneIn(5, random);
        shape.unclean = oneIn(12, random);
        shape.flushMessages = oneIn(4, random) ? 1 : oneIn(8, random) ? 3 : 0;
        shape.dynamicVoters = random.nextBoolean();
        shape.racks = random.nextInt(1, 4);
        shape.inFlight = oneIn(4, random) ? 5 : 1;
        shape.requestTimeoutMs = oneIn(8, random) ? 30_000 : 3_000;
        return shape;
    }

    private static boolean oneIn(int many, RandomGenerator random) {
        return random.nextInt(many) == 0;
    }

    /** Ids go from 1 to this. */
    public int nodes() {
        return controllers + brokers;
    }

    /** The rack of a node, from 1. */
    int rack(int node) {
        return (node - 1) % racks + 1;
    }

    /** A changed copy. */
    public Shape with(Consumer<Shape> change) {
        try {
            Shape copy = (Shape) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** A copy of a cluster whose protocol lacks some guards: a mutant, which the invariants must catch. */
    public Shape withGuards(Guards some) {
        return with(shape -> shape.guards = some);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d combined nodes, %d brokers, %d partitions x %d, min.insync.replicas %d, acks %s, ELR %s, unclean %s,"
                        + " flush %s, %s voters, %d racks, %d in flight",
                controllers,
                brokers,
                partitions,
                replicationFactor,
                minIsr,
                acks == -1 ? "all" : Short.toString(acks),
                elr ? "on" : "off",
                unclean,
                flushMessages == 0 ? "none" : flushMessages == 1 ? "every-message" : "every " + flushMessages,
                dynamicVoters ? "dynamic" : "static",
                racks,
                inFlight);
    }
}
