package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Makes the faults of a plan happen: what they do to processes, machines, disks and clocks. Each ends after a time of its
 * own, drawn when it begins.
 */
final class Injector {
    private final World world;
    private final Shape shape;
    private final List<SimNode> nodes;
    private final Effects effects;
    private final LinkFaults links;
    private final Operator operator;
    private final Ambush ambush;
    private boolean ended;

    Injector(
            long seed,
            World world,
            Shape shape,
            SimNetwork network,
            List<SimNode> nodes,
            SimClients clients,
            Operator operator,
            Effects effects) {
        this.world = world;
        this.shape = shape;
        this.nodes = nodes;
        this.effects = effects;
        this.operator = operator;
        this.links = new LinkFaults(world, network, nodes, clients);
        this.ambush = new Ambush(seed, world, nodes, network, links, operator, effects);
    }

    /** Makes it happen, now. */
    void inject(Turn turn) {
        RandomGenerator random = new SplittableRandom(turn.draw());
        if (turn.act() instanceof Chore chore) {
            operator.act(chore, random);
            return;
        }
        Fault fault = (Fault) turn.act();
        Target target = turn.target() == null ? Target.ONE : turn.target();
        List<SimNode> struck = links.aim(target, shape, random);
        world.trace(fault.label());
        world.tell(() -> "FAULT " + fault.label() + "@" + target + " "
                + struck.stream().map(node -> "node " + node.id()).toList());
        if (ambush.lies(fault, struck, World.random(turn.draw(), "ambush"))) {
            return;
        }
        switch (fault) {
            case KILL -> kill(struck, fault, random);
            case CONTROLLER_LOSS -> controllerLoss(random);
            case FREEZE -> each(struck, node -> freeze(node, random));
            case RESTART -> each(struck, node -> restart(node, random));
            case ROLLING_RESTART -> rollingRestart(random);
            case POWER_LOSS -> losePower(struck, effects.begin(fault), false, random);
            case RACK_LOSS -> rackLoss(target, random);
            case WIPE_DISK -> wipeDisk(random);
            case DISK_FULL -> each(struck, node -> fillDisk(node, random));
            case SLOW_DISK -> each(struck, node -> slowDisk(node, random));
            case FSYNC_ERROR ->
                each(struck, node -> node.faultyDisk().failNextForce(effects.begin(fault), random.nextBoolean()));
            case FSYNC_LIE -> each(struck, node -> lie(node, random));
            case READ_CORRUPTION -> each(struck, node -> corrupt(node, random));
            case CLOCK_SKEW -> each(struck, node -> clock(node, fault, random.nextLong(-3_600_000, 3_600_000), random));
            case CLOCK_JUMP -> each(struck, node -> clockJump(node, random));
            case LEADER_MOVE -> operator.elect(false, effects.begin(fault));
            case UNCLEAN_ELECTION -> uncleanElection(struck, random);
            default -> links.begin(effects.begin(fault), struck, random);
        }
    }

    private static void each(List<SimNode> struck, Consumer<SimNode> strike) {
        struck.forEach(strike);
    }

    private void later(RandomGenerator random, long fromMs, long toMs, Runnable task) {
        world.after(random.nextLong(fromMs, toMs) * 1_000, () -> {
            if (!ended) {
                task.run();
            }
        });
    }

    private void startLater(SimNode node, RandomGenerator random) {
        later(random, 100, 8_000, node::startAgain);
    }

    /** Also of a process that stands still: what it had received it never handles. */
    private void kill(List<SimNode> struck, Fault fault, RandomGenerator random) {
        for (SimNode node : struck) {
            Effects.Injection injection = effects.begin(fault);
            if (node.alive()) {
                injection.took();
                node.kill();
                startLater(node, random);
            }
        }
    }

    private void controllerLoss(RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.CONTROLLER_LOSS);
        int active = links.activeController();
        for (SimNode node : nodes) {
            if (node.isController() && (node.id() == active || random.nextBoolean()) && node.alive()) {
                if (node.id() == active) {
                    injection.took();
                }
                node.kill();
                startLater(node, random);
            }
        }
    }

    private void freeze(SimNode node, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.FREEZE);
        if (node.alive() && !node.frozen()) {
            node.freeze(injection);
            later(random, 500, 8_000, node::thaw);
        }
    }

    private void restart(SimNode node, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.RESTART);
        if (node.alive() && !node.frozen()) {
            stopAndStart(node, random, injection::took);
        }
    }

    private void stopAndStart(SimNode node, RandomGenerator random, Runnable stopped) {
        node.stop(() -> {
            stopped.run();
            // Whoever stopped it starts it again, whatever else ended meanwhile.
            world.after(random.nextLong(100_000, 3_000_000), node::startAgain);
        });
    }

    /** In any order; the next one when the last has been back for a while, or was given so long for it. */
    private void rollingRestart(RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.ROLLING_RESTART);
        List<SimNode> order = shuffled(nodes, random);
        int[] stopped = new int[1];
        long at = 0;
        for (SimNode node : order) {
            world.after(at, () -> {
                if (!ended && node.alive() && !node.frozen()) {
                    stopAndStart(node, random, () -> {
                        if (++stopped[0] == Math.min(2, nodes.size())) {
                            injection.took();
                        }
                    });
                }
            });
            at += random.nextLong(1_500_000, 6_000_000);
        }
    }

    private static List<SimNode> shuffled(List<SimNode> nodes, RandomGenerator random) {
        List<SimNode> rest = new ArrayList<>(nodes);
        List<SimNode> order = new ArrayList<>();
        while (!rest.isEmpty()) {
            order.add(rest.remove(random.nextInt(rest.size())));
        }
        return order;
    }

    /**
     * A machine fails whether its process lives or not: only what was fsynced before it was acknowledged is left, of a
     * process that died before as of one that lives.
     */
    private void losePower(List<SimNode> struck, Effects.Injection injection, boolean byDeath, RandomGenerator random) {
        for (SimNode node : struck) {
            boolean lived = node.alive();
            boolean any = node.losePower();
            if (byDeath ? lived : any) {
                injection.took();
            }
            if (any && !lived) {
                effects.event("power-loss-after-death");
            }
            if (lived) {
                startLater(node, random);
            }
        }
    }

    /** The others lag behind a leader, it dies, and the operator does not want to wait for it. */
    private void uncleanElection(List<SimNode> struck, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.UNCLEAN_ELECTION);
        SimNode leader = struck.get(0);
        Links.Condition lag = links.cutFetchesFrom(leader.id(), effects.uncounted(Fault.ISR_LAG));
        later(random, 2_200, 4_000, () -> {
            links.end(lag);
            if (leader.alive()) {
                leader.kill();
            }
            long asksAfterMs = random.nextLong(3_200, 4_500);
            world.after(asksAfterMs * 1_000, () -> operator.elect(true, injection));
            world.after((asksAfterMs + 1_000) * 1_000, () -> operator.elect(true, injection));
            world.after((asksAfterMs + 2_000) * 1_000, leader::startAgain);
        });
    }

    private void rackLoss(Target target, RandomGenerator random) {
        int rack = target.who() == Target.Who.RACK ? target.number() : random.nextInt(1, shape.racks + 1);
        List<SimNode> lost =
                nodes.stream().filter(node -> shape.rack(node.id()) == rack).toList();
        losePower(lost, effects.begin(Fault.RACK_LOSS), true, random);
    }

    /** Of a node that is a broker alone, where there is one and nobody else's is being filled again. */
    private void wipeDisk(RandomGenerator random) {
        List<SimNode> may = nodes.stream()
                .filter(node -> !node.isController() && node.alive() && !node.frozen())
                .toList();
        if (!may.isEmpty() && nodes.stream().allMatch(SimNode::alive)) {
            Effects.Injection injection = effects.begin(Fault.WIPE_DISK);
            SimNode node = may.get(random.nextInt(may.size()));
            if (node.holdsRecords()) {
                injection.took();
            }
            node.wipeDisk();
            startLater(node, random);
        }
    }

    private void fillDisk(SimNode node, RandomGenerator random) {
        node.faultyDisk().fill(effects.begin(Fault.DISK_FULL), random.nextInt(2_000));
        later(random, 100, 4_000, node.faultyDisk()::free);
    }

    private void slowDisk(SimNode node, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.SLOW_DISK);
        node.slow(injection);
        later(random, 500, 8_000, () -> node.slow(null));
    }

    /** The machine of a disk that lies fails before long. */
    private void lie(SimNode node, RandomGenerator random) {
        if (node.alive()) {
            node.faultyDisk().lie(effects.begin(Fault.FSYNC_LIE));
            later(random, 50, 2_000, () -> {
                if (node.alive()) {
                    node.losePower();
                    startLater(node, random);
                }
            });
        }
    }

    private void corrupt(SimNode node, RandomGenerator random) {
        if (node.alive()) {
            Effects.Injection injection = effects.begin(Fault.READ_CORRUPTION);
            SimDisk disk = node.faultyDisk();
            disk.corrupt(injection);
            later(random, 200, 4_000, () -> {
                if (disk.corrupting() == injection) {
                    disk.corrupt(null);
                }
            });
        }
    }

    private void clock(SimNode node, Fault fault, long offMs, RandomGenerator random) {
        Effects.Injection injection = effects.begin(fault);
        node.clock(injection, offMs);
        later(random, 1_000, 10_000, () -> node.clock(null, 0));
    }

    private void clockJump(SimNode node, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.CLOCK_JUMP);
        long jump = random.nextLong(1_000, 600_000);
        node.clock(injection, jump);
        later(random, 200, 2_000, () -> node.clock(injection, -jump));
        later(random, 2_000, 6_000, () -> node.clock(null, 0));
    }

    /** Nothing more happens from outside; what faults would do later they do not. */
    void end() {
        ended = true;
        ambush.end();
        links.healAll();
    }

    /** Ends what is wrong with some nodes, and starts those that a fault still keeps down. */
    void heal(List<SimNode> healed) {
        for (SimNode node : healed) {
            node.repairDisk();
            node.clock(null, 0);
            node.thaw();
            node.release();
            node.startAgain();
        }
    }
}
