package io.tidemark.spec.trace;

import io.tidemark.spec.trace.TlaValue.Fun;
import io.tidemark.spec.trace.TlaValue.Int;
import io.tidemark.spec.trace.TlaValue.Rec;
import io.tidemark.spec.trace.TlaValue.Seq;
import io.tidemark.spec.trace.TlaValue.SetOf;
import io.tidemark.spec.trace.TlaValue.Text;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The specification's variables and values in the words of who uses Kafka; what it does not know, it leaves as it is. */
final class Words {
    private static final Pattern PLACE = Pattern.compile("(\\w+)\\[([^\\]]*)\\](.*)");
    private static final Pattern HELD = Pattern.compile("voterFetch\\[(\\w+)\\]\\[(\\w+)\\]");
    private static final Pattern KNOWN = Pattern.compile("follower\\[(\\w+)\\]\\[(\\w+)\\](?:\\.(\\w+))?");

    /** Variables of one replica, broker or voter, which stands for the %s. */
    private static final Map<String, String> OF_ONE = Map.ofEntries(
            Map.entry("hw", "high watermark of %s"),
            Map.entry("log", "log of %s"),
            Map.entry("logStart", "log start of %s"),
            Map.entry("flushed", "fsynced on %s"),
            Map.entry("applied", "metadata records applied by %s"),
            Map.entry("brokerEpoch", "broker epoch of %s"),
            Map.entry("incarnation", "life of %s"),
            Map.entry("up", "process of %s"),
            Map.entry("epochStart", "where the leader epoch of %s starts"),
            Map.entry("pendingAcks", "%s holds back the answer for"),
            Map.entry("fetchResp", "fetch answer on its way to %s"),
            Map.entry("apResp", "AlterPartition answer on its way to %s"),
            Map.entry("isrState", "%s as leader"),
            Map.entry("isrState.isr", "ISR as %s has it"),
            Map.entry("isrState.partitionEpoch", "partition epoch as %s has it"),
            Map.entry("isrState.pending", "ISR change that %s has asked for"),
            Map.entry("follower", "what %s knows of the others"),
            Map.entry("currentEpoch", "epoch of %s"),
            Map.entry("role", "role of %s"),
            Map.entry("votedKey", "vote of %s"),
            Map.entry("leaderId", "leader that %s knows"),
            Map.entry("grants", "votes for %s"),
            Map.entry("rejects", "votes against %s"),
            Map.entry("durable", "quorum-state file of %s"),
            Map.entry("voterFetch", "log ends of the others as %s knows them"),
            Map.entry("fetchedFromLeader", "%s has fetched from its leader"),
            Map.entry("fetchingSnapshot", "snapshot that %s fetches"),
            Map.entry("dirId", "directory of %s"));

    private static final Map<String, String> WHOLE = Map.ofEntries(
            Map.entry("acked", "acknowledged to producers"),
            Map.entry("committed", "committed so far"),
            Map.entry("exposed", "read by consumers"),
            Map.entry("metaLog", "metadata log"),
            Map.entry("metaHw", "metadata records committed"),
            Map.entry("ghosts", "late messages"),
            Map.entry("voteResp", "answers to vote requests on their way"),
            Map.entry("part.isr", "ISR"),
            Map.entry("part.elr", "ELR"),
            Map.entry("part.leader", "leader"),
            Map.entry("part.leaderEpoch", "leader epoch"),
            Map.entry("part.partitionEpoch", "partition epoch"),
            Map.entry("part.lastKnownElr", "last known leader"),
            Map.entry("part.recovery", "recovery"));

    private Words() {}

    /** The place of a change, such as {@code hw[b1]}. */
    static String place(String path) {
        String whole = WHOLE.get(path);
        if (whole != null) {
            return whole;
        }
        Matcher known = KNOWN.matcher(path);
        if (known.matches()) {
            return known.group(1) + " knows of " + known.group(2)
                    + (known.group(3) == null ? "" : " the " + known.group(3));
        }
        Matcher held = HELD.matcher(path);
        if (held.matches()) {
            return "log end of " + held.group(2) + " as " + held.group(1) + " knows it";
        }
        Matcher one = PLACE.matcher(path);
        if (!one.matches()) {
            return path;
        }
        String rest = one.group(3);
        String phrase = OF_ONE.get(one.group(1) + rest);
        if (phrase != null) {
            return phrase.replace("%s", one.group(2));
        }
        phrase = OF_ONE.get(one.group(1));
        return phrase == null ? path : phrase.replace("%s", one.group(2)) + rest.replaceFirst("^\\.", ", ");
    }

    /** A value: records of a log by their number, Nil as none. */
    static String value(TlaValue value) {
        if (value instanceof Text text) {
            return text.value().equals("Nil") ? "none" : text.value();
        } else if (value instanceof Seq seq) {
            return isKey(seq)
                    ? QuorumWords.key(seq)
                    : seq.items().stream().map(Words::value).collect(Collectors.joining(", ", "<<", ">>"));
        } else if (value instanceof SetOf set) {
            return set.items().stream().map(Words::value).collect(Collectors.joining(", ", "{", "}"));
        } else if (value instanceof Fun fun) {
            return fun.values().entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + value(entry.getValue()))
                    .collect(Collectors.joining(", ", "(", ")"));
        } else if (value instanceof Rec rec) {
            String record = record(rec.fields());
            return record != null
                    ? record
                    : rec.fields().entrySet().stream()
                            .map(field -> field.getKey() + ": " + value(field.getValue()))
                            .collect(Collectors.joining(", ", "[", "]"));
        }
        return value.toString();
    }

    /** A voter as node id and directory id (KIP-853). */
    static boolean isKey(Seq seq) {
        return seq.items().size() == 2
                && seq.items().get(0) instanceof Text
                && seq.items().get(1) instanceof Int;
    }

    private static @Nullable String record(Map<String, TlaValue> fields) {
        TlaValue id = fields.get("id");
        TlaValue epoch = fields.get("epoch");
        TlaValue entry = fields.get("entry");
        if (fields.keySet().equals(Set.of("epoch", "id")) && id instanceof Int) {
            return "record " + id + " (epoch " + epoch + ")";
        } else if (fields.keySet().equals(Set.of("offset", "epoch", "id"))) {
            return "record " + id + " at offset " + fields.get("offset") + " (epoch " + epoch + ")";
        } else if (fields.keySet().equals(Set.of("acks", "required", "entry")) && entry != null) {
            return value(entry) + ", acks=" + fields.get("acks");
        }
        String message = PartitionWords.message(fields);
        return message != null ? message : QuorumWords.record(fields);
    }
}
