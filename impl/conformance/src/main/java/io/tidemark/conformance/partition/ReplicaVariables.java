package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.KnownBroker;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The variables of one replica, as the specification has them and as the code shows them. */
final class ReplicaVariables {
    private final State state;
    private final String broker;
    final int applied;
    final Val isrState;

    ReplicaVariables(State state, String broker) {
        this.state = state;
        this.broker = broker;
        this.applied = state.get("applied", broker).integer();
        this.isrState = state.get("isrState", broker);
    }

    boolean leads() {
        return !isrState.isNil();
    }

    /** The metadata after the records applied; of a broker that acts on none yet, before its own registration. */
    Val image() {
        int last = applied > 0 ? applied : state.get("brokerEpoch", broker).integer() - 1;
        return state.get("metaLog").at(last);
    }

    Val part() {
        return image().at("part");
    }

    int partitionEpoch() {
        return (leads() ? isrState : part()).at("partitionEpoch").integer();
    }

    boolean follows() {
        Val leader = applied > 0 ? part().at("leader") : null;
        return leader != null && !leader.isNil() && !leader.text().equals(broker);
    }

    List<Val> log() {
        return state.get("log", broker).list();
    }

    int logStart() {
        return state.get("logStart", broker).integer();
    }

    /** Each leader epoch and its first offset; a leader's own where it has begun. */
    List<EpochStart> epochs() {
        List<EpochStart> starts = new ArrayList<>();
        List<Val> log = log();
        int start = logStart();
        if (start == log.size() && start > 0) {
            int deleted = log.get(start - 1).at("epoch").integer();
            boolean ownBegins = leads()
                    && part().at("leaderEpoch").integer() > deleted
                    && state.get("epochStart", broker).integer() >= start;
            if (deleted >= 0 && !ownBegins) {
                starts.add(new EpochStart(deleted, start));
            }
        }
        int last = starts.isEmpty() ? -1 : starts.get(0).epoch();
        for (int offset = start; offset < log.size(); offset++) {
            int epoch = log.get(offset).at("epoch").integer();
            if (epoch > last) {
                starts.add(new EpochStart(epoch, offset));
                last = epoch;
            }
        }
        if (leads() && part().at("leaderEpoch").integer() > last) {
            starts.add(new EpochStart(part().at("leaderEpoch").integer(), log.size()));
        }
        return starts;
    }

    SortedMap<Integer, KnownBroker> reg() {
        SortedMap<Integer, KnownBroker> reg = new TreeMap<>();
        for (String other : Brokers.all(state)) {
            Val r = image().at("reg").at(other);
            reg.put(
                    Brokers.id(other),
                    new KnownBroker(
                            r.at("epoch").integer(),
                            !r.at("fenced").bool() && !r.at("shuttingDown").bool()));
        }
        return reg;
    }

    /** Who left the ISR by an answer that is not applied yet, and at which partition epoch. */
    SortedMap<Integer, Integer> departed() {
        SortedMap<Integer, Integer> departed = new TreeMap<>();
        if (!leads()) {
            return departed;
        }
        Val metaLog = state.get("metaLog");
        List<Integer> before = List.of();
        for (int i = applied; i <= metaLog.size(); i++) {
            Val part = metaLog.at(i).at("part");
            if (part.at("partitionEpoch").integer() > partitionEpoch()) {
                break;
            }
            List<Integer> isr = Brokers.ids(state, part.at("isr"));
            for (int id : before) {
                if (!isr.contains(id)) {
                    departed.put(id, part.at("partitionEpoch").integer());
                }
            }
            departed.keySet().removeAll(isr);
            before = isr;
        }
        departed.keySet().removeAll(Brokers.ids(state, isrState.at("isr")));
        departed.remove(Brokers.id(broker));
        return departed;
    }

    /** The pending change as it is asked for; null if there is none. */
    @Nullable
    List<AlterPartitionAsked.Member> pending() {
        if (!leads() || isrState.at("pending").isNil()) {
            return null;
        }
        return members(
                state, isrState.at("pending").at("isr"), isrState.at("pending").at("epochs"));
    }

    /** The pending change as the controller is asked for it; null if there is none. */
    @Nullable
    AlterPartitionAsked asked() {
        List<AlterPartitionAsked.Member> members = pending();
        return members == null
                ? null
                : new AlterPartitionAsked(
                        part().at("leaderEpoch").integer(), partitionEpoch(), members, LeaderRecovery.RECOVERED);
    }

    /** A set of brokers with the epoch of each, in assignment order. */
    static List<AlterPartitionAsked.Member> members(State state, Val isr, Val epochs) {
        List<AlterPartitionAsked.Member> members = new ArrayList<>();
        for (String member : Brokers.all(state)) {
            if (isr.has(member)) {
                members.add(new AlterPartitionAsked.Member(
                        Brokers.id(member), epochs.at(member).integer()));
            }
        }
        return members;
    }

    Map<String, Object> specified() {
        Map<String, Object> all = new LinkedHashMap<>();
        List<Val> log = log();
        int end = log.size();
        all.put("applied", applied == 0 ? -1L : (long) applied);
        all.put("role", leads() ? "LEADER" : follows() ? "FOLLOWER" : "NONE");
        all.put(
                "log",
                log.subList(logStart(), end).stream()
                        .map(r -> r.at("epoch") + ":" + r.at("id"))
                        .toList());
        all.put("logStart", (long) logStart());
        all.put("logEnd", (long) end);
        all.put("epochs", known(epochs(), logStart(), end, leads()));
        all.put("flushed", state.get("flushed", broker).integer() + 0L);
        all.put("hw", state.get("hw", broker).integer() + 0L);
        if (applied > 0) {
            all.put("leader", Brokers.idOrNone(part().at("leader")));
            all.put("leaderEpoch", part().at("leaderEpoch").integer());
            all.put("partitionEpoch", partitionEpoch());
            all.put("reg", reg());
            all.put("minIsr", image().at("minIsr").integer());
        }
        if (leads()) {
            all.put("epochStart", state.get("epochStart", broker).integer() + 0L);
            all.put("isr", Brokers.ids(state, isrState.at("isr")));
            all.put("pending", String.valueOf(pending()));
            all.put("departed", List.copyOf(departed().keySet()));
            Map<String, Object> follower = new TreeMap<>();
            for (String other : Brokers.all(state)) {
                if (!other.equals(broker)) {
                    Val known = state.get("follower", broker).at(other);
                    follower.put(
                            other,
                            known.at("offset") + " epoch " + known.at("brokerEpoch")
                                    + (known.at("caughtUp").bool() ? " caught up" : ""));
                }
            }
            all.put("follower", follower);
            TreeSet<Long> required = new TreeSet<>();
            for (Val ack : state.get("pendingAcks", broker).list()) {
                if (ack.at("acks").text().equals("all")) {
                    required.add((long) ack.at("required").integer());
                }
            }
            all.put("pendingAcks", required);
        }
        if (!leads() && follows()) {
            int lastEpoch = end > logStart() ? log.get(end - 1).at("epoch").integer() : -1;
            all.put(
                    "asked",
                    new FetchAsked(
                            Brokers.idOrNone(part().at("leader")),
                            part().at("leaderEpoch").integer(),
                            end,
                            lastEpoch,
                            logStart()));
        }
        return all;
    }

    /** Of a log that is empty, what epoch was deleted last makes no difference: a leader's own alone is told. */
    private static List<EpochStart> known(List<EpochStart> epochs, long start, long end, boolean leads) {
        return start < end ? epochs : leads ? epochs.subList(epochs.size() - 1, epochs.size()) : List.of();
    }

    static Map<String, Object> shown(PartitionView view, List<String> records) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("applied", view.applied());
        all.put("role", view.role().name());
        int start = (int) Math.min(view.logStart(), records.size());
        all.put("log", List.copyOf(records.subList(start, records.size())));
        all.put("logStart", view.logStart());
        all.put("logEnd", view.logEnd());
        all.put("epochs", known(view.log(), view.logStart(), view.logEnd(), view.isrState() != null));
        all.put("flushed", view.flushed());
        all.put("hw", view.hw());
        var part = view.part();
        if (part != null) {
            all.put("leader", part.leader());
            all.put("leaderEpoch", part.leaderEpoch());
            all.put("partitionEpoch", part.partitionEpoch());
            all.put("reg", view.reg());
            all.put("minIsr", view.minIsr());
        }
        IsrState isrState = view.isrState();
        if (isrState != null) {
            all.put("epochStart", view.epochStart());
            all.put("isr", isrState.isr());
            AlterPartitionAsked asked = isrState.asked();
            all.put("pending", asked == null ? "null" : asked.newIsr().toString());
            all.put("departed", view.departed());
            Map<String, Object> follower = new TreeMap<>();
            view.follower()
                    .forEach((id, known) -> follower.put(
                            "b" + id,
                            known.offset() + " epoch " + known.brokerEpoch() + (known.caughtUp() ? " caught up" : "")));
            all.put("follower", follower);
            all.put("pendingAcks", new TreeSet<>(view.pendingAcks()));
        }
        FetchAsked asked = view.asked();
        if (asked != null) {
            all.put("asked", asked);
        }
        return all;
    }
}
