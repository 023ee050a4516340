package io.tidemark.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which nodes a fault is aimed at, as written behind an {@code @}.
 *
 * @param number the node's id of {@link Who#NODE}, the rack's number from 1 of {@link Who#RACK}, else 0
 */
public record Target(Who who, int number) {
    /** How targets are written. */
    public static final List<String> NAMES =
            List.of("one", "minority", "majority", "all", "leader", "controller", "node=N", "rack=R");

    /** What a fault takes that is aimed at nothing in particular. */
    public static final Target ONE = new Target(Who.ONE, 0);

    /** A role, a number of nodes, one by its id, or a rack. */
    public enum Who {
        ONE,
        MINORITY,
        MAJORITY,
        ALL,
        /** A node that leads partitions of the topic under load. */
        LEADER,
        /** The active controller. */
        CONTROLLER,
        NODE,
        RACK
    }

    /**
     * Reads what follows the {@code @}.
     *
     * @throws IllegalArgumentException "what; what would be right", if it is no target
     */
    static Target parse(String text) {
        for (Who numbered : List.of(Who.NODE, Who.RACK)) {
            String prefix = numbered.name().toLowerCase(Locale.ROOT) + "=";
            if (text.matches(prefix + "[1-9]")) {
                return new Target(numbered, text.charAt(prefix.length()) - '0');
            }
        }
        return Arrays.stream(Who.values())
                .filter(who -> who != Who.NODE && who != Who.RACK)
                .filter(who -> who.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .map(who -> new Target(who, 0))
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown target @" + text + "; one of @" + String.join(", @", NAMES)));
    }

    @Override
    public String toString() {
        String name = who.name().toLowerCase(Locale.ROOT);
        return number == 0 ? name : name + "=" + number;
    }
}
