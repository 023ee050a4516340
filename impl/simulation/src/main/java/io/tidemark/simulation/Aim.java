package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A fault and what it is aimed at, as {@code kill@leader}.
 *
 * @param target null: each time drawn anew, one node mostly
 */
public record Aim(Fault fault, @Nullable Target target) {
    /** All faults, each at whatever is drawn. */
    public static List<Aim> all() {
        return Arrays.stream(Fault.values()).map(fault -> new Aim(fault, null)).toList();
    }

    /**
     * Reads a list: names with or without a target, {@code all}, {@code none}.
     *
     * @throws IllegalArgumentException "what; what would be right", if an entry is unknown
     */
    public static List<Aim> parse(List<String> entries) {
        List<Aim> aims = new ArrayList<>();
        for (String entry : entries) {
            if (entry.equals("none")) {
                if (entries.size() > 1) {
                    throw new IllegalArgumentException("none together with other faults; none alone, or a list");
                }
                return List.of();
            }
            if (entry.equals("all")) {
                aims.addAll(all());
            } else {
                aims.add(parse(entry));
            }
        }
        return aims.stream().distinct().toList();
    }

    private static Aim parse(String entry) {
        int at = entry.indexOf('@');
        String name = at < 0 ? entry : entry.substring(0, at);
        Fault fault = Fault.of(name)
                .orElseThrow(() -> new IllegalArgumentException("unknown fault " + name + "; one of "
                        + Arrays.stream(Fault.values()).map(Fault::label).collect(Collectors.joining(", "))
                        + ", all, none"));
        return new Aim(fault, at < 0 ? null : Target.parse(entry.substring(at + 1)));
    }

    @Override
    public String toString() {
        return fault.label() + (target == null ? "" : "@" + target);
    }
}
