package io.tidemark.simulation;

/** A load of one's own on a simulated cluster. */
public interface Workload {
    /** Called once, when the cluster runs and its topic exists; what is to happen later is given to the cluster. */
    void start(SimulatedCluster cluster);
}
