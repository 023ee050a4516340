package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FollowerProgress;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the code shows of a partition, as values of module State. */
final class PartitionValues {
    private static final Val UNKNOWN = progress(-1, -1, false, -1);

    private PartitionValues() {}

    static Val name(int broker) {
        return broker < 0 ? Val.nil() : Val.of("b" + broker);
    }

    static Val names(Collection<Integer> brokers) {
        return Val.set(brokers.stream().map(PartitionValues::name).toList());
    }

    static Val part(PartitionRegistration part) {
        return Val.function(Map.of(
                "leader", name(part.leader()),
                "leaderEpoch", Val.of(part.leaderEpoch()),
                "partitionEpoch", Val.of(part.partitionEpoch()),
                "isr", names(part.isr()),
                "elr", names(part.elr()),
                "lastKnownElr",
                        part.lastKnownElr().isEmpty()
                                ? Val.nil()
                                : name(part.lastKnownElr().get(0)),
                "recovery", Val.of(part.recovery().name())));
    }

    static Val registration(BrokerRegistration broker) {
        return Val.function(Map.of(
                "epoch", Val.of((int) (broker.epoch() - ControllerNames.BASE)),
                "incarnation", Val.of((int) broker.incarnation().getLeastSignificantBits()),
                "fenced", Val.of(broker.fenced()),
                "shuttingDown", Val.of(broker.shuttingDown())));
    }

    static Val record(int epoch, int id) {
        return Val.function(Map.of("epoch", Val.of(epoch), "id", Val.of(id)));
    }

    /** A record with its place: as the histories have it. */
    static Val entry(Val log, int offset) {
        return log.at(offset + 1).with("offset", Val.of(offset));
    }

    /** {@code isrState[l]}; Nil where it does not lead. */
    static Val isrState(PartitionState shown) {
        IsrState isrState = shown.isrState();
        PartitionRegistration part = shown.part();
        if (isrState == null || part == null) {
            return Val.nil();
        }
        AlterPartitionAsked asked = isrState.asked();
        return Val.function(Map.of(
                "isr", names(isrState.isr()),
                "partitionEpoch", Val.of(part.partitionEpoch()),
                "pending", asked == null ? Val.nil() : pending(asked)));
    }

    private static Val pending(AlterPartitionAsked asked) {
        Map<String, Val> epochs = new TreeMap<>();
        for (AlterPartitionAsked.Member member : asked.newIsr()) {
            epochs.put("b" + member.brokerId(), Val.of((int) member.brokerEpoch()));
        }
        return Val.function(Map.of(
                "isr",
                        names(asked.newIsr().stream()
                                .map(AlterPartitionAsked.Member::brokerId)
                                .toList()),
                "epochs", Val.function(epochs)));
    }

    /**
     * {@code follower[l]}; Nil where it does not lead. Of itself a leader knows nothing there.
     *
     * @param trackLag whether the model has the high watermark wait for who is about to join; else lag is not told
     */
    static Val follower(PartitionState shown, List<String> brokers, boolean trackLag) {
        if (shown.isrState() == null) {
            return Val.nil();
        }
        Map<String, Val> all = new TreeMap<>();
        brokers.forEach(broker -> all.put(broker, UNKNOWN));
        shown.follower().forEach((id, known) -> all.put("b" + id, progress(known, trackLag)));
        return Val.function(all);
    }

    private static Val progress(FollowerProgress known, boolean trackLag) {
        return trackLag
                ? progress(known.offset(), known.brokerEpoch(), known.caughtUp(), known.leaderEnd())
                : progress(known.offset(), known.brokerEpoch(), false, -1);
    }

    private static Val progress(long offset, long brokerEpoch, boolean caughtUp, long leaderEnd) {
        return Val.function(Map.of(
                "offset", Val.of((int) offset),
                "brokerEpoch", Val.of((int) brokerEpoch),
                "caughtUp", Val.of(caughtUp),
                "leaderEnd", Val.of((int) leaderEnd)));
    }

    // ---- live requests, as functions of their sender's state

    static Val fetchRequest(State state, String follower) {
        Val log = state.get("log", follower);
        Val part = part(state, follower);
        int end = log.size();
        boolean empty = end <= state.get("logStart", follower).integer();
        return Val.function(Map.of(
                "type", Val.of("fetch"),
                "from", Val.of(follower),
                "to", part.at("leader"),
                "brokerEpoch", state.get("brokerEpoch", follower),
                "leaderEpoch", part.at("leaderEpoch"),
                "offset", Val.of(end),
                "lastEpoch", empty ? Val.of(-1) : log.at(end).at("epoch")));
    }

    static Val alterPartitionRequest(State state, String leader) {
        Val isrState = state.get("isrState", leader);
        Val pending = isrState.at("pending");
        return Val.function(Map.of(
                "type", Val.of("alterPartition"),
                "from", Val.of(leader),
                "brokerEpoch", state.get("brokerEpoch", leader),
                "leaderEpoch", part(state, leader).at("leaderEpoch"),
                "partitionEpoch", isrState.at("partitionEpoch"),
                "isr", pending.at("isr"),
                "epochs", pending.at("epochs")));
    }

    /** As the broker has applied it. */
    private static Val part(State state, String broker) {
        return state.get("metaLog").at(state.get("applied", broker).integer()).at("part");
    }

    static boolean follows(State state, String broker) {
        if (state.get("applied", broker).integer() == 0) {
            return false;
        }
        Val leader = part(state, broker).at("leader");
        return !leader.isNil() && !leader.text().equals(broker);
    }

    static boolean pends(State state, String leader) {
        Val isrState = state.get("isrState", leader);
        return !isrState.isNil() && !isrState.at("pending").isNil();
    }
}
