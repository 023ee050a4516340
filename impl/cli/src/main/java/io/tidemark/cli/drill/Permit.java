package io.tidemark.cli.drill;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A setting of a drill that permits what was found, and why. What it permits is no defect of the log; whether it counts
 * against the log all the same, as a loss does, is another question, which {@link DrillVerdict} answers. The sources are
 * the sentences of {@code docs/durability.md}.
 *
 * @param code of the reason in the verdict
 * @param setting as it is given, for example {@code acks=1}
 * @param why how the setting leads to what was found
 */
record Permit(String code, String setting, String why) {
    private static final String NEXT_LEADER =
            "the next leader gives the offset of a record that is gone to another one";
    private static final String NOWHERE = "a record that is gone is in no replica";

    /** The settings that permit what the type tells of; none where only a defect explains it. */
    static List<Permit> of(DrillConfig config, AnomalyType type) {
        List<Permit> permits = new ArrayList<>();
        String why = switch (type) {
            case LOST ->
                config.acks().equals("0")
                        ? "a record counts as acknowledged before any node has it"
                        : "the leader acknowledges before any follower has the record, so what it alone held is gone"
                                + " when another node leads";
            case OFFSET_ACKED_TWICE, ACK_CONTRADICTED, REAL_TIME_ORDER -> NEXT_LEADER;
            case REPLICA_MISSING -> NOWHERE;
            case MISPLACED -> "a retry may append a record twice, and the copy that was acknowledged be gone";
            default -> "";
        };
        if (config.acknowledgesAlone() && !why.isEmpty()) {
            permits.add(new Permit("ACKS", "acks=" + config.acks(), why));
        }
        why = switch (type) {
            case LOST -> "a replica that lacks acknowledged records may lead";
            case OFFSET_ACKED_TWICE, ACK_CONTRADICTED, REAL_TIME_ORDER -> NEXT_LEADER;
            case REPLICA_MISSING -> NOWHERE;
            case DIRTY_READ, INCONSISTENT_OFFSET, OFFSET_REUSED, HW_REGRESS ->
                "a replica that lacks what readers were given may lead";
            default -> "";
        };
        if (config.uncleanLeaderElection() && !why.isEmpty()) {
            permits.add(new Permit("UNCLEAN_LEADER_ELECTION", "unclean.leader.election.enable=true", why));
        }
        if (!config.idempotence() && (type == AnomalyType.DUPLICATE || type == AnomalyType.CLIENT_ORDER)) {
            permits.add(new Permit(
                    "IDEMPOTENCE",
                    "enable.idempotence=false",
                    type == AnomalyType.DUPLICATE
                            ? "a retry may append a record twice"
                            : "a retry may append a record behind later ones"));
        }
        return permits;
    }

    /** Whether a setting permits it, by which and why; or what no setting permits and what might be thought to. */
    static String inWords(DrillConfig config, AnomalyType type) {
        List<Permit> permits = of(config, type);
        return permits.isEmpty()
                ? "no setting of this drill permits it" + unlike(config, type)
                : permits.stream()
                        .map(permit -> permit.setting() + " permits it: " + permit.why())
                        .collect(Collectors.joining("; "));
    }

    /** Why a setting that is weaker than the default is not to blame. */
    private static String unlike(DrillConfig config, AnomalyType type) {
        if (type.group() == AnomalyType.Group.INCONSISTENT_READ && config.acknowledgesAlone()) {
            return ": whatever acks is, readers are given only what is below the high watermark";
        }
        return type == AnomalyType.LOST && config.minInsyncReplicas() == 1
                ? ": with min.insync.replicas=1 a leader may acknowledge alone, and that survives the end of its process"
                : "";
    }

    /** Whether a setting permits each of them; not where there are none. */
    static boolean all(DrillConfig config, List<Anomaly> anomalies) {
        return !anomalies.isEmpty()
                && anomalies.stream()
                        .noneMatch(anomaly -> of(config, anomaly.type()).isEmpty());
    }

    /** The settings that permit one of them or more, each once. */
    static List<String> settings(DrillConfig config, List<Anomaly> anomalies) {
        return anomalies.stream()
                .flatMap(anomaly -> of(config, anomaly.type()).stream())
                .map(Permit::setting)
                .distinct()
                .toList();
    }
}
