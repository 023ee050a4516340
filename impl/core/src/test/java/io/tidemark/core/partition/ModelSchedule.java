package io.tidemark.core.partition;

import io.tidemark.core.Guards;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A random schedule for a {@link ModelCluster}, driven by one seed. A crash keeps the log (killed) or a prefix of it that
 * holds what was flushed (power lost: then the controller has dropped the replica from the ISR before, since the model has
 * no ELR).
 */
final class ModelSchedule {
    private final Random random;
    private final ModelCluster cluster;
    /** A broker that is slow to apply metadata, and one that is slow to fetch: 0 for none. */
    private final int slow;

    private final int behind;

    /** The leader moves often, and nothing crashes. */
    private final boolean restless;

    ModelSchedule(long seed, Guards guards) {
        random = new Random(seed);
        cluster = new ModelCluster(random, guards, random.nextInt(4) == 0, random.nextInt(4) == 0 ? 1 : 2);
        slow = random.nextInt(4);
        behind = random.nextInt(4);
        restless = random.nextBoolean();
    }

    int acknowledged() {
        return cluster.acknowledged();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            act(any());
        }
    }

    private ModelReplica any() {
        return cluster.replicas.get(1 + random.nextInt(3));
    }

    private void act(ModelReplica node) {
        int what = random.nextInt(1000);
        if (!node.up) {
            if (what < 200) {
                cluster.restart(node);
                cluster.check();
            }
        } else if (what < 190) {
            if (node.id != slow || random.nextInt(6) == 0) {
                cluster.applyNext(node);
            }
        } else if (what < 290) {
            produce(cluster.replicas.getOrDefault(
                    random.nextInt(3) == 0 ? node.id : cluster.controller.part.leader(), node));
        } else if (what < 450) {
            if (node.id != behind || random.nextInt(4) == 0) {
                cluster.sendFetch(node);
            }
        } else if (what < 510) {
            cluster.sendAlter(node);
        } else if (what < 850) {
            deliver();
        } else if (what < 870) {
            cluster.lose();
        } else if (what < 890) {
            cluster.flush(node);
        } else if (what < 900) {
            lag(node);
        } else if (what < 930) {
            cluster.step(
                    node,
                    new PartitionInput.ConsumerRead(
                            -1, random.nextInt(1 + node.log.size()), -1, new ModelCluster.ReadToken()));
        } else {
            disturb(node, what);
            cluster.check();
        }
    }

    private void disturb(ModelReplica node, int what) {
        if (what < (restless ? 980 : 942)) {
            cluster.controller.moveLeader(node.id);
        } else if (what < 985) {
            cluster.controller.unfence(node.id);
        } else if (what < (restless ? 987 : 991)) {
            cluster.controller.fence(node.id);
        } else if (!restless && what < 995) {
            crash(node, false);
        } else if (!restless) {
            crash(node, true);
        }
    }

    /** Nothing fails any more: within the bound all are in the ISR with equal logs and nothing waits. */
    void heal() {
        for (int round = 0; round < 60; round++) {
            for (ModelReplica node : cluster.replicas.values()) {
                if (!node.up) {
                    cluster.restart(node);
                }
                cluster.controller.unfence(node.id);
            }
            for (ModelReplica node : cluster.replicas.values()) {
                while (node.next < cluster.controller.metadata.size()) {
                    cluster.applyNext(node);
                }
                if (round < 3) {
                    produce(node);
                }
                cluster.flush(node);
                cluster.sendFetch(node);
                cluster.sendAlter(node);
            }
            while (!cluster.network.isEmpty()) {
                deliver();
            }
            if (round >= 3 && healed()) {
                return;
            }
        }
        throw new ModelInvariants.Violation("Healed: ISR " + cluster.controller.part
                + cluster.replicas.values().stream()
                        .map(node -> "\n" + node.id + ": " + node.view().copy())
                        .collect(Collectors.joining()));
    }

    private boolean healed() {
        boolean equal = cluster.controller.part.isr().equals(List.of(1, 2, 3));
        for (ModelReplica node : cluster.replicas.values()) {
            equal &= node.view().pendingAcks().isEmpty()
                    && node.log.equals(cluster.replicas.get(1).log)
                    && node.view().hw() == node.log.size();
        }
        return equal;
    }

    private void produce(ModelReplica node) {
        boolean idempotent = random.nextInt(3) == 0;
        cluster.produce(node, idempotent, (short) (idempotent || random.nextInt(4) > 0 ? -1 : 1));
    }

    private void lag(ModelReplica node) {
        TreeSet<Integer> laggards = new TreeSet<>();
        for (int id = 1; id <= 3; id++) {
            if (random.nextBoolean()) {
                laggards.add(id);
            }
        }
        cluster.step(node, new PartitionInput.ReplicaLagTimeout(laggards));
    }

    private void deliver() {
        if (!cluster.network.isEmpty()) {
            cluster.deliver(random.nextInt(cluster.network.size()));
        }
    }

    private void crash(ModelReplica node, boolean powerLost) {
        if (powerLost) {
            if (cluster.controller.onlyIsrMember(node.id)) {
                return;
            }
            cluster.controller.fence(node.id);
            int kept = (int) node.flushed + random.nextInt(1 + node.log.size() - (int) node.flushed);
            node.cut(kept);
        }
        node.up = false;
        node.fetch = null;
        node.alter = null;
        node.hwCheckpoint = random.nextInt(1 + (int) Math.min(node.view().hw(), node.log.size()));
    }
}
