package io.tidemark.spec.trace;

import io.tidemark.spec.trace.TlaValue.Rec;
import io.tidemark.spec.trace.TlaValue.Seq;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The messages of a partition's replicas and its controller in Kafka's words. */
final class PartitionWords {
    private static final Set<String> FETCH =
            Set.of("type", "from", "to", "brokerEpoch", "leaderEpoch", "offset", "lastEpoch");
    private static final Set<String> FETCHED =
            Set.of("type", "to", "asked", "error", "diverging", "records", "upTo", "hw", "logStart");
    private static final Set<String> ALTER =
            Set.of("type", "from", "brokerEpoch", "leaderEpoch", "partitionEpoch", "isr", "epochs");
    private static final Set<String> ALTERED = Set.of("error", "leaderEpoch", "partitionEpoch", "isr", "offset");

    private PartitionWords() {}

    /** A request or an answer; null where it is neither. */
    static @Nullable String message(Map<String, TlaValue> fields) {
        Set<String> names = fields.keySet();
        if (names.equals(FETCHED) && fields.get("asked") instanceof Rec asked) {
            return fetched(fields, asked.fields());
        } else if (names.equals(ALTERED)) {
            return altered(fields);
        } else if (names.equals(FETCH)) {
            return text(fields, "from") + " fetches from offset " + text(fields, "offset") + " of " + text(fields, "to")
                    + " (leader epoch " + text(fields, "leaderEpoch") + ", broker epoch " + text(fields, "brokerEpoch")
                    + ", last record of epoch " + text(fields, "lastEpoch") + ")";
        } else if (names.equals(ALTER)) {
            return text(fields, "from") + " asks for ISR " + text(fields, "isr") + " (partition epoch "
                    + text(fields, "partitionEpoch") + ", leader epoch " + text(fields, "leaderEpoch")
                    + ", broker epochs " + text(fields, "epochs") + ", its own " + text(fields, "brokerEpoch") + ")";
        }
        return null;
    }

    private static String fetched(Map<String, TlaValue> fields, Map<String, TlaValue> asked) {
        String from = "from " + text(asked, "to") + " (leader epoch " + text(asked, "leaderEpoch") + "): ";
        String start = text(fields, "logStart");
        String rest = ", hw " + text(fields, "hw") + (start.equals("0") ? "" : ", log start " + start);
        if (!text(fields, "error").equals("NONE")) {
            return from + "refused, " + text(fields, "error") + " at offset " + text(asked, "offset") + rest;
        } else if (fields.get("diverging") instanceof Rec end) {
            return from + "the logs part, epoch " + text(end.fields(), "epoch") + " ends at "
                    + text(end.fields(), "offset") + rest;
        }
        boolean none =
                fields.get("records") instanceof Seq records && records.items().isEmpty();
        // What is read only when the answer leaves is known by its end alone.
        String late = none && !text(fields, "upTo").equals(text(asked, "offset"))
                ? "records up to offset " + text(fields, "upTo")
                : none ? "no records" : text(fields, "records");
        return from + late + " from offset " + text(asked, "offset") + rest;
    }

    private static String altered(Map<String, TlaValue> fields) {
        String error = text(fields, "error");
        String answer = switch (error) {
            case "NONE" -> "accepted";
            // The change is made, and another leads.
            case "NEW_LEADER_ELECTED" -> "accepted, " + error;
            default -> "refused, " + error;
        };
        return answer + ": ISR " + text(fields, "isr") + ", partition epoch " + text(fields, "partitionEpoch")
                + ", leader epoch " + text(fields, "leaderEpoch") + ", resting on " + text(fields, "offset")
                + " metadata records";
    }

    private static String text(Map<String, TlaValue> fields, String name) {
        TlaValue value = fields.get(name);
        return value == null ? "?" : Words.value(value);
    }
}
