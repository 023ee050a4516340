package io.tidemark.simulation;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.NodeObserver;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.node.NodeRuntime;
import io.tidemark.runtime.port.WallClock;
import io.tidemark.storage.StorageException;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import io.tidemark.wire.batch.KafkaRecordScanner;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One node of a simulated cluster: its disk, its clock, and the process that lives on it for a while. */
final class SimNode {
    private static final long RESTART_AFTER_CRASH_US = 300_000;
    private static final long STOPS_WITHIN_US = 1_000_000;

    private final World world;
    private final SimNetwork network;
    private final SimSettings settings;
    private final int id;
    private final Exposure exposure;
    private final IntFunction<StepListener> listeners;
    private final MetadataCodec codec;
    private final RandomGenerator random;
    private final SimDisk disk;
    private int wipes;
    private long lives;
    private boolean losesPower;
    private boolean forceFailed;
    private boolean heldDown;
    private Effects.@Nullable Injection frozenBy;
    private Effects.@Nullable Injection slowedBy;
    private Effects.@Nullable Injection clockBy;
    private long clockOffMs;
    private @Nullable Incarnation life;
    private @Nullable NodeRuntime runtime;
    private BrokerState brokerState = BrokerState.NOT_RUNNING;
    private int quorumLeader = -1;

    SimNode(
            World world,
            SimNetwork network,
            SimSettings settings,
            int id,
            MetadataCodec codec,
            Exposure exposure,
            IntFunction<StepListener> listeners) {
        this.world = world;
        this.network = network;
        this.settings = settings;
        this.id = id;
        this.codec = codec;
        this.exposure = exposure;
        this.listeners = listeners;
        this.random = world.random("node " + id);
        this.disk = new SimDisk(id, world.random("disk " + id), this::diskStrikes);
        network.register(SimSettings.BROKER_PORT + id, this);
        network.register(SimSettings.CONTROLLER_PORT + id, this);
        format();
    }

    private void format() {
        disk.format(
                SimSettings.CLUSTER,
                SimSettings.directory(id, wipes),
                codec,
                isController() && wipes == 0 ? settings.initialVoters() : null);
    }

    /** Whether it is one of the voters that the quorum began with. */
    boolean isController() {
        return settings.isController(id);
    }

    /** Whether it is one still: one that was wiped is another voter, which the quorum does not know. */
    boolean isVoter() {
        return isController() && wipes == 0;
    }

    /** Whether its disk may be wiped although it is a voter: one that is known by its id alone would vote twice. */
    boolean mayForgetItsVotes() {
        return isVoter() && settings.initialVoters() != null;
    }

    int id() {
        return id;
    }

    boolean isControllerPort(int port) {
        return port == SimSettings.CONTROLLER_PORT + id;
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
        return disk.memory();
    }

    /** Its disk, to be made faulty. */
    SimDisk faultyDisk() {
        return disk;
    }

    Exposure exposure() {
        return exposure;
    }

    /** Whether a replica of it has records, as far as seen. */
    boolean holdsRecords() {
        return exposure.holdsRecords(id);
    }

    static Path dataDirectory() {
        return SimDisk.DIR;
    }

    void start() {
        if (life != null) {
            throw new IllegalStateException("node " + id + " lives");
        }
        Incarnation born = new Incarnation(world, () -> exposure.taskBegins(id), this::crash, this::breaks);
        life = born;
        lives++;
        forceFailed = false;
        losesPower = false;
        Ports ports = new Ports(
                new SimLoop(world, born, random),
                new SimLoop(world, born, random),
                new SimFlush(world, born, random, this::slowed),
                new SimFlush(world, born, random, this::slowed),
                network.of(id, born),
                clock(),
                disk.memory(),
                codec,
                new KafkaRecordScanner(),
                random,
                listeners.apply(id));
        try {
            runtime = open(born, ports);
        } catch (Incarnation.Death death) {
            crash();
            return;
        } catch (StorageException broken) {
            breaks(broken);
            return;
        }
        WholeLogs.check(id, disk.memory());
        world.trace("start " + id);
        world.tell(() -> "node " + id + " start");
    }

    private NodeRuntime open(Incarnation born, Ports ports) {
        return NodeRuntime.start(settings.of(id, wipes, lives), ports, new NodeObserver() {
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

    // ---- Clock

    private WallClock clock() {
        return () -> {
            if (clockOffMs != 0) {
                Effects.took(clockBy);
            }
            return world.wallMs() + clockOffMs;
        };
    }

    /** Its wall clock is off by so much from now on. */
    void clock(Effects.@Nullable Injection injection, long offMs) {
        clockBy = injection;
        clockOffMs = offMs;
    }

    // ---- Disk

    /** The process will die at an effect on its disk, see {@link SimDisk#dieAtEffect}. */
    void dieAtEffect(long number, boolean after, boolean power) {
        disk.dieAtEffect(number, after, power);
    }

    long effects() {
        return disk.effects();
    }

    private void diskStrikes(Faults.Effect effect, Path path, boolean after, boolean power) {
        losesPower = power;
        world.tell(() -> "node " + id + " is struck " + (after ? "after " : "before ") + effect + " of " + path);
        Incarnation struck = life;
        if (!after && (effect == Faults.Effect.FORCE || effect == Faults.Effect.SYNC_DIRECTORY)) {
            forceFailed = true;
            world.after(
                    STOPS_WITHIN_US,
                    () -> Invariants.require(
                            life == null || life != struck || struck.frozen(),
                            "FsyncErrorStops",
                            "node " + id + " goes on although " + path + " could not be fsynced"));
        }
    }

    private void crash() {
        exposure.diesInTask(id);
        if (losesPower) {
            losesPower = false;
            losePower();
        } else {
            kill();
        }
        world.after(RESTART_AFTER_CRASH_US, this::startAgain);
    }

    /** As whoever ended the process, or what watches over it, would: not where it is held down. */
    void startAgain() {
        if (life == null && !heldDown) {
            start();
        }
    }

    /** Kills it where it lives; it stays dead until {@link #release}. */
    void holdDown() {
        heldDown = true;
        if (life != null) {
            kill();
        }
    }

    void release() {
        heldDown = false;
    }

    /** Ends what is wrong with the disk. */
    void repairDisk() {
        disk.repair();
        slow(null);
    }

    /** Each fsync takes long from now on; null: no more. */
    void slow(Effects.@Nullable Injection injection) {
        slowedBy = injection;
    }

    /** Whether an fsync that is about to begin takes long. */
    private boolean slowed() {
        Effects.took(slowedBy);
        return slowedBy != null;
    }

    /** Nothing caught the disk's error: the process ends, if there is a reason for it. */
    private void breaks(StorageException broken) {
        if (forceFailed) {
            forceFailed = false;
        } else if (disk.full() != null) {
            Effects.took(disk.full());
        } else {
            throw broken;
        }
        world.tell(() -> "node " + id + " stops: " + broken.getMessage());
        crash();
    }

    // ---- Ends of its lives

    /** SIGKILL: the page cache stays. */
    void kill() {
        die();
        disk.memory().kill();
        world.trace("kill " + id);
        world.tell(() -> "node " + id + " kill");
    }

    /** The machine stops: what was not fsynced may be gone. Returns whether there was something. */
    boolean losePower() {
        return losePower(disk::losePower);
    }

    /** As above, and all that was not fsynced is gone: for a story, in which nothing is drawn. */
    boolean loseAllUnforced() {
        return losePower(() -> disk.losePower(() -> 0L));
    }

    private boolean losePower(BooleanSupplier lose) {
        die();
        exposure.losesData(id, disk.memory().notDurable().lied());
        boolean any = lose.getAsBoolean();
        world.trace("power-loss " + id);
        world.tell(() -> "node " + id + " power-loss");
        return any;
    }

    /** The process dies and its disk is replaced by one that is formatted anew, under a new directory id. */
    void wipeDisk() {
        if (isController()) {
            throw new IllegalStateException("node " + id + " is a voter");
        }
        wipe();
    }

    /**
     * As {@link #wipeDisk}, also of a voter: it is formatted without voters. Those in the metadata log know it no longer;
     * where voters are known by their ids alone, it is one of them, and remembers nothing.
     */
    void wipeVoter() {
        wipe();
    }

    private void wipe() {
        die();
        exposure.losesData(id, false);
        wipes++;
        disk.replace();
        format();
        world.trace("wipe-disk " + id);
        world.tell(() -> "node " + id + " wipe-disk");
    }

    /** A dead one stays so. */
    private void die() {
        Incarnation ended = life;
        if (ended == null) {
            return;
        }
        // Else a death in the next life's start would be taken for one in the middle of this life's last step.
        exposure.taskBegins(id);
        ended.die();
        network.died(id);
        disk.corrupt(null);
        life = null;
        runtime = null;
        frozenBy = null;
        brokerState = BrokerState.NOT_RUNNING;
        quorumLeader = -1;
    }

    void freeze() {
        freeze(null);
    }

    void freeze(Effects.@Nullable Injection injection) {
        if (life != null) {
            life.freeze();
            frozenBy = injection;
            world.trace("freeze " + id);
            world.tell(() -> "node " + id + " freeze");
        }
    }

    void thaw() {
        if (life != null && life.frozen()) {
            if (life.thaw() > 0) {
                Effects.took(frozenBy);
            }
            world.trace("thaw " + id);
            world.tell(() -> "node " + id + " thaw");
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
                disk.keepPromises();
                disk.memory().kill();
                world.trace("stopped " + id);
                world.tell(() -> "node " + id + " stopped");
                done.run();
            }
        });
    }
}
