package io.tidemark.workload.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which nodes a fault is aimed at.
 *
 * @param node only for {@link Who#NODE}, else 0
 */
public record FaultTarget(Who who, int node) {
    /** How targets are written. */
    public static final List<String> NAMES =
            List.of("one", "minority", "majority", "all", "leader", "controller", "node=N");

    /** A role, a number of nodes, or one by its id. */
    public enum Who {
        ONE,
        MINORITY,
        MAJORITY,
        ALL,
        /** A node that leads partitions of the topic under load. */
        LEADER,
        /** The active controller. */
        CONTROLLER,
        NODE
    }

    /**
     * Reads what follows the {@code @}.
     *
     * @throws IllegalArgumentException if it is no target
     */
    static FaultTarget parse(String text) {
        if (text.matches("node=\\d{1,9}")) {
            return new FaultTarget(Who.NODE, Integer.parseInt(text.substring("node=".length())));
        }
        return Arrays.stream(Who.values())
                .filter(who ->
                        who != Who.NODE && who.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .map(who -> new FaultTarget(who, 0))
                .orElseThrow(() -> new IllegalArgumentException("unknown target @" + text
                        + "; one of @one, @minority, @majority, @all, @leader, @controller, @node=N"));
    }

    @Override
    public String toString() {
        return who == Who.NODE ? "node=" + node : who.name().toLowerCase(Locale.ROOT);
    }
}
