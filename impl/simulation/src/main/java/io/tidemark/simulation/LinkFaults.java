package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Who a fault is aimed at, and faults of the links between nodes. */
final class LinkFaults {
    private final World world;
    private final SimNetwork network;
    private final Links links;
    private final List<SimNode> nodes;
    private final SimClients clients;

    LinkFaults(World world, SimNetwork network, List<SimNode> nodes, SimClients clients) {
        this.world = world;
        this.network = network;
        this.links = network.links();
        this.nodes = nodes;
        this.clients = clients;
    }

    // ---- Aim

    /** The nodes that are meant now, in the order of their ids. */
    List<SimNode> aim(Target target, Shape shape, RandomGenerator random) {
        int any = random.nextInt(nodes.size());
        return switch (target.who()) {
            case ONE -> List.of(nodes.get(any));
            case MINORITY -> some(Math.max(1, (nodes.size() - 1) / 2), random);
            case MAJORITY -> some(nodes.size() / 2 + 1, random);
            case ALL -> nodes;
            case LEADER -> List.of(node(clients.someLeader(random), any));
            case CONTROLLER -> List.of(node(activeController(), any));
            case NODE -> target.number() <= nodes.size() ? List.of(nodes.get(target.number() - 1)) : List.of();
            case RACK ->
                nodes.stream()
                        .filter(node -> shape.rack(node.id()) == target.number())
                        .toList();
        };
    }

    private SimNode node(int id, int otherwise) {
        return nodes.get(id > 0 ? id - 1 : otherwise);
    }

    private List<SimNode> some(int count, RandomGenerator random) {
        List<SimNode> rest = new ArrayList<>(nodes);
        while (rest.size() > count) {
            rest.remove(random.nextInt(rest.size()));
        }
        return rest;
    }

    /** The controller that knows itself as the quorum's leader, -1 where none does. */
    int activeController() {
        for (SimNode node : nodes) {
            if (node.alive() && node.quorumLeader() == node.id()) {
                return node.id();
            }
        }
        return -1;
    }

    // ---- Links

    /** Begins a fault of links, which ends after a time of its own. */
    void begin(Effects.Injection injection, List<SimNode> struck, RandomGenerator random) {
        if (injection.fault() == Fault.RESET) {
            reset(injection, struck);
            return;
        }
        Links.Condition condition = links.begin(condition(injection, struck, random));
        long lasts = random.nextLong(300, injection.fault() == Fault.ISR_LAG ? 12_000 : 6_000);
        world.after(lasts * 1_000, () -> links.end(condition));
    }

    private Consumer<Links> condition(Effects.Injection injection, List<SimNode> struck, RandomGenerator random) {
        return switch (injection.fault()) {
            case PARTITION -> cut(injection, (from, to) -> struck(struck, from) != struck(struck, to));
            case ONE_WAY -> cut(injection, (from, to) -> struck(struck, from) && !struck(struck, to));
            case BRIDGE -> bridge(injection, random.nextInt(nodes.size()));
            case RING -> ring(injection);
            case ISR_LAG -> on(link -> struck(struck, link.from), link -> link.cutFetches(injection));
            case LATENCY -> {
                int us = random.nextInt(20_000, 800_000);
                yield everywhere(struck, link -> link.latency(injection, us));
            }
            case BANDWIDTH -> {
                int us = random.nextInt(1_000, 60_000);
                yield everywhere(struck, link -> link.service(injection, us));
            }
            case MESSAGE_LOSS -> {
                double probability = random.nextDouble() * 0.3;
                yield everywhere(struck, link -> link.loss(injection, probability));
            }
            case DUPLICATE -> {
                double probability = random.nextDouble() * 0.2;
                yield everywhere(struck, link -> link.duplicates(injection, probability));
            }
            case REORDER -> {
                int us = random.nextInt(3_000, 400_000);
                yield everywhere(struck, link -> link.disorder(injection, us));
            }
            default -> throw new IllegalArgumentException(injection.fault() + " is no fault of links");
        };
    }

    private interface Direction {
        boolean is(int from, int to);
    }

    private static boolean struck(List<SimNode> struck, int id) {
        return struck.stream().anyMatch(node -> node.id() == id);
    }

    private static Consumer<Links> cut(Effects.Injection injection, Direction which) {
        return all -> {
            for (int from = 1; from <= all.nodes(); from++) {
                for (int to = 1; to <= all.nodes(); to++) {
                    if (from != to && which.is(from, to)) {
                        all.link(from, to).cut(injection);
                    }
                }
            }
        };
    }

    /** Those before the bridge and those behind it, in a ring of the ids, hear one another no more. */
    private Consumer<Links> bridge(Effects.Injection injection, int bridge) {
        int count = nodes.size();
        return cut(injection, (from, to) -> {
            int one = Math.floorMod(from - 1 - bridge, count);
            int other = Math.floorMod(to - 1 - bridge, count);
            return one != 0 && other != 0 && (one <= count / 2) != (other <= count / 2);
        });
    }

    /** Of three nodes each is everybody's neighbour: there the ring is open between the first and the last. */
    private Consumer<Links> ring(Effects.Injection injection) {
        int count = nodes.size();
        return cut(injection, (from, to) -> {
            int apart = Math.abs(from - to);
            return apart > 1 && (apart < count - 1 || count == 3);
        });
    }

    private interface Chosen {
        boolean is(Links.Link link);
    }

    /** On every link of the nodes that are struck, also those of clients; of one node it is everybody's. */
    private static Consumer<Links> everywhere(List<SimNode> struck, Consumer<Links.Link> wrong) {
        return on(link -> struck.size() == 1 || struck(struck, link.from) || struck(struck, link.to), wrong);
    }

    private static Consumer<Links> on(Chosen chosen, Consumer<Links.Link> wrong) {
        return all -> {
            for (int from = 0; from <= all.nodes(); from++) {
                for (int to = 0; to <= all.nodes(); to++) {
                    if (from != to && chosen.is(all.link(from, to))) {
                        wrong.accept(all.link(from, to));
                    }
                }
            }
        };
    }

    private void reset(Effects.Injection injection, List<SimNode> struck) {
        for (SimNode node : struck) {
            for (SimNode other : nodes) {
                if (other != node && network.reset(node.id(), other.id())) {
                    injection.took();
                }
            }
        }
    }

    /** Nobody's fetches from a leader arrive. */
    Links.Condition cutFetchesFrom(int leader, Effects.Injection injection) {
        return links.begin(on(link -> link.to == leader, link -> link.cutFetches(injection)));
    }

    /** No fetch of a node arrives. */
    Links.Condition cutFetchesOf(int follower, Effects.Injection injection) {
        return links.begin(on(link -> link.from == follower, link -> link.cutFetches(injection)));
    }

    /** Some nodes and the others do not hear one another. */
    Links.Condition cutOff(List<SimNode> some, Effects.Injection injection) {
        return links.begin(cut(injection, (from, to) -> struck(some, from) != struck(some, to)));
    }

    void end(Links.Condition condition) {
        links.end(condition);
    }

    void healAll() {
        links.healAll();
    }
}
