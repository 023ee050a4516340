package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;

/** Brokers and the partition of module State, as the code names them: b1 is broker 1. */
final class Brokers {
    private static final List<String> ALL = List.of("b1", "b2", "b3");

    private Brokers() {}

    static List<String> all(State state) {
        return ALL.stream().filter(broker -> has(state, broker)).toList();
    }

    private static boolean has(State state, String broker) {
        return state.get("up").map().containsKey(broker);
    }

    static int id(String broker) {
        return Integer.parseInt(broker.substring(1));
    }

    static int idOrNone(Val broker) {
        return broker.isNil() ? PartitionRegistration.NO_LEADER : id(broker.text());
    }

    /** In assignment order. */
    static List<Integer> ids(State state, Val set) {
        List<Integer> ids = new ArrayList<>();
        for (String broker : all(state)) {
            if (set.has(broker)) {
                ids.add(id(broker));
            }
        }
        return ids;
    }

    static PartitionRegistration registration(State state, Val part) {
        return new PartitionRegistration(
                all(state).stream().map(Brokers::id).toList(),
                List.of(),
                ids(state, part.at("isr")),
                ids(state, part.at("elr")),
                part.at("lastKnownElr").isNil()
                        ? List.of()
                        : List.of(id(part.at("lastKnownElr").text())),
                List.of(),
                List.of(),
                idOrNone(part.at("leader")),
                LeaderRecovery.valueOf(part.at("recovery").text()),
                part.at("leaderEpoch").integer(),
                part.at("partitionEpoch").integer());
    }

    static boolean alive(State state, String broker) {
        String up = state.get("up", broker).text();
        return up.equals("recovery") || up.equals("running");
    }
}
