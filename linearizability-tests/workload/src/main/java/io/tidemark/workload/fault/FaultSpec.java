package io.tidemark.workload.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A fault and what it is aimed at, as {@code kill@leader}. */
public record FaultSpec(FaultKind kind, FaultTarget target) {
    /**
     * Reads a list: names with or without a target, {@code all}, {@code none}. A name without a target stands for its
     * default targets.
     *
     * @param possible what {@code all} stands for
     * @throws IllegalArgumentException "what; what would be right", if an entry is unknown
     */
    public static List<FaultSpec> parse(List<String> entries, Set<FaultKind> possible) {
        List<FaultSpec> specs = new ArrayList<>();
        for (String entry : entries) {
            if (entry.equals("none")) {
                if (entries.size() > 1) {
                    throw new IllegalArgumentException("none together with other faults; none alone, or a list");
                }
                return List.of();
            }
            if (entry.equals("all")) {
                possible.stream().sorted().map(FaultSpec::ofDefaults).forEach(specs::addAll);
            } else {
                specs.addAll(parse(entry));
            }
        }
        return specs.stream().distinct().toList();
    }

    private static List<FaultSpec> parse(String entry) {
        int at = entry.indexOf('@');
        String name = at < 0 ? entry : entry.substring(0, at);
        FaultKind kind = FaultKind.of(name)
                .orElseThrow(() -> new IllegalArgumentException("unknown fault " + name + "; one of "
                        + Arrays.stream(FaultKind.values())
                                .map(FaultKind::label)
                                .collect(Collectors.joining(", "))
                        + ", all, none"));
        return at < 0 ? ofDefaults(kind) : List.of(new FaultSpec(kind, FaultTarget.parse(entry.substring(at + 1))));
    }

    private static List<FaultSpec> ofDefaults(FaultKind kind) {
        return kind.defaultTargets().stream()
                .map(target -> new FaultSpec(kind, FaultTarget.parse(target)))
                .toList();
    }

    @Override
    public String toString() {
        return kind.label() + "@" + target;
    }
}
