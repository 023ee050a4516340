package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Faults that lie in wait for the moment at which they hurt, which one that comes at any time hardly meets. Each is another
 * form of a fault, takes its place in every fifth seed, and counts as that one.
 *
 * <ul>
 *   <li><b>latency</b>: a change of an ISR that lets a replica join is on its way for seconds, and the replica's process ends
 *       and lives again meanwhile.
 *   <li><b>controller-loss</b>: the active controller is cut off with something undecided, and who is elected in its place
 *       dies as soon as it leads; then the first one is back.
 *   <li><b>power-loss</b>: the disk becomes slow, and the machine stops while fsyncs wait.
 *   <li><b>wipe-disk</b>, where voters have directory ids and none was wiped yet: a voter that has stored what is committed comes
 *       back with an empty disk, and those who were cut off meanwhile ask it for its vote.
 * </ul>
 */
final class Ambush {
    private static final int EVERY = 5;
    private static final long LOOK_AGAIN_US = 500;
    private static final long WAITS_US = 8_000_000;

    private final World world;
    private final List<SimNode> nodes;
    private final SimNetwork network;
    private final LinkFaults links;
    private final Operator operator;
    private final Effects effects;
    private final boolean on;
    private boolean ended;

    Ambush(
            long seed,
            World world,
            List<SimNode> nodes,
            SimNetwork network,
            LinkFaults links,
            Operator operator,
            Effects effects) {
        this.on = seed % EVERY == 0;
        this.world = world;
        this.nodes = nodes;
        this.network = network;
        this.links = links;
        this.operator = operator;
        this.effects = effects;
    }

    /** Returns false where the fault has no such form, or the seed none at all. */
    boolean lies(Fault fault, List<SimNode> struck, RandomGenerator random) {
        if (!on || struck.isEmpty()) {
            return false;
        }
        switch (fault) {
            case LATENCY -> lateJoin(struck.get(0), random);
            case CONTROLLER_LOSS -> newbornLoss(random);
            case POWER_LOSS -> struck.forEach(node -> lossWhileFsyncsWait(node, random));
            case WIPE_DISK -> {
                return forgetfulVoter(random);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Nothing more happens; whoever waits for a moment waits in vain. */
    void end() {
        ended = true;
        network.holdNextJoin(null);
    }

    private void after(long us, Runnable task) {
        world.after(us, () -> {
            if (!ended) {
                task.run();
            }
        });
    }

    // ---- A replica that joins

    /** It leaves the ISR, and is struck when it is to be back. */
    private void lateJoin(SimNode joiner, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.LATENCY);
        Links.Condition lag = links.cutFetchesOf(joiner.id(), effects.uncounted(Fault.ISR_LAG));
        long strikesUs = random.nextLong(0, 300_000);
        boolean inOrder = random.nextBoolean();
        // Whose process ends in order is fenced then, whose is killed when its session ends.
        long deadUs = inOrder ? random.nextLong(50_000, 2_000_000) : random.nextLong(50_000, 6_000_000);
        long lateUs = random.nextLong(0, deadUs + 4_000_000);
        after(random.nextLong(2_200_000, 4_000_000), () -> {
            links.end(lag);
            network.holdNextJoin((change, arrival) -> {
                if (!joiner.alive() || joiner.frozen() || !isJoined(joiner.id(), change)) {
                    return false;
                }
                world.after(
                        strikesUs,
                        () -> strike(joiner, inOrder, () -> {
                            world.after(deadUs, joiner::startAgain);
                            world.after(lateUs, () -> {
                                injection.took();
                                arrival.run();
                            });
                        }));
                return true;
            });
        });
    }

    private void strike(SimNode node, boolean inOrder, Runnable ended) {
        if (inOrder && node.alive()) {
            node.stop(ended);
        } else {
            if (node.alive()) {
                node.kill();
            }
            ended.run();
        }
    }

    /** Whether the change takes a node into an ISR in which the controller does not have it. */
    private boolean isJoined(int node, ControllerRequest.AlterPartition change) {
        Map<TopicPartition, PartitionRegistration> decided =
                nodes.get(0).exposure().decidedBy(links.activeController());
        return change.partitions().stream().anyMatch(item -> {
            PartitionRegistration now = decided.get(new TopicPartition(item.topicId(), item.partition()));
            return now != null
                    && !now.isr().contains(node)
                    && item.asked().newIsr().stream().anyMatch(member -> member.brokerId() == node);
        });
    }

    // ---- A controller that has just been elected

    private void newbornLoss(RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.CONTROLLER_LOSS);
        @Nullable SimNode active = node(links.activeController());
        if (active == null) {
            return;
        }
        Links.Condition cut = links.cutOff(List.of(active), effects.uncounted(Fault.PARTITION));
        decidesSomething(1_500_000, random);
        long backUs = random.nextLong(100_000, 8_000_000);
        awaitsNewborn(active, cut, injection, backUs, world.nowUs() + WAITS_US);
    }

    /** Within that time, if whoever the operator asks hears the controller. */
    private void decidesSomething(long withinUs, RandomGenerator random) {
        for (int i = 0; i < 4; i++) {
            RandomGenerator draws = World.random(random.nextLong(), "chore");
            after(random.nextLong(10_000, withinUs), () -> operator.act(Chore.CHANGE_CONFIG, draws));
        }
    }

    private void awaitsNewborn(
            SimNode first, Links.Condition cut, Effects.Injection injection, long backUs, long untilUs) {
        @Nullable
        SimNode newborn = nodes.stream()
                .filter(node -> node != first && node.alive() && node.quorumLeader() == node.id())
                .findFirst()
                .orElse(null);
        if (newborn == null && world.nowUs() < untilUs) {
            after(LOOK_AGAIN_US, () -> awaitsNewborn(first, cut, injection, backUs, untilUs));
            return;
        }
        links.end(cut);
        if (newborn != null) {
            injection.took();
            newborn.kill();
            after(backUs, newborn::startAgain);
        }
    }

    private @Nullable SimNode node(int id) {
        return id > 0 ? nodes.get(id - 1) : null;
    }

    // ---- A disk that is behind

    private void lossWhileFsyncsWait(SimNode node, RandomGenerator random) {
        Effects.Injection injection = effects.begin(Fault.POWER_LOSS);
        long backUs = random.nextLong(100_000, 8_000_000);
        node.slow(effects.uncounted(Fault.SLOW_DISK));
        after(random.nextLong(1_500_000, 7_000_000), () -> {
            node.slow(null);
            boolean lived = node.alive();
            if (node.losePower()) {
                injection.took();
            }
            if (lived) {
                after(backUs, node::startAgain);
            }
        });
    }

    // ---- A voter that forgets

    /**
     * A majority decides while the other voters are cut off; then one of it comes back without its disk, and hears those others
     * alone. They and it are as many as a majority, of which nobody has what was decided.
     */
    private boolean forgetfulVoter(RandomGenerator random) {
        @Nullable SimNode active = node(links.activeController());
        List<SimNode> others =
                new ArrayList<>(nodes.stream().filter(SimNode::isController).toList());
        int voters = others.size();
        boolean well = nodes.stream().allMatch(node -> node.alive() && !node.frozen());
        if (active == null || voters < 3 || !others.stream().allMatch(SimNode::mayForgetItsVotes) || !well) {
            return false;
        }
        others.remove(active);
        Collections.rotate(others, random.nextInt(others.size()));
        SimNode forgetful = others.get(0);
        List<SimNode> rest = new ArrayList<>(others.subList(1, voters / 2));
        rest.add(active);
        List<SimNode> late = List.copyOf(others.subList(voters / 2, others.size()));
        Effects.Injection injection = effects.begin(Fault.WIPE_DISK);
        Links.Condition cut = links.cutOff(late, effects.uncounted(Fault.PARTITION));
        long wipedUs = random.nextLong(300_000, 2_000_000);
        decidesSomething(wipedUs, random);
        long backUs = random.nextLong(10_000, 1_000_000);
        long healedUs = random.nextLong(3_000_000, 9_000_000);
        after(wipedUs, () -> {
            links.end(cut);
            if (nodes.stream().allMatch(SimNode::alive)) {
                if (forgetful.holdsRecords()) {
                    injection.took();
                }
                effects.event("voter-wiped");
                forgetful.wipeVoter();
                Links.Condition gone = links.cutOff(rest, effects.uncounted(Fault.PARTITION));
                after(backUs, forgetful::startAgain);
                after(healedUs, () -> links.end(gone));
            }
        });
        return true;
    }
}
