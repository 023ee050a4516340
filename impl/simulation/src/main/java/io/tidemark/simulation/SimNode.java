package io.tidemark.simulation;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.NodeObserver;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.node.NodeRuntime;
import io.tidemark.runtime.trace.TraceLog;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.StorageException;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import io.tidemark.wire.batch.KafkaRecordScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One node of a simulated cluster: its disk, and the process that lives on it for a while. */
final class SimNode {
    private static final String CLUSTER = "simulatedCluster000000";
    private static final Path DIR = Path.of("/data");
    private static final long RESTART_AFTER_CRASH_US = 300_000;
    private static final long STOPS_WITHIN_US = 1_000_000;
    static final String DISK_FULL = "disk-full";
    static final String FSYNC_ERROR = "fsync-error";
    static final String FREEZE = "freeze";
    static final String WIPE_DISK = "wipe-disk";
    private static final int BROKER_PORT = 9000;
    private static final int CONTROLLER_PORT = 9500;

    private final World world;
    private final SimNetwork network;
    private final Shape shape;
    private final int id;
    private final Invariants invariants;
    private final MetadataCodec codec;
    private final RandomGenerator random;
    private MemoryDisk disk = new MemoryDisk();
    private UUID directoryId;
    private int wipes;
    private long lives;
    private long effects;
    private boolean losesPower;
    private boolean diskFull;
    private boolean forceFailed;
    private final TreeMap<String, Integer> tookEffect = new TreeMap<>();
    private @Nullable Incarnation life;
    private @Nullable NodeRuntime runtime;
    private BrokerState brokerState = BrokerState.NOT_RUNNING;
    private int quorumLeader = -1;
    private @Nullable TraceLog trace;

    SimNode(World world, SimNetwork network, Shape shape, int id, MetadataCodec codec, Invariants invariants) {
        this.world = world;
        this.network = network;
        this.shape = shape;
        this.id = id;
        this.codec = codec;
        this.invariants = invariants;
        this.random = world.random("node " + id);
        network.register(BROKER_PORT + id, this);
        network.register(CONTROLLER_PORT + id, this);
        directoryId = format();
    }

    private UUID format() {
        UUID directory = new UUID(0xD1 + wipes, id);
        LogDirectory.format(disk, DIR, new MetaProperties(id, CLUSTER, directory));
        return directory;
    }

    /** Whether it is a voter of the quorum: such a disk must not be wiped while voters cannot be changed. */
    boolean isController() {
        return id <= shape.controllers;
    }

    int id() {
        return id;
    }

    boolean isControllerPort(int port) {
        return port == CONTROLLER_PORT + id;
    }

    /** Where requests go; null while no process lives. */
    @Nullable
    NodeApi api() {
        return runtime;
    }

    boolean alive() {
        return life != null;
    }

    boolean frozen() {
        return life != null && life.frozen();
    }

    BrokerState brokerState() {
        return brokerState;
    }

    /** The quorum leader that this node knows, -1 for none. */
    int quorumLeader() {
        return quorumLeader;
    }

    MemoryDisk disk() {
        return disk;
    }

    static Path dataDirectory() {
        return DIR;
    }

    void start() {
        if (life != null) {
            throw new IllegalStateException("node " + id + " lives");
        }
        Incarnation born =
                new Incarnation(world, () -> invariants.exposure().taskBegins(id), this::crash, this::breaks);
        life = born;
        lives++;
        forceFailed = false;
        losesPower = false;
        Ports ports = new Ports(
                new SimLoop(world, born, random),
                new SimLoop(world, born, random),
                new SimFlush(world, born, random),
                new SimFlush(world, born, random),
                network.of(id),
                world::nowMs,
                disk,
                codec,
                new KafkaRecordScanner(),
                random,
                listener());
        try {
            runtime = open(born, ports);
        } catch (Incarnation.Death death) {
            crash();
            return;
        } catch (StorageException broken) {
            breaks(broken);
            return;
        }
        world.trace("start " + id);
        world.tell("node " + id + " start");
    }

    /** A trace first: it has the step that violates an invariant. */
    private StepListener listener() {
        StepListener checks = invariants.of(id);
        return trace == null ? checks : StepListener.both(trace.begins(id, incarnation()), checks);
    }

    private UUID incarnation() {
        return new UUID(id, lives);
    }

    /** Writes every step from the next start on. */
    void trace(TraceLog log) {
        trace = log;
    }

    private NodeRuntime open(Incarnation born, Ports ports) {
        return NodeRuntime.start(settings(), ports, new NodeObserver() {
            @Override
            public void brokerState(BrokerState state) {
                if (life == born) {
                    brokerState = state;
                }
            }

            @Override
            public void brokerReady() {}

            @Override
            public void quorumLeader(int leaderId, int epoch) {
                if (life == born) {
                    quorumLeader = leaderId;
                }
            }

            @Override
            public void metadataApplied(List<MetadataState.Applied> applied, MetadataView view) {
                // Only the wire of a real node asks for it.
            }

            @Override
            public void fatal(String reason) {
                throw new IllegalStateException("node " + id + ": " + reason);
            }
        });
    }

    /**
     * The process will die at the {@code number}th effect on its disk from now on, before or after it took place; and with
     * it, where {@code power}, the machine. 0 only counts.
     */
    void dieAtEffect(long number, boolean after, boolean power) {
        effects = 0;
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) {
                if (++effects == number && !after) {
                    die(effect, path);
                }
            }

            @Override
            public void after(Effect effect, Path path) {
                if (effects == number && after) {
                    die(effect, path);
                }
            }

            private void die(Effect effect, Path path) {
                disk.setFaults(Faults.NONE);
                losesPower = power;
                world.tell("node " + id + " dies " + (after ? "after " : "before ") + effect + " of " + path);
                throw new Incarnation.Death();
            }
        });
    }

    /** Effects on the disk since {@link #dieAtEffect}. */
    long effects() {
        return effects;
    }

    private void crash() {
        invariants.exposure().diesInTask(id);
        if (losesPower) {
            losesPower = false;
            losePower();
        } else {
            kill();
        }
        world.after(RESTART_AFTER_CRASH_US, () -> {
            if (life == null) {
                start();
            }
        });
    }

    /** The disk takes {@code room} bytes more until {@link #freeDisk}. */
    void fillDisk(long room) {
        diskFull = true;
        disk.setCapacity(disk.used() + room);
    }

    void freeDisk() {
        diskFull = false;
        disk.setCapacity(Long.MAX_VALUE);
    }

    /** The next fsync of a file or directory fails; the machine may lose power with the process that stops then. */
    void failNextForce(boolean power) {
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) throws IOException {
                if (effect == Effect.FORCE || effect == Effect.SYNC_DIRECTORY) {
                    disk.setFaults(Faults.NONE);
                    Incarnation struck = life;
                    forceFailed = true;
                    losesPower = power;
                    effect(FSYNC_ERROR);
                    world.tell("node " + id + " cannot fsync " + path);
                    world.after(
                            STOPS_WITHIN_US,
                            () -> Invariants.require(
                                    life == null || life != struck || struck.frozen(),
                                    "FsyncErrorStops",
                                    "node " + id + " goes on although " + path + " could not be fsynced"));
                    throw new IOException("Input/output error");
                }
            }
        });
    }

    /** Ends what {@link #failNextForce} has armed and nothing has met. */
    void repairDisk() {
        disk.setFaults(Faults.NONE);
        freeDisk();
    }

    /** Nothing caught the disk's error: the process ends, if there is a reason for it. */
    private void breaks(StorageException broken) {
        if (forceFailed) {
            forceFailed = false;
        } else if (diskFull) {
            effect(DISK_FULL);
        } else {
            throw broken;
        }
        world.tell("node " + id + " stops: " + broken.getMessage());
        crash();
    }

    private void effect(String kind) {
        tookEffect.merge(kind, 1, Integer::sum);
        world.trace(kind);
    }

    /** What its disk and its freezes did to it, by kind. */
    SortedMap<String, Integer> tookEffect() {
        return tookEffect;
    }

    /** SIGKILL: the page cache stays. */
    void kill() {
        die();
        disk.kill();
        world.trace("kill " + id);
        world.tell("node " + id + " kill");
    }

    /** The machine stops: what was not fsynced may be gone. */
    void losePower() {
        die();
        invariants.exposure().losesData(id);
        disk.losePower(random);
        world.trace("power-loss " + id);
        world.tell("node " + id + " power-loss");
    }

    /** The process dies and its disk is replaced by one that is formatted anew, under a new directory id. */
    void wipeDisk() {
        if (isController()) {
            throw new IllegalStateException("node " + id + " is a voter");
        }
        die();
        invariants.exposure().losesData(id);
        wipes++;
        disk = new MemoryDisk();
        directoryId = format();
        effect(WIPE_DISK);
        world.tell("node " + id + " wipe-disk");
    }

    /** A dead one stays so. */
    private void die() {
        Incarnation ended = life;
        if (ended == null) {
            return;
        }
        ended.die();
        life = null;
        runtime = null;
        brokerState = BrokerState.NOT_RUNNING;
        quorumLeader = -1;
    }

    void freeze() {
        if (life != null) {
            life.freeze();
            world.trace("freeze " + id);
            world.tell("node " + id + " freeze");
        }
    }

    void thaw() {
        if (life != null && life.frozen()) {
            if (life.thaw() > 0) {
                effect(FREEZE);
            }
            world.trace("thaw " + id);
            world.tell("node " + id + " thaw");
        }
    }

    /** Clean stop; {@code done} runs once the process has ended. */
    void stop(Runnable done) {
        Incarnation stopping = life;
        NodeRuntime asked = runtime;
        if (asked == null) {
            return;
        }
        asked.shutDown(() -> {
            if (life == stopping) {
                die();
                disk.kill();
                world.trace("stopped " + id);
                world.tell("node " + id + " stopped");
                done.run();
            }
        });
    }

    private NodeSettings settings() {
        List<Endpoint> controllers = new ArrayList<>();
        List<VoterSet.Voter> voters = new ArrayList<>();
        for (int node = 1; node <= shape.controllers; node++) {
            Endpoint endpoint = new Endpoint("CONTROLLER", "sim", CONTROLLER_PORT + node);
            controllers.add(endpoint);
            voters.add(new VoterSet.Voter(new ReplicaKey(node, new UUID(0xD1, node)), List.of(endpoint)));
        }
        TreeMap<String, Short> bootstrap = new TreeMap<>();
        bootstrap.put("metadata.version", (short) 27);
        if (shape.elr) {
            bootstrap.put(MetadataState.ELR_FEATURE, (short) 1);
        }
        TreeMap<String, FeatureRange> supported = new TreeMap<>();
        supported.put("metadata.version", new FeatureRange((short) 7, (short) 30));
        supported.put(MetadataState.ELR_FEATURE, new FeatureRange((short) 0, (short) 1));
        SortedMap<String, String> statics = new TreeMap<>();
        statics.put("min.insync.replicas", Integer.toString(shape.minIsr));
        if (shape.flushEveryMessage) {
            statics.put("log.flush.interval.messages", "1");
        }
        return new NodeSettings(
                id,
                CLUSTER,
                directoryId,
                incarnation(),
                DIR,
                true,
                isController(),
                List.of(new Endpoint("PLAINTEXT", "sim", BROKER_PORT + id)),
                isController() ? List.of(controllers.get(id - 1)) : List.of(),
                "PLAINTEXT",
                "CONTROLLER",
                null,
                controllers,
                VoterSet.of(voters),
                new ControllerConfig(id, CLUSTER, 1, 1, bootstrap, supported, new TreeSet<>(), shape.guards),
                supported,
                new NodeSettings.Quorum(1_000, 2_000, 1_000, 2_000, 20),
                new NodeSettings.Broker(
                        3_000,
                        500,
                        2_000,
                        500,
                        1 << 20,
                        100,
                        3_000,
                        shape.requestTimeoutMs,
                        600_000,
                        1_000,
                        5_000,
                        true,
                        1_000),
                new NodeSettings.Logs(Long.MAX_VALUE, 1_000, 1_000, 86_400_000, 600_000),
                new LogConfig(2_000, 300, 1_200, false),
                statics);
    }
}
