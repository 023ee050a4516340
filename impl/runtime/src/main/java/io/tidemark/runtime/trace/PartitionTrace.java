package io.tidemark.runtime.trace;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** One replica: its variables, and what its inputs say. */
final class PartitionTrace {
    private final LogChange log = new LogChange();
    private final Known known = new Known();
    /** Whose fetch may be read again later. */
    private final Map<ReplyToken, PartitionInput.HandleFetch> fetches = new WeakHashMap<>();

    /** What the step changed; everything at the first call. */
    Map<String, @Nullable Object> changes(PartitionView view) {
        Map<String, @Nullable Object> now = new LinkedHashMap<>();
        PartitionRegistration part = view.part();
        now.put("applied", view.applied());
        now.put("logStart", view.logStart());
        now.put("flushed", view.flushed());
        now.put("hw", view.hw());
        now.put("leader", part == null ? null : part.leader());
        now.put("leaderEpoch", part == null ? null : part.leaderEpoch());
        now.put("partitionEpoch", part == null ? null : part.partitionEpoch());
        now.put("minIsr", view.minIsr());
        now.put("reg", registrations(view));
        boolean leads = view.isrState() != null;
        now.put("epochStart", leads ? view.epochStart() : null);
        now.put("follower", leads ? followers(view) : null);
        now.put("isrState", isrState(view));
        now.put("pendingAcks", new ArrayList<>(new java.util.TreeSet<>(view.pendingAcks())));
        Map<String, @Nullable Object> changed = known.changes(now);
        Map<String, @Nullable Object> logChange = log.next(view.log(), view.logStart(), view.logEnd());
        if (logChange != null) {
            changed.put("log", logChange);
        }
        return changed;
    }

    private static Map<Integer, Object> registrations(PartitionView view) {
        Map<Integer, Object> all = new TreeMap<>();
        view.reg().forEach((id, broker) -> all.put(id, object("epoch", broker.epoch(), "active", broker.active())));
        return all;
    }

    private static Map<Integer, Object> followers(PartitionView view) {
        Map<Integer, Object> all = new TreeMap<>();
        view.follower()
                .forEach((id, at) -> all.put(
                        id,
                        object(
                                "offset", at.offset(),
                                "brokerEpoch", at.brokerEpoch(),
                                "caughtUp", at.caughtUp())));
        return all;
    }

    private static @Nullable Map<String, @Nullable Object> isrState(PartitionView view) {
        IsrState state = view.isrState();
        if (state == null) {
            return null;
        }
        AlterPartitionAsked asked = state.asked();
        return object("isr", state.isr(), "pending", asked == null ? null : members(asked));
    }

    private static Map<Integer, Long> members(AlterPartitionAsked asked) {
        Map<Integer, Long> members = new TreeMap<>();
        asked.newIsr().forEach(member -> members.put(member.brokerId(), member.brokerEpoch()));
        return members;
    }

    static Map<String, @Nullable Object> asked(AlterPartitionAsked asked) {
        return object(
                "leaderEpoch", asked.leaderEpoch(),
                "partitionEpoch", asked.partitionEpoch(),
                "isr", members(asked));
    }

    /** What the input says, and of an answer what it says. */
    Map<String, @Nullable Object> args(PartitionView view, PartitionInput input, Step<PartitionEffect> step) {
        Map<String, @Nullable Object> args = new LinkedHashMap<>();
        if (input instanceof PartitionInput.HandleProduce in) {
            args.put("acks", in.acks());
            args.put("records", in.batch().count());
            args.put("duplicateOf", duplicate(view, in.batch(), step));
        } else if (input instanceof PartitionInput.HandleFetch in) {
            fetches.put(in.token(), in);
            args.put("from", in.replicaId());
            args.put("brokerEpoch", in.brokerEpoch());
            args.putAll(request(in.currentLeaderEpoch(), in.fetchOffset(), in.lastFetchedEpoch()));
            args.put("answer", answer(step));
        } else if (input instanceof PartitionInput.FollowerRead in) {
            PartitionInput.HandleFetch first = fetches.get(in.token());
            args.put("from", first == null ? -1 : first.replicaId());
            args.put("brokerEpoch", first == null ? -1 : first.brokerEpoch());
            args.putAll(request(in.currentLeaderEpoch(), in.fetchOffset(), in.lastFetchedEpoch()));
            args.put("answer", answer(step));
        } else if (input instanceof PartitionInput.HandleFetchResponse in) {
            FetchAsked asked = in.asked();
            args.put("from", asked.leader());
            args.putAll(request(asked.leaderEpoch(), asked.offset(), asked.lastFetchedEpoch()));
            args.put("error", in.error());
            args.put("diverging", end(in.diverging()));
            args.put("hw", in.hw());
            args.put("logStart", in.logStart());
            args.put("records", records(in.batches()));
        } else if (input instanceof PartitionInput.ApplyFlushChange in) {
            args.put("messages", in.messages());
        } else if (input instanceof PartitionInput.ProposeExpandIsr in) {
            args.put("follower", in.follower());
        } else if (input instanceof PartitionInput.ReplicaLagTimeout in) {
            args.put("laggards", in.laggards());
        } else if (input instanceof PartitionInput.HandleAlterPartitionResponse in) {
            args.put("asked", asked(in.asked()));
            args.put("error", in.answer().error());
            args.put("leaderEpoch", in.answer().leaderEpoch());
            args.put("partitionEpoch", in.answer().partitionEpoch());
            args.put("isr", in.answer().isr());
            args.put("strayPossible", in.strayPossible());
        }
        return args;
    }

    private static Map<String, @Nullable Object> request(int leaderEpoch, long offset, int lastEpoch) {
        return object("leaderEpoch", leaderEpoch, "offset", offset, "lastEpoch", lastEpoch);
    }

    /** The last offset of the batch of which the producer's is a retry; null where it was appended. */
    private static @Nullable Long duplicate(PartitionView view, BatchHeader batch, Step<PartitionEffect> step) {
        if (step.effects().stream().anyMatch(effect -> effect instanceof PartitionEffect.Append)) {
            return null;
        }
        for (ProducerEntry entry : view.producers()) {
            for (ProducerEntry.Batch kept : entry.batches()) {
                if (entry.producerId() == batch.producerId() && kept.baseSequence() == batch.baseSequence()) {
                    return kept.lastOffset();
                }
            }
        }
        return -1L;
    }

    private static @Nullable Map<String, @Nullable Object> answer(Step<PartitionEffect> step) {
        for (PartitionEffect effect : step.effects()) {
            if (effect instanceof PartitionEffect.ReplyFetch reply) {
                FetchAnswer answer = reply.answer();
                return object(
                        "error", answer.error(),
                        "diverging", end(answer.diverging()),
                        "upTo", answer.upTo(),
                        "hw", answer.hw(),
                        "logStart", answer.logStart());
            }
        }
        return null;
    }

    private static @Nullable Map<String, @Nullable Object> end(@Nullable OffsetAndEpoch end) {
        return end == null ? null : object("epoch", end.epoch(), "offset", end.offset());
    }

    private static List<List<Long>> records(List<BatchHeader> batches) {
        List<List<Long>> runs = new ArrayList<>();
        for (BatchHeader batch : batches) {
            runs.add(List.of((long) batch.leaderEpoch(), (long) batch.count()));
        }
        return runs;
    }

    /** Names and values by turns. */
    static Map<String, @Nullable Object> object(@Nullable Object... pairs) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return all;
    }
}
