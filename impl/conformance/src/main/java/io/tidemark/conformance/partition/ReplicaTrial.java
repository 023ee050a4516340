package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One input to a replica. Record n of the specification is the one batch of producer n. */
final class ReplicaTrial implements Trial {
    /** Whose answer it is: the request at hand. */
    static final ReplyToken ASKED = new ReplyToken() {};

    /** What a message says, by the specification's step, and by the code's effects; null where there is nothing to compare. */
    record Message(
            String name,
            Function<State, @Nullable Object> specified,
            Function<PartitionEffect, @Nullable Object> sent) {}

    private final State state;
    private final String broker;
    private final boolean flushes;
    private final Guards guards;
    private final List<String> records = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private @Nullable PartitionCore core;
    private @Nullable PartitionInput input;

    ReplicaTrial(State state, String broker, boolean flushes, Guards guards) {
        this.state = state;
        this.broker = broker;
        this.flushes = flushes;
        this.guards = guards;
    }

    /** Started when it is asked for: whoever wants the input alone has cores of its own. */
    private PartitionCore core() {
        PartitionCore started = core;
        if (started == null) {
            started = ReplicaStart.of(state, broker, flushes, guards);
            core = started;
            new ReplicaVariables(state, broker)
                    .log()
                    .forEach(record -> records.add(record.at("epoch") + ":" + record.at("id")));
        }
        return started;
    }

    PartitionView view() {
        return core().view();
    }

    String broker() {
        return broker;
    }

    PartitionInput input() {
        return Objects.requireNonNull(input);
    }

    ReplicaTrial input(PartitionInput given) {
        input = given;
        return this;
    }

    ReplicaTrial message(
            String name,
            Function<State, @Nullable Object> specified,
            Function<PartitionEffect, @Nullable Object> sent) {
        messages.add(new Message(name, specified, sent));
        return this;
    }

    /** A record as a producer sends it. */
    static BatchHeader batch(int id) {
        return new BatchHeader(0, 0, -1, 1, id, id, (short) 0, 0, false, false);
    }

    @Override
    public Map<String, Object> expectedBefore() {
        return new ReplicaVariables(state, broker).specified();
    }

    @Override
    public Map<String, Object> before() {
        PartitionView view = view();
        return ReplicaVariables.shown(view, records);
    }

    @Override
    public Outcome apply() {
        Step<PartitionEffect> step = core().apply(input());
        step.effects().forEach(this::write);
        Map<String, Object> all = ReplicaVariables.shown(view(), records);
        Set<Long> acked = new TreeSet<>();
        List<String> alterPartition = new ArrayList<>();
        Map<String, Object> told = new LinkedHashMap<>();
        for (PartitionEffect effect : step.effects()) {
            if (effect instanceof PartitionEffect.ReplyProduce reply
                    && reply.error() == ErrorCode.NONE
                    && reply.requires().equals(Requires.NOTHING)
                    && promises()) {
                addUnlessTold(acked, reply.baseOffset());
            } else if (effect instanceof PartitionEffect.SendAlterPartition sent) {
                alterPartition.add("sends " + sent.request().newIsr() + " of "
                        + sent.request().leaderEpoch() + "/" + sent.request().partitionEpoch());
            } else if (effect instanceof PartitionEffect.AbandonAlterPartition) {
                alterPartition.add("abandons");
            } else if (effect instanceof PartitionEffect.Fetch fetch
                    && !fetch.requires().equals(fetchWaitsFor())) {
                all.put("fetch", "leaves with " + fetch.requires() + " instead of " + fetchWaitsFor());
            }
            for (Message message : messages) {
                Object said = message.sent().apply(effect);
                if (said != null) {
                    told.put(message.name(), said);
                }
            }
        }
        all.put("acked", acked);
        all.put("alterPartition", alterPartition);
        all.putAll(told);
        return new Outcome(step.action(), all);
    }

    /** In the specification HandleFetch waits until all of the follower's log is fsynced, where every message is. */
    private Requires fetchWaitsFor() {
        long end = view().logEnd();
        return flushes && view().flushed() < end ? new Requires.Flushed(end) : Requires.NOTHING;
    }

    /** To say once more that a record is safe is no news. */
    private void addUnlessTold(Set<Long> acked, long offset) {
        String record = records.get((int) offset);
        boolean told = state.get("acked").list().stream()
                .anyMatch(entry -> entry.at("offset").integer() == offset
                        && record.equals(entry.at("epoch") + ":" + entry.at("id")));
        if (!told) {
            acked.add(offset);
        }
    }

    /** The answer to acks=0 promises nothing, and is not even sent. */
    private boolean promises() {
        return !(input instanceof PartitionInput.HandleProduce produce) || produce.acks() != 0;
    }

    private void write(PartitionEffect effect) {
        if (effect instanceof PartitionEffect.Append append) {
            records.add(append.batch().leaderEpoch() + ":" + append.batch().maxTimestamp());
        } else if (effect instanceof PartitionEffect.AppendFetched fetched) {
            for (BatchHeader batch : fetched.batches()) {
                pad(batch.baseOffset());
                records.add(batch.leaderEpoch() + ":" + batch.maxTimestamp());
            }
        } else if (effect instanceof PartitionEffect.Truncate cut) {
            records.subList((int) Math.min(cut.offset(), records.size()), records.size())
                    .clear();
        } else if (effect instanceof PartitionEffect.TruncateFully cut) {
            records.clear();
            pad(cut.offset());
        }
    }

    private void pad(long end) {
        while (records.size() < end) {
            records.add("-1:0");
        }
    }

    @Override
    public Map<String, Object> expected(State next) {
        Map<String, Object> all = new ReplicaVariables(next, broker).specified();
        all.put("acked", acked(next));
        all.put("alterPartition", alterPartition(next));
        for (Message message : messages) {
            Object said = message.specified().apply(next);
            if (said != null) {
                all.put(message.name(), said);
            }
        }
        return all;
    }

    /** Whose answer leaves in this step. One with acks=1 that waits for the disk has left the core: the gate holds it. */
    private Set<Long> acked(State next) {
        Set<Long> offsets = new TreeSet<>();
        Set<Val> held = new HashSet<>();
        for (Val ack : state.get("pendingAcks", broker).list()) {
            if (ack.at("acks").text().equals("1")) {
                held.add(ack.at("entry"));
            }
        }
        for (Val ack : state.get("pendingAcks", broker).list()) {
            if (ack.at("acks").text().equals("all")
                    && !next.get("pendingAcks", broker).list().contains(ack)) {
                held.remove(ack.at("entry"));
            }
        }
        for (Val entry : next.get("acked").list()) {
            if (!state.get("acked").list().contains(entry) && !held.contains(entry)) {
                offsets.add((long) entry.at("offset").integer());
            }
        }
        return offsets;
    }

    private List<String> alterPartition(State next) {
        var before = new ReplicaVariables(state, broker);
        var after = new ReplicaVariables(next, broker);
        var pending = after.pending();
        if (before.pending() != null && pending == null) {
            return List.of("abandons");
        }
        return before.pending() == null && pending != null
                ? List.of("sends " + pending + " of " + after.part().at("leaderEpoch") + "/" + after.partitionEpoch())
                : List.of();
    }
}
