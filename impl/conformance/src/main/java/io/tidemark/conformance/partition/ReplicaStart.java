package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionState;
import io.tidemark.core.partition.ReplicaInState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts a replica in a state of the specification. Record n is the one batch of producer n. */
final class ReplicaStart {
    /** Whose answer it is: a record that waits. */
    private record Token(int required) implements ReplyToken {}

    private ReplicaStart() {}

    /** @param flushes the model's FlushEveryMessage */
    static PartitionCore of(State state, String broker, boolean flushes, Guards guards) {
        ReplicaVariables variables = new ReplicaVariables(state, broker);
        boolean acts = variables.applied > 0;
        return ReplicaInState.of(
                new PartitionConfig(Brokers.id(broker), guards),
                new LogState(
                        variables.logStart(),
                        variables.log().size(),
                        state.get("flushed", broker).integer(),
                        state.get("hw", broker).integer(),
                        variables.epochs(),
                        producers(variables.log(), variables.logStart())),
                flushes ? 1 : Long.MAX_VALUE,
                acts ? variables.applied : -1,
                acts ? part(state, variables) : null,
                variables.reg(),
                variables.image().at("minIsr").integer(),
                variables.leads() ? leading(state, broker, variables) : null);
    }

    /** What a replica shows that is started in the state. */
    static PartitionState shown(State state, String broker, boolean flushes, Guards guards) {
        return of(state, broker, flushes, guards).view().copy();
    }

    /** Of a log with these records. */
    static List<ProducerEntry> producers(List<Val> log, int logStart) {
        List<ProducerEntry> producers = new ArrayList<>();
        for (int offset = logStart; offset < log.size(); offset++) {
            int id = log.get(offset).at("id").integer();
            producers.add(
                    new ProducerEntry(id, (short) 0, id, List.of(new ProducerEntry.Batch(0, 0, offset, offset, id))));
        }
        return producers;
    }

    private static PartitionRegistration part(State state, ReplicaVariables variables) {
        PartitionRegistration applied = Brokers.registration(state, variables.part());
        return new PartitionRegistration(
                applied.replicas(),
                applied.directories(),
                variables.leads() ? Brokers.ids(state, variables.isrState.at("isr")) : applied.isr(),
                applied.elr(),
                applied.lastKnownElr(),
                List.of(),
                List.of(),
                applied.leader(),
                applied.recovery(),
                applied.leaderEpoch(),
                variables.partitionEpoch());
    }

    private static ReplicaInState.Leading leading(State state, String broker, ReplicaVariables variables) {
        List<ReplicaInState.Progress> progress = new ArrayList<>();
        Map<Integer, Integer> departed = variables.departed();
        for (String other : Brokers.all(state)) {
            if (!other.equals(broker)) {
                Val known = state.get("follower", broker).at(other);
                int id = Brokers.id(other);
                progress.add(new ReplicaInState.Progress(
                        id,
                        known.at("offset").integer(),
                        known.at("brokerEpoch").integer(),
                        known.at("caughtUp").bool(),
                        known.at("leaderEnd").integer(),
                        departed.getOrDefault(id, -1)));
            }
        }
        List<ReplicaInState.Waiting> waiting = new ArrayList<>();
        for (Val ack : state.get("pendingAcks", broker).list()) {
            if (ack.at("acks").text().equals("all")) {
                int required = ack.at("required").integer();
                waiting.add(new ReplicaInState.Waiting(
                        required, ack.at("entry").at("offset").integer(), new Token(required)));
            }
        }
        return new ReplicaInState.Leading(
                state.get("epochStart", broker).integer(), progress, variables.pending(), waiting);
    }
}
