package io.tidemark.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.metadata.BrokerRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReplicaPlacementTest {
    private static BrokerRegistration broker(int id, String rack, boolean fenced, boolean shuttingDown) {
        return new BrokerRegistration(
                id, id, new UUID(0, id), List.of(), new TreeMap<>(), rack, List.of(), fenced, shuttingDown);
    }

    @Test
    void leadersGoRoundAndFollowersShiftWithEveryRound() {
        ReplicaPlacement placement = new ReplicaPlacement(
                List.of(broker(1, null, false, false), broker(2, null, false, false), broker(3, null, false, false)));

        List<List<Integer>> placed = IntStream.range(0, 6)
                .mapToObj(number -> placement.place(number, 2))
                .toList();

        assertThat(placed)
                .containsExactly(
                        List.of(1, 2), List.of(2, 3), List.of(3, 1), List.of(1, 3), List.of(2, 1), List.of(3, 2));
    }

    @Test
    void replicasAreSpreadOverRacks() {
        ReplicaPlacement placement = new ReplicaPlacement(List.of(
                broker(1, "a", false, false),
                broker(2, "a", false, false),
                broker(3, "b", false, false),
                broker(4, "b", false, false)));

        for (int number = 0; number < 12; number++) {
            List<Integer> replicas = placement.place(number, 2);
            assertThat(replicas.stream().map(id -> id <= 2 ? "a" : "b")).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void fencedBrokersComeLastAndThoseThatShutDownNotAtAll() {
        ReplicaPlacement placement = new ReplicaPlacement(
                List.of(broker(1, null, true, false), broker(2, null, false, false), broker(3, null, false, true)));

        assertThat(placement.place(5, 2)).containsExactly(2, 1);
        assertThat(placement.problem(3)).contains("3").contains("2");
        assertThat(new ReplicaPlacement(List.of(broker(1, null, true, false))).problem(1))
                .isNotNull();
    }

    @Property(tries = 500)
    void replicasAreDistinctLedByAnUnfencedBrokerAndEven(
            @ForAll @IntRange(min = 1, max = 9) int brokers,
            @ForAll @IntRange(min = 1, max = 3) int racks,
            @ForAll @IntRange(min = 1, max = 5) int wanted,
            @ForAll @IntRange(max = 1000) int start) {
        List<BrokerRegistration> registered = new ArrayList<>();
        for (int id = 1; id <= brokers; id++) {
            registered.add(broker(id, "r" + id % racks, id % 4 == 0, false));
        }
        int unfenced =
                (int) registered.stream().filter(broker -> !broker.fenced()).count();
        int replicationFactor = Math.min(wanted, brokers);
        ReplicaPlacement placement = new ReplicaPlacement(registered);
        assertThat(placement.problem(replicationFactor)).isNull();
        TreeMap<Integer, Integer> led = new TreeMap<>();
        for (int number = start; number < start + unfenced * 4; number++) {
            List<Integer> replicas = placement.place(number, replicationFactor);
            assertThat(new TreeSet<>(replicas)).hasSize(replicationFactor);
            assertThat(replicas.get(0) % 4).isNotZero();
            led.merge(replicas.get(0), 1, Integer::sum);
        }
        assertThat(led).hasSize(unfenced);
        assertThat(led.values()).allMatch(count -> count == 4);
    }
}
