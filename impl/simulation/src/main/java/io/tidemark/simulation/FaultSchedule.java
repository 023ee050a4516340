package io.tidemark.simulation;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Faults at random, by the seed. A fault counts once it had an effect. */
final class FaultSchedule {
    private final World world;
    private final SimNetwork network;
    private final List<SimNode> nodes;
    private final RandomGenerator random;
    private final TreeMap<String, Integer> tookEffect = new TreeMap<>();

    FaultSchedule(World world, SimNetwork network, List<SimNode> nodes) {
        this.world = world;
        this.network = network;
        this.nodes = nodes;
        this.random = world.random("faults");
    }

    /** How long until the next fault, in virtual ms. */
    long pauseMs() {
        return random.nextLong(100, 1_500);
    }

    /** What took effect, by kind, whoever counted it. */
    SortedMap<String, Integer> tookEffect() {
        TreeMap<String, Integer> all = new TreeMap<>(tookEffect);
        network.tookEffect().forEach((kind, count) -> all.merge(kind, count, Integer::sum));
        nodes.forEach(node -> node.tookEffect().forEach((kind, count) -> all.merge(kind, count, Integer::sum)));
        return all;
    }

    void inject() {
        SimNode node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(13)) {
            case 0 -> kill(node);
            case 1 -> losePower(node);
            case 2 -> freeze(node);
            case 3 -> restart(node);
            case 4 -> cut(node);
            case 5 -> {
                network.loss(random.nextDouble() * 0.2);
                network.duplicates(random.nextDouble() * 0.1);
                began("message-loss");
            }
            case 6 -> {
                network.maxDelayUs(random.nextInt(1_000, 400_000));
                began("reorder");
            }
            case 7 -> {
                began("full disk of node " + node.id());
                node.fillDisk(random.nextInt(2_000));
                world.after(random.nextLong(100_000, 4_000_000), node::freeDisk);
            }
            case 8 -> {
                began("failing fsync of node " + node.id());
                node.failNextForce(random.nextBoolean());
            }
            case 9 -> wipeDisk();
            default -> network.healAll();
        }
    }

    /** Also of a process that stands still: what it had received it never handles. */
    private void kill(SimNode node) {
        if (node.alive()) {
            began("kill");
            tookEffect.merge("kill", 1, Integer::sum);
            node.kill();
            startLater(node);
        }
    }

    /**
     * One machine, or the whole room: then only what was fsynced before it was acknowledged is left, of a process that died
     * before as of one that lives.
     */
    private void losePower(SimNode node) {
        boolean room = random.nextInt(4) == 0;
        for (SimNode each : room ? nodes : List.of(node)) {
            boolean lived = each.alive();
            if (lived || room) {
                began("power-loss");
                tookEffect.merge(lived ? "power-loss" : "power-loss-after-death", 1, Integer::sum);
                each.losePower();
            }
            if (lived) {
                startLater(each);
            }
        }
    }

    /** Of a node that is a broker alone, where there is one. */
    private void wipeDisk() {
        SimNode last = nodes.get(nodes.size() - 1);
        if (!last.isController() && last.alive() && !last.frozen()) {
            began("wipe-disk");
            last.wipeDisk();
            startLater(last);
        }
    }

    private void startLater(SimNode node) {
        world.after(random.nextLong(100_000, 8_000_000), () -> {
            if (!node.alive()) {
                node.start();
            }
        });
    }

    private void freeze(SimNode node) {
        if (node.alive() && !node.frozen()) {
            began("freeze");
            node.freeze();
            world.after(random.nextLong(500_000, 8_000_000), node::thaw);
        }
    }

    private void restart(SimNode node) {
        if (node.alive() && !node.frozen()) {
            began("restart");
            node.stop(() -> {
                tookEffect.merge("restart", 1, Integer::sum);
                world.after(random.nextLong(100_000, 3_000_000), () -> {
                    if (!node.alive()) {
                        node.start();
                    }
                });
            });
        }
    }

    private void cut(SimNode node) {
        for (SimNode other : nodes) {
            if (other != node) {
                network.cut(node.id(), other.id());
                if (random.nextBoolean()) {
                    network.cut(other.id(), node.id());
                }
            }
        }
        began("partition");
    }

    private void began(String what) {
        world.trace(what);
        world.tell("FAULT " + what);
    }

    /** Ends every fault. Nodes that a fault still keeps down are started. */
    void heal() {
        network.healAll();
        nodes.forEach(SimNode::repairDisk);
        world.runUntil(world.nowMs() + 10_000);
        for (SimNode node : nodes) {
            node.thaw();
            if (!node.alive()) {
                node.start();
            }
        }
        network.healAll();
    }
}
