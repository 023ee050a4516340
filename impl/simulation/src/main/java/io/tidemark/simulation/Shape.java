package io.tidemark.simulation;

import io.tidemark.core.Guards;

/**
 * What a simulated cluster looks like.
 *
 * @param nodes combined nodes, each a controller and a broker, ids from 1
 * @param acks of every producer: -1, 0 or 1
 * @param inFlight how many batches a producer has under way, as {@code max.in.flight.requests.per.connection}
 * @param guards all on, but in mutants
 */
record Shape(
        int nodes,
        int partitions,
        int replicationFactor,
        int minIsr,
        short acks,
        boolean elr,
        boolean unclean,
        boolean flushEveryMessage,
        int inFlight,
        Guards guards) {

    static Shape three() {
        return new Shape(3, 3, 3, 2, (short) -1, true, false, false, 1, Guards.ALL);
    }

    Shape withAcks(int newAcks) {
        return new Shape(
                nodes,
                partitions,
                replicationFactor,
                minIsr,
                (short) newAcks,
                elr,
                unclean,
                flushEveryMessage,
                inFlight,
                guards);
    }

    Shape withMinIsr(int newMinIsr) {
        return new Shape(
                nodes,
                partitions,
                replicationFactor,
                newMinIsr,
                acks,
                elr,
                unclean,
                flushEveryMessage,
                inFlight,
                guards);
    }

    Shape withFlush(boolean everyMessage) {
        return new Shape(
                nodes, partitions, replicationFactor, minIsr, acks, elr, unclean, everyMessage, inFlight, guards);
    }

    /** Without eligible leader replicas: as Kafka before KIP-966. */
    Shape withElr(boolean on) {
        return new Shape(
                nodes, partitions, replicationFactor, minIsr, acks, on, unclean, flushEveryMessage, inFlight, guards);
    }

    Shape withInFlight(int batches) {
        return new Shape(
                nodes, partitions, replicationFactor, minIsr, acks, elr, unclean, flushEveryMessage, batches, guards);
    }

    Shape withGuards(Guards newGuards) {
        return new Shape(
                nodes,
                partitions,
                replicationFactor,
                minIsr,
                acks,
                elr,
                unclean,
                flushEveryMessage,
                inFlight,
                newGuards);
    }
}
