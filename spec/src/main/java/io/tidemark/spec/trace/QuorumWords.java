package io.tidemark.spec.trace;

import io.tidemark.spec.trace.TlaValue.Bool;
import io.tidemark.spec.trace.TlaValue.Fun;
import io.tidemark.spec.trace.TlaValue.Rec;
import io.tidemark.spec.trace.TlaValue.Seq;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the quorum's values are in Raft's and Kafka's words: records, voters, answers, and what of a ballot is on disk. */
final class QuorumWords {
    private static final Set<String> RECORD = Set.of("epoch", "kind", "id", "seen", "voters");
    private static final Set<String> COMMITTED = Set.of("rec", "by");
    private static final Set<String> VOTE = Set.of("from", "to", "epoch", "leader", "ok", "granted");
    private static final Set<String> FETCH =
            Set.of("kind", "from", "ok", "epoch", "leader", "hw", "end", "records", "snapshot");

    /** What quorum-state has on disk, by the variable that has it in memory. */
    private static final Map<String, String> BALLOT =
            Map.of("currentEpoch", "epoch", "votedKey", "voted", "leaderId", "leader");

    private QuorumWords() {}

    /** A voter; the directory where it is another than the first. */
    static String key(Seq key) {
        String directory = key.items().get(1).toString();
        return key.items().get(0) + (directory.equals("0") ? "" : " (directory " + directory + ")");
    }

    /** A record of the metadata log, a committed one, an answer; null where it is none of these. */
    static @Nullable String record(Map<String, TlaValue> fields) {
        Set<String> names = fields.keySet();
        if (names.equals(RECORD)) {
            return switch (text(fields, "kind")) {
                case "leader" -> "LeaderChange (epoch " + text(fields, "epoch") + ")";
                case "voters" -> "voters " + text(fields, "voters") + " (epoch " + text(fields, "epoch") + ")";
                default -> "decision " + text(fields, "id") + " (epoch " + text(fields, "epoch") + ")";
            };
        } else if (names.equals(COMMITTED)) {
            return text(fields, "rec") + ", by the leader of epoch " + text(fields, "by");
        } else if (names.equals(VOTE)) {
            String answer = !isTrue(fields, "ok")
                    ? " does not vote for "
                    : isTrue(fields, "granted") ? " grants " : " refuses ";
            return text(fields, "from") + answer + text(fields, "to") + " (epoch " + text(fields, "epoch")
                    + (isNone(fields, "leader") ? "" : ", leader " + text(fields, "leader")) + ")";
        } else if (names.equals(FETCH)) {
            return fetched(fields);
        }
        return null;
    }

    private static String fetched(Map<String, TlaValue> fields) {
        String from = "from " + text(fields, "from") + " (epoch " + text(fields, "epoch") + "): ";
        if (!isTrue(fields, "ok")) {
            return from + "refused" + (isNone(fields, "leader") ? "" : ", leader " + text(fields, "leader"));
        } else if (!isNone(fields, "end") && fields.get("end") instanceof Rec end) {
            return from + "the logs part, epoch " + text(end.fields(), "epoch") + " ends at "
                    + text(end.fields(), "offset");
        } else if (!isNone(fields, "snapshot")) {
            return from + "snapshot up to " + text(fields, "snapshot");
        }
        return from + text(fields, "records") + ", hw " + text(fields, "hw");
    }

    private static String text(Map<String, TlaValue> fields, String name) {
        TlaValue value = fields.get(name);
        return value == null ? "?" : Words.value(value);
    }

    private static boolean isNone(Map<String, TlaValue> fields, String name) {
        return text(fields, name).equals("none");
    }

    private static boolean isTrue(Map<String, TlaValue> fields, String name) {
        return fields.get(name) instanceof Bool truth && truth.value();
    }

    /** Whether every node has on disk what it has in memory of epoch, vote and leader. */
    static boolean allOnDisk(Map<String, TlaValue> state) {
        return state.get("durable") instanceof Fun durable
                && durable.values().keySet().stream()
                        .allMatch(node -> BALLOT.keySet().stream().allMatch(name -> isOnDisk(state, name, node)));
    }

    private static boolean isOnDisk(Map<String, TlaValue> state, String name, TlaValue node) {
        return state.get(name) instanceof Fun memory
                && state.get("durable") instanceof Fun durable
                && durable.values().get(node) instanceof Rec file
                && Objects.equals(
                        memory.values().get(node), file.fields().get(Objects.requireNonNull(BALLOT.get(name))));
    }

    /** The changes, with those of memory and of disk that say the same in one line, and whether memory is ahead of the disk. */
    static List<String> withDisk(List<String> changes, Map<String, TlaValue> after) {
        if (!(after.get("durable") instanceof Fun durable)) {
            return changes;
        }
        List<String> told = new ArrayList<>(changes);
        for (TlaValue node : durable.values().keySet()) {
            BALLOT.forEach((name, field) -> {
                String memory = Words.place(name + "[" + node + "]") + ": ";
                String file = Words.place("durable[" + node + "]." + field) + ": ";
                boolean same = isOnDisk(after, name, node);
                boolean written = told.stream().anyMatch(line -> line.startsWith(file));
                boolean changed = told.stream().anyMatch(line -> line.startsWith(memory));
                if (changed && same && written) {
                    told.removeIf(line -> line.startsWith(file));
                }
                told.replaceAll(line -> !line.startsWith(memory)
                        ? line
                        : line + (!same ? ", not on disk" : written ? ", on disk too" : ""));
            });
        }
        return told;
    }
}
