package io.tidemark.workload.fault;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A cluster that faults can be injected into: what can be done to its nodes, and seen of them from outside. */
public interface Target {
    /** The ids of all nodes, whether they run or not; each is a broker, and a controller too where roles are combined. */
    List<Integer> nodes();

    /** Where clients reach the node. */
    InetSocketAddress address(int node);

    /** The node's {@code log.dirs}, if it can be read from here. */
    Optional<Path> logDirectory(int node);

    /** The small file system that holds all nodes, where there is one: only then can a disk run full. */
    default Optional<SmallFileSystem> smallFileSystem() {
        return Optional.empty();
    }

    /** {@code broker.session.timeout.ms}: a node silent for longer is fenced. */
    Duration sessionTimeout();

    boolean isAlive(int node);

    /** Whether the node stands still, its process alive. */
    boolean isStopped(int node);

    /** The node's process in words, for example {@code process 4711}. */
    String describe(int node);

    /** Ends the node at once; what it wrote to the page cache stays. */
    void kill(int node);

    /** Makes the node stand still. Takes effect a moment later, see {@link #isStopped}. */
    void freeze(int node);

    /** Lets a node that stands still go on. */
    void resume(int node);

    /** Asks the node to end in order. */
    void terminate(int node);

    /** Waits until the node is gone; false if it still lives when the time is up. */
    boolean awaitExit(int node, Duration limit) throws InterruptedException;

    /** Starts a node that is gone, with the data it had. Returns before it serves. */
    void start(int node);
}
