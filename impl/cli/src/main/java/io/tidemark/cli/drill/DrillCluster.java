package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Progress;
import io.tidemark.workload.fault.Target;

/** The cluster that a drill runs against; it belongs to the drill alone. */
interface DrillCluster extends AutoCloseable {
    /**
     * Starts all nodes and waits until they serve.
     *
     * @throws NotStartedException if one ends, or not all serve in time
     * @throws io.tidemark.cli.contract.CliException if the environment is at fault, or a node ends for a defect
     */
    void start(Progress progress) throws InterruptedException;

    /** Only after {@link #start}. */
    Target target();

    /** Where clients begin. */
    String bootstrap();

    /** Ends all nodes in order, whatever state they are in. */
    void stop() throws InterruptedException;

    /** Kills what still lives. */
    @Override
    void close();
}
