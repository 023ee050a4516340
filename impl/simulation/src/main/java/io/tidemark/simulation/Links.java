package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Every direction between two nodes, and from clients (0) to nodes and back, with what is wrong with it now. */
final class Links {
    /** The longest delay of a message while nothing is wrong. */
    static final int CALM_DELAY_US = 2_000;

    /** One direction. What is wrong with it names the fault that it comes from. */
    static final class Link {
        final int from;
        final int to;
        private final RandomGenerator random;
        /** When the last message that was sent arrives, and when the link is free for the next one. */
        private long lastArrivalUs;

        private long freeAtUs;
        private Effects.@Nullable Injection cut;
        private Effects.@Nullable Injection fetchesCut;
        private Effects.@Nullable Injection lossy;
        private double loss;
        private Effects.@Nullable Injection doubling;
        private double duplicates;
        private Effects.@Nullable Injection reordering;
        private int disorderUs;
        private Effects.@Nullable Injection slow;
        private int latencyUs;
        private Effects.@Nullable Injection narrow;
        private int serviceUs;

        private Link(World world, int from, int to) {
            this.from = from;
            this.to = to;
            this.random = world.random("link " + from + "-" + to);
        }

        private void calm() {
            cut = null;
            fetchesCut = null;
            lossy = null;
            doubling = null;
            reordering = null;
            slow = null;
            narrow = null;
        }

        void cut(Effects.Injection by) {
            cut = by;
        }

        void cutFetches(Effects.Injection by) {
            fetchesCut = by;
        }

        void loss(Effects.Injection by, double probability) {
            lossy = by;
            loss = probability;
        }

        void duplicates(Effects.Injection by, double probability) {
            doubling = by;
            duplicates = probability;
        }

        void disorder(Effects.Injection by, int upToUs) {
            reordering = by;
            disorderUs = upToUs;
        }

        void latency(Effects.Injection by, int us) {
            slow = by;
            latencyUs = us;
        }

        void service(Effects.Injection by, int us) {
            narrow = by;
            serviceUs = us;
        }

        RandomGenerator random() {
            return random;
        }

        /** The fault that cuts it, null where none does. */
        Effects.@Nullable Injection cutBy() {
            return cut;
        }

        /** The fault that keeps replicas' fetches from it, null where none does. */
        Effects.@Nullable Injection fetchesCutBy() {
            return fetchesCut;
        }

        /** The fault that keeps a message from arriving, if one does; draws. */
        Effects.@Nullable Injection losesNow(boolean replicaFetch) {
            if (cut != null) {
                return cut;
            }
            if (replicaFetch && fetchesCut != null) {
                return fetchesCut;
            }
            return lossy != null && random.nextDouble() < loss ? lossy : null;
        }

        /** The fault that makes a request arrive twice, if one does; draws. */
        Effects.@Nullable Injection doublesNow() {
            return doubling != null && random.nextDouble() < duplicates ? doubling : null;
        }

        /** How long a message that is sent now takes; draws. */
        long delayUs(long nowUs) {
            long delay = random.nextInt(50, CALM_DELAY_US);
            if (slow != null) {
                delay += latencyUs;
            }
            if (narrow != null) {
                long waits = Math.max(0, freeAtUs - nowUs);
                if (waits > CALM_DELAY_US) {
                    narrow.took();
                }
                freeAtUs = nowUs + waits + serviceUs;
                delay += waits + serviceUs;
            }
            if (reordering != null) {
                delay += random.nextInt(disorderUs);
                if (lastArrivalUs > nowUs + delay) {
                    reordering.took();
                }
            }
            lastArrivalUs = Math.max(lastArrivalUs, nowUs + delay);
            return delay;
        }

        /** A message has arrived that took so long. */
        void arrived(long tookUs) {
            if (slow != null && tookUs > CALM_DELAY_US) {
                slow.took();
            }
        }
    }

    /** A fault that is on. */
    static final class Condition {
        private final Consumer<Links> apply;

        private Condition(Consumer<Links> apply) {
            this.apply = apply;
        }
    }

    private final int nodes;
    private final Link[][] links;
    private final List<Condition> conditions = new ArrayList<>();

    Links(World world, int nodes) {
        this.nodes = nodes;
        this.links = new Link[nodes + 1][nodes + 1];
        for (int from = 0; from <= nodes; from++) {
            for (int to = 0; to <= nodes; to++) {
                links[from][to] = new Link(world, from, to);
            }
        }
    }

    Link link(int from, int to) {
        return links[from][to];
    }

    int nodes() {
        return nodes;
    }

    /** Something goes wrong; where two things do on one link, the later one. */
    Condition begin(Consumer<Links> apply) {
        Condition condition = new Condition(apply);
        conditions.add(condition);
        apply.accept(this);
        return condition;
    }

    void end(Condition condition) {
        if (conditions.remove(condition)) {
            refresh();
        }
    }

    void healAll() {
        conditions.clear();
        refresh();
    }

    private void refresh() {
        for (Link[] row : links) {
            for (Link link : row) {
                link.calm();
            }
        }
        conditions.forEach(condition -> condition.apply.accept(this));
    }
}
