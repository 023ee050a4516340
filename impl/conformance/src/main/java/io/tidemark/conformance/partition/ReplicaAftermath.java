package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Change;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a replica leaves behind: its own variables, as its view shows them, and what its effects do to the network, to
 * the gate that holds answers until the disk has what they promise, and to the specification's histories.
 */
final class ReplicaAftermath {
    private final Values before;
    private final String broker;
    private final ReplicaWays ways;
    private final ReplicaStep step;
    private final Change change;

    ReplicaAftermath(Values before, String broker, ReplicaWays ways, ReplicaStep step) {
        this.before = before;
        this.broker = broker;
        this.ways = ways;
        this.step = step;
        this.change = new Change(before);
    }

    /**
     * The state after it.
     *
     * @param ghost what the replica abandons by this step and may still arrive; null if nothing does
     * @return null where the input was refused, or nothing is abandoned that could arrive
     */
    @Nullable
    Values of(Call call, PartitionInput input, @Nullable Val ghost) {
        if (!taken(call, input)) {
            return null;
        }
        boolean newRole = step.has(PartitionEffect.RoleChanged.class);
        boolean settles = step.has(PartitionEffect.AbandonAlterPartition.class);
        if (ghost != null) {
            if (!newRole && !(settles && ghost.at("type").text().equals("alterPartition"))) {
                return null;
            }
            change.put("ghosts", Val.set(List.of(ghost)));
            change.spend("ghosts");
        }
        ways.observe(change, broker, step);
        if (newRole || settles) {
            change.put("apResp", broker, Val.nil());
        }
        if (step.has(PartitionEffect.AbandonFetch.class)) {
            change.put("fetchResp", broker, Val.nil());
        }
        acks(input);
        network(call);
        histories();
        spend(call);
        return change.done();
    }

    private boolean taken(Call call, PartitionInput input) {
        return switch (call.name()) {
            case "HandleAlterPartitionResponse" ->
                true; // It is taken from the network, whatever the leader makes of it.
            case "HandleFetchResponse" -> !step.effects().isEmpty(); // One that is not understood is asked for again.
            case "HandleFetch" -> answer() != null;
            case "DeliverGhost" -> true;
            default -> step.action() != null && !(input instanceof PartitionInput.HandleProduce && refused());
        };
    }

    private boolean refused() {
        return step.any(effect -> effect instanceof PartitionEffect.ReplyProduce reply
                && reply.token().equals(ReplicaTrial.ASKED)
                && reply.error() != ErrorCode.NONE);
    }

    // ---- network

    /** What the fetch at hand is answered; null where it is refused. */
    private @Nullable FetchAnswer answer() {
        for (PartitionEffect effect : step.effects()) {
            if (effect instanceof PartitionEffect.ReplyFetch reply) {
                ErrorCode error = reply.answer().error();
                return error == ErrorCode.NONE || error == ErrorCode.OFFSET_OUT_OF_RANGE ? reply.answer() : null;
            }
        }
        return null;
    }

    private void network(Call call) {
        switch (call.name()) {
            case "HandleFetch" -> {
                String follower = call.arg("f").text();
                FetchAnswer answer = answer();
                if (answer != null) {
                    change.put("fetchResp", follower, fetchAnswer(follower, answer));
                }
            }
            case "HandleFetchResponse" -> change.put("fetchResp", broker, Val.nil());
            case "HandleAlterPartitionResponse" -> change.put("apResp", broker, Val.nil());
            case "DeliverGhost" -> change.put("ghosts", Val.set(List.of()));
            default -> {}
        }
    }

    private Val fetchAnswer(String follower, FetchAnswer answer) {
        Val asked = PartitionValues.fetchRequest(before, follower);
        OffsetAndEpoch end = answer.diverging();
        int offset = asked.at("offset").integer();
        boolean fits = answer.error() == ErrorCode.NONE && end == null;
        int upTo = fits ? (int) answer.upTo() : offset;
        boolean carries = fits && !ways.constants().lateReads();
        return Val.function(Map.of(
                "type", Val.of("fetchAnswer"),
                "to", Val.of(follower),
                "asked", asked,
                "error", Val.of(answer.error().name()),
                "diverging",
                        end == null
                                ? Val.nil()
                                : Val.function(
                                        Map.of("epoch", Val.of(end.epoch()), "offset", Val.of((int) end.offset()))),
                "records", Val.sequence(carries ? step.log().list().subList(offset, upTo) : List.of()),
                "upTo", Val.of(upTo),
                "hw", Val.of((int) answer.hw()),
                "logStart", Val.of((int) answer.logStart())));
    }

    // ---- acknowledgements

    /** Whose answer has left is told; the gate holds the answers to acks=1 until the disk has the record. */
    private void acks(PartitionInput input) {
        Set<Val> acked = new LinkedHashSet<>(before.get("acked").list());
        List<Val> waiting = new ArrayList<>();
        if (step.after().isrState() != null) {
            Set<Long> required = Set.copyOf(step.after().pendingAcks());
            for (Val ack : before.get("pendingAcks", broker).list()) {
                boolean ofTheGate = ack.at("acks").text().equals("1");
                if (ofTheGate || required.contains((long) ack.at("required").integer())) {
                    waiting.add(ack);
                }
            }
        }
        for (PartitionEffect effect : step.effects()) {
            if (effect instanceof PartitionEffect.ReplyProduce reply && reply.error() == ErrorCode.NONE) {
                told(input, reply, acked, waiting);
            }
        }
        if (input instanceof PartitionInput.HandleProduce produce && produce.acks() == -1) {
            waits(produce, waiting);
        }
        int flushed = (int) step.after().flushed();
        for (Val ack : List.copyOf(waiting)) {
            if (ack.at("acks").text().equals("1") && ack.at("required").integer() <= flushed) {
                waiting.remove(ack);
                acked.add(ack.at("entry"));
            }
        }
        change.put("pendingAcks", broker, Val.set(waiting));
        change.put("acked", Val.set(acked));
    }

    private void told(PartitionInput input, PartitionEffect.ReplyProduce reply, Set<Val> acked, List<Val> waiting) {
        Val entry = PartitionValues.entry(step.log(), (int) reply.baseOffset());
        if (reply.requires() instanceof Requires.Flushed disk) {
            waiting.add(ack("1", (int) disk.endOffset(), entry));
        } else if (!(input instanceof PartitionInput.HandleProduce produce) || produce.acks() != 0) {
            acked.add(entry);
        }
    }

    /** The request at hand, if it was not answered at once. */
    private void waits(PartitionInput.HandleProduce produce, List<Val> waiting) {
        boolean answered = step.any(effect -> effect instanceof PartitionEffect.ReplyProduce reply
                && reply.token().equals(produce.token()));
        int offset = answered ? -1 : offsetOf((int) produce.batch().producerId());
        if (offset >= 0) {
            List<Long> required = step.after().pendingAcks();
            boolean fromTheBegin = required.contains(0L)
                    && waiting.stream().noneMatch(ack -> ack.at("required").integer() == 0);
            waiting.add(ack("all", fromTheBegin ? 0 : offset + 1, PartitionValues.entry(step.log(), offset)));
        }
    }

    private int offsetOf(int id) {
        List<Val> log = step.log().list();
        for (int offset = log.size() - 1; offset >= 0; offset--) {
            if (log.get(offset).at("id").integer() == id) {
                return offset;
            }
        }
        return -1;
    }

    private static Val ack(String acks, int required, Val entry) {
        return Val.function(Map.of("acks", Val.of(acks), "required", Val.of(required), "entry", entry));
    }

    // ---- histories and budgets

    private void histories() {
        if (step.after().isrState() != null) {
            add("committed", 0, (int) Math.min(step.after().hw(), step.log().size()));
        }
    }

    private void add(String history, int from, int upTo) {
        if (from >= upTo) {
            return;
        }
        Set<Val> all = new LinkedHashSet<>(before.get(history).list());
        boolean news = false;
        for (int offset = from; offset < upTo; offset++) {
            news |= all.add(PartitionValues.entry(step.log(), offset));
        }
        if (news) {
            change.put(history, Val.set(all));
        }
    }

    private void spend(Call call) {
        switch (call.name()) {
            case "HandleProduce" -> change.spend(step.has(PartitionEffect.Append.class) ? "records" : "duplicates");
            case "ReplicaLagTimeout" -> {
                if (step.has(PartitionEffect.SendAlterPartition.class)) {
                    change.spend("shrinks");
                }
            }
            case "ConsumerRead" -> {
                change.spend("reads");
                FetchAnswer answer = answer();
                if (answer != null) {
                    add("exposed", (int) answer.from(), (int) answer.upTo());
                }
            }
            default -> {}
        }
    }
}
