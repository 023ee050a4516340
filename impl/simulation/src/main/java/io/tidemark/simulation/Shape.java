package io.tidemark.simulation;

import io.tidemark.core.Guards;
import java.util.function.Consumer;

/** What a simulated cluster looks like. Changed only while it is made: {@link #with} changes a copy. */
final class Shape implements Cloneable {
    /** Combined nodes, each a controller and a broker, ids from 1. */
    int controllers = 3;

    /** Nodes that are brokers alone, with the ids after those: a disk of theirs may be wiped. */
    int brokers;

    int partitions = 3;
    int replicationFactor = 3;
    int minIsr = 2;
    /** Of every producer: -1, 0 or 1. */
    short acks = -1;

    /** Off: as Kafka before KIP-966. */
    boolean elr = true;

    boolean flushEveryMessage;
    /** How many batches a producer has under way, as {@code max.in.flight.requests.per.connection}. */
    int inFlight = 1;

    /** How long a broker waits for a controller's answer: {@code request.timeout.ms}. */
    int requestTimeoutMs = 3_000;

    /** All on, but in mutants. */
    Guards guards = Guards.ALL;

    private Shape() {}

    static Shape three() {
        return new Shape();
    }

    int nodes() {
        return controllers + brokers;
    }

    Shape with(Consumer<Shape> change) {
        try {
            Shape copy = (Shape) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    Shape withGuards(Guards some) {
        return with(shape -> shape.guards = some);
    }
}
