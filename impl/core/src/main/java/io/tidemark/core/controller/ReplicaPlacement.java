package io.tidemark.core.controller;

import io.tidemark.core.metadata.BrokerRegistration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the replicas of new partitions over brokers and racks: leaders round robin over the unfenced brokers, the other
 * replicas behind them in an order that shifts with every round, racks balanced before all, fenced brokers last. The outcome
 * depends on the arguments alone.
 */
final class ReplicaPlacement {
    private record Candidate(int id, String rack, boolean fenced) {}

    /** Unfenced brokers, racks interleaved. */
    private final List<Candidate> unfenced;
    /** Fenced brokers, racks interleaved. */
    private final List<Candidate> fenced;

    /** Brokers that shut down get no replicas. */
    ReplicaPlacement(Iterable<BrokerRegistration> brokers) {
        List<Candidate> candidates = new ArrayList<>();
        for (BrokerRegistration broker : brokers) {
            if (!broker.shuttingDown()) {
                String rack = broker.rack();
                candidates.add(new Candidate(broker.id(), rack == null ? "" : rack, broker.fenced()));
            }
        }
        unfenced = interleaved(candidates, false);
        fenced = interleaved(candidates, true);
    }

    private static List<Candidate> interleaved(List<Candidate> candidates, boolean fenced) {
        SortedMap<String, Integer> rows = new TreeMap<>();
        record Placed(int row, Candidate candidate) {}
        return candidates.stream()
                .filter(candidate -> candidate.fenced() == fenced)
                .sorted(Comparator.comparingInt(Candidate::id))
                .map(candidate -> new Placed(rows.merge(candidate.rack(), 1, Integer::sum), candidate))
                .sorted(Comparator.comparingInt(Placed::row)
                        .thenComparing(placed -> placed.candidate().rack()))
                .map(Placed::candidate)
                .toList();
    }

    /** Why no partition with this many replicas can be placed; null when it can. */
    @Nullable
    String problem(int replicationFactor) {
        if (unfenced.isEmpty()) {
            return "all brokers are fenced or shutting down";
        }
        int brokers = unfenced.size() + fenced.size();
        return replicationFactor > brokers
                ? "replication factor " + replicationFactor + " is larger than the number of registered brokers, "
                        + brokers
                : null;
    }

    /**
     * Broker ids of one partition, its preferred leader first.
     *
     * @param number the partition's place in the round, from the request's placement start
     * @param replicationFactor as {@link #problem} allows
     */
    List<Integer> place(int number, int replicationFactor) {
        int round = Math.floorDiv(number, unfenced.size());
        List<Candidate> order = new ArrayList<>();
        Candidate leader = unfenced.get(Math.floorMod(number, unfenced.size()));
        addFrom(order, unfenced, Math.floorMod(number, unfenced.size()) + 1 + shift(round), leader);
        addFrom(order, fenced, number, leader);
        List<Candidate> chosen = new ArrayList<>(List.of(leader));
        SortedMap<String, Integer> inRack = new TreeMap<>();
        inRack.put(leader.rack(), 1);
        while (chosen.size() < replicationFactor) {
            Candidate next = order.get(0);
            for (Candidate candidate : order) {
                if (inRack.getOrDefault(candidate.rack(), 0) < inRack.getOrDefault(next.rack(), 0)) {
                    next = candidate;
                }
            }
            order.remove(next);
            chosen.add(next);
            inRack.merge(next.rack(), 1, Integer::sum);
        }
        return chosen.stream().map(Candidate::id).toList();
    }

    /** How far the followers are shifted in this round, so that a leader does not always have the same ones. */
    private int shift(int round) {
        int others = unfenced.size() - 1;
        return others == 0 ? 0 : Math.floorMod(round, others);
    }

    private static void addFrom(List<Candidate> order, List<Candidate> candidates, int start, Candidate leader) {
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(Math.floorMod(start + i, candidates.size()));
            if (!candidate.equals(leader)) {
                order.add(candidate);
            }
        }
    }
}
