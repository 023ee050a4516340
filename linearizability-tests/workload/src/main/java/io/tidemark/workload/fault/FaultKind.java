package io.tidemark.workload.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The faults that need nothing but signals to processes, Kafka's protocol and, one of them, a disk to fill. */
public enum FaultKind {
    KILL("the process dies (SIGKILL); what it wrote to the page cache stays", "leader", "controller", "one"),
    FREEZE(
            "the process stands still past its session time-out (SIGSTOP), then goes on: a zombie",
            "leader",
            "controller",
            "one"),
    RESTART("a clean stop (SIGTERM) and a start", "leader", "controller"),
    ROLLING_RESTART("a clean stop and a start of every node, one after the other", "all"),
    LEADER_MOVE(
            "leaders move as planned: a preferred election where leaders are not the preferred replicas, else the"
                    + " hand-over of a node that shuts down",
            "leader"),
    DISK_FULL("the file system that holds the nodes runs full; only where --dir is a small one of its own", "all");

    private final String effect;
    private final String targets;

    FaultKind(String effect, String... targets) {
        this.effect = effect;
        this.targets = String.join(" ", targets);
    }

    /** The name on the command line, for example {@code rolling-restart}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String effect() {
        return effect;
    }

    /** What it is aimed at when no target is given: each of these in turn. */
    public List<String> defaultTargets() {
        return List.of(targets.split(" ", -1));
    }

    public static Optional<FaultKind> of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst();
    }
}
