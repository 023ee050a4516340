package io.tidemark.runtime.trace;

import static io.tidemark.runtime.trace.PartitionTrace.object;

import io.tidemark.core.Step;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One replica of the quorum: its variables, and what its inputs say. */
final class QuorumTrace {
    private final LogChange log = new LogChange();
    private final Known known = new Known();

    /** What the step changed; everything at the first call. */
    Map<String, @Nullable Object> changes(QuorumView view) {
        Map<String, @Nullable Object> now = new LinkedHashMap<>();
        ReplicaKey voted = view.votedKey();
        now.put("currentEpoch", view.currentEpoch());
        now.put("votedKey", voted == null ? null : key(voted));
        now.put("leaderId", view.leaderId());
        now.put("role", view.role());
        now.put("logStart", view.logStart());
        now.put("flushed", view.flushed());
        now.put("hw", view.hw());
        now.put("grants", new ArrayList<>(view.grants()));
        now.put("rejects", new ArrayList<>(view.rejects()));
        now.put("fetchedFromLeader", view.fetchedFromLeader());
        now.put("voterFetch", new TreeMap<>(view.voterFetch()));
        now.put("dirId", view.dirId());
        now.put("voters", voters(view.voters()));
        Map<String, @Nullable Object> changed = known.changes(now);
        Map<String, @Nullable Object> logChange =
                log.next(view.log().starts(), view.logStart(), view.log().endOffset());
        if (logChange != null) {
            changed.put("log", logChange);
        }
        return changed;
    }

    private static Map<Integer, UUID> voters(VoterSet voters) {
        Map<Integer, UUID> keys = new TreeMap<>();
        voters.voters().forEach((id, voter) -> keys.put(id, voter.key().directoryId()));
        return keys;
    }

    private static Map<String, @Nullable Object> key(ReplicaKey key) {
        return object("id", key.id(), "directory", key.directoryId());
    }

    /** Whether the step is told even where it has taken no action and changed nothing: others may have heard of it. */
    static boolean answers(QuorumInput input, Step<QuorumEffect> step) {
        if (input instanceof QuorumInput.MetadataRead) {
            return step.effects().stream()
                    .anyMatch(effect -> effect instanceof QuorumEffect.ReplyFetch reply
                            && (reply.news() || reply.request().fetchOffset() < reply.upTo()));
        }
        return input instanceof QuorumInput.HandleVoteRequest || input instanceof QuorumInput.HandleMetadataFetch;
    }

    /** What the input says, and what is answered. */
    static Map<String, @Nullable Object> args(QuorumInput input, Step<QuorumEffect> step) {
        Map<String, @Nullable Object> args = new LinkedHashMap<>();
        if (input instanceof QuorumInput.HandleVoteRequest in) {
            args.putAll(asked(in.request()));
            args.put("answer", voteAnswer(step));
        } else if (input instanceof QuorumInput.HandleVoteResponse in) {
            args.put("from", in.from());
            args.put("asked", asked(in.asked()));
            args.put("answer", answer(in.result()));
        } else if (input instanceof QuorumInput.HandleBeginQuorumEpoch in) {
            args.put("from", in.request().leaderId());
            args.put("epoch", in.request().epoch());
        } else if (input instanceof QuorumInput.HandleEndQuorumEpoch in) {
            args.put("from", in.request().leaderId());
            args.put("epoch", in.request().epoch());
        } else if (input instanceof QuorumInput.AppendMetadata in) {
            args.put("records", in.count());
        } else if (input instanceof QuorumInput.HandleMetadataFetch in) {
            args.putAll(asked(in.request()));
            args.put("answer", fetchAnswer(step));
        } else if (input instanceof QuorumInput.MetadataRead in) {
            args.putAll(asked(in.request()));
            args.put("answer", fetchAnswer(step));
        } else if (input instanceof QuorumInput.HandleMetadataFetchResponse in) {
            args.put("asked", asked(in.asked()));
            args.put("answer", answer(in.result()));
            args.put("records", records(in.batches()));
        }
        return args;
    }

    private static Map<String, @Nullable Object> asked(QuorumMessage.Vote vote) {
        return object(
                "from", vote.candidate().id(),
                "epoch", vote.epoch(),
                "candidate", vote.candidate().directoryId(),
                "voter", vote.voter().directoryId(),
                "offset", vote.lastLog().offset(),
                "lastEpoch", vote.lastLog().epoch(),
                "pre", vote.preVote());
    }

    private static @Nullable Map<String, @Nullable Object> voteAnswer(Step<QuorumEffect> step) {
        for (QuorumEffect effect : step.effects()) {
            if (effect instanceof QuorumEffect.Reply reply
                    && reply.response() instanceof QuorumMessage.VoteResult result) {
                return answer(result);
            }
        }
        return null;
    }

    private static Map<String, @Nullable Object> answer(QuorumMessage.VoteResult result) {
        return object(
                "error", result.error(),
                "epoch", result.epoch(),
                "leader", result.leaderId(),
                "granted", result.granted());
    }

    private static Map<String, @Nullable Object> asked(QuorumMessage.MetadataFetch fetch) {
        return object(
                "from", fetch.replica().id(),
                "epoch", fetch.epoch(),
                "directory", fetch.replica().directoryId(),
                "offset", fetch.fetchOffset(),
                "lastEpoch", fetch.lastFetchedEpoch(),
                "hw", fetch.hw());
    }

    private static @Nullable Map<String, @Nullable Object> fetchAnswer(Step<QuorumEffect> step) {
        for (QuorumEffect effect : step.effects()) {
            if (effect instanceof QuorumEffect.ReplyFetch reply) {
                Map<String, @Nullable Object> told = answer(reply.response());
                told.put("upTo", reply.upTo());
                return told;
            }
        }
        return null;
    }

    private static Map<String, @Nullable Object> answer(QuorumMessage.MetadataFetchResult result) {
        OffsetAndEpoch end = result.diverging();
        return object(
                "error",
                result.error(),
                "epoch",
                result.epoch(),
                "leader",
                result.leaderId(),
                "hw",
                result.hw(),
                "diverging",
                end == null ? null : object("epoch", end.epoch(), "offset", end.offset()));
    }

    private static List<List<Long>> records(List<MetadataBatch> batches) {
        List<List<Long>> runs = new ArrayList<>();
        for (MetadataBatch batch : batches) {
            runs.add(List.of(
                    (long) batch.header().leaderEpoch(), (long) batch.header().count()));
        }
        return runs;
    }
}
