package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Called;
import io.tidemark.conformance.world.Change;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a step of one replica of the quorum leaves behind: its own variables, as its view shows them, and what its effects do to
 * disk and network.
 *
 * <p>quorum-state is on disk as soon as anything that rests on it can be seen: a crash before that is as if the input had not
 * come. A new leader alone writes to its log before.
 */
final class QuorumAftermath {
    /** Whether an answer changes anything at the node that takes it. */
    interface Teaches {
        boolean teaches(Values state, Call call, String node);
    }

    private final Values before;
    private final String action;
    private final String node;
    private final int fetchMax;
    private final Change change;
    private List<QuorumEffect> effects = List.of();
    private boolean refused;

    QuorumAftermath(Values before, String action, String node, int fetchMax) {
        this.before = before;
        this.action = action;
        this.node = node;
        this.fetchMax = fetchMax;
        this.change = new Change(before);
    }

    Change change() {
        return change;
    }

    /**
     * Takes the step.
     *
     * @return false where there is no such step: the replica stops, since its peers have broken what the protocol promises, or
     *     tells what quorum-state does not keep yet
     */
    boolean step(QuorumTrial trial) {
        Step<QuorumEffect> step;
        try {
            step = trial.step();
        } catch (IllegalStateException e) {
            return false;
        }
        effects = step.effects();
        if (effects.stream().anyMatch(QuorumAftermath::outrunsQuorumState)) {
            return false;
        }
        QuorumView view = trial.view();
        boolean ready = view.leaderReady();
        QuorumVariables.observe(change, node, view);
        effects.forEach(effect -> write(effect, ready));
        durable();
        if (has(QuorumEffect.AbandonAll.class) && has(QuorumEffect.RoleChanged.class)) {
            abandon(change, node);
        }
        refused = !change.changes(QuorumVariables.OWN, node);
        if (view.role() == QuorumRole.LEADER) {
            commit();
        }
        return true;
    }

    /**
     * Of its own epoch and leader it tells by requests, and by answers to them, when they are on disk: DurableSent, DurableBoth.
     * Votes are {@link #toldTooEarly}'s.
     */
    private static boolean outrunsQuorumState(QuorumEffect effect) {
        Requires requires = Requires.QUORUM_STATE;
        if (effect instanceof QuorumEffect.Send send) {
            requires = send.requires();
        } else if (effect instanceof QuorumEffect.ReplyFetch reply) {
            requires = reply.requires();
        } else if (effect instanceof QuorumEffect.Reply reply && !(reply.response() instanceof VoteResult)) {
            requires = reply.requires();
        }
        return !(requires instanceof Requires.QuorumState || requires instanceof Requires.QuorumStateAndFlushed);
    }

    private boolean has(Class<? extends QuorumEffect> type) {
        return effects.stream().anyMatch(type::isInstance);
    }

    /** The answers to it, and what was on its way to it. */
    static void abandon(Change change, String node) {
        change.put(
                "voteResp",
                change.get("voteResp").without(answer -> answer.at("to").text().equals(node)));
        change.put("fetchResp", node, Val.nil());
    }

    // ---- disk

    private void write(QuorumEffect effect, boolean ready) {
        List<Val> log = new ArrayList<>(change.get("log", node).list());
        if (effect instanceof QuorumEffect.AppendControl control) {
            control.records().forEach(record -> log.add(record(control.epoch(), "leader", 0, 0)));
        } else if (effect instanceof QuorumEffect.AppendRecords records) {
            int id = before.get("budget", "append").integer();
            for (int i = 0; i < records.count(); i++) {
                log.add(record(records.epoch(), "data", id, seen(records.epoch(), ready)));
            }
        } else if (effect instanceof QuorumEffect.AppendFetched fetched) {
            List<Val> answered = before.get("fetchResp", node).at("records").list();
            int asked = before.get("log", node).size();
            fetched.batches()
                    .forEach(batch -> log.add(answered.get((int) batch.header().baseOffset() - asked)));
        } else if (effect instanceof QuorumEffect.Truncate cut) {
            log.subList((int) Math.min(cut.offset(), log.size()), log.size()).clear();
        } else {
            return;
        }
        change.put("log", node, Val.sequence(log));
    }

    private static Val record(int epoch, String kind, int id, int seen) {
        return Val.function(Map.of(
                "epoch", Val.of(epoch),
                "kind", Val.of(kind),
                "id", Val.of(id),
                "seen", Val.of(seen),
                "voters", Val.set(List.of())));
    }

    /** What a controller has taken into account that is active once its leader is ready, and then decides alone. */
    private int seen(int epoch, boolean ready) {
        int hw = before.get("hw", node).integer();
        int seen = 0;
        List<Val> log = before.get("log", node).list();
        for (int offset = 0; offset < log.size(); offset++) {
            boolean data = log.get(offset).at("kind").text().equals("data");
            boolean own = log.get(offset).at("epoch").integer() == epoch;
            seen += data && (ready || offset < hw || own) ? 1 : 0;
        }
        return seen;
    }

    private void durable() {
        boolean won = has(QuorumEffect.AppendControl.class);
        boolean mayCrash = before.get("budget", "crash").integer() != 0;
        boolean ofTheLogAlone = action.equals("AppendMetadata") || action.equals("PersistMetadata");
        if (ofTheLogAlone || (won && mayCrash) || toldTooEarly()) {
            return;
        }
        change.put("durable", node, ballot(change, node));
    }

    /** A vote that leaves before it is on disk. */
    private boolean toldTooEarly() {
        return effects.stream()
                        .anyMatch(effect -> effect instanceof QuorumEffect.Reply reply
                                && reply.response() instanceof VoteResult
                                && reply.requires().equals(Requires.NOTHING))
                && change.changes(List.of("votedKey"), node);
    }

    /** What quorum-state says of the present. */
    static Val ballot(State state, String node) {
        return ballot(state.get("currentEpoch", node), state.get("votedKey", node), state.get("leaderId", node));
    }

    static Val ballot(Val epoch, Val voted, Val leader) {
        return Val.function(Map.of("epoch", epoch, "voted", voted, "leader", leader));
    }

    // ---- network

    /** The answer to its fetch is taken. */
    void fetched() {
        change.put("fetchResp", node, Val.nil());
        refused = false;
    }

    /** The vote answer is taken. */
    void taken(@Nullable Val answer) {
        Val vote = Objects.requireNonNull(answer);
        change.put("voteResp", change.get("voteResp").without(vote::equals));
        refused = false;
    }

    /** The step was that of a request: its answer is on its way, if it is no late copy and tells anything. */
    void request(String from, boolean late, Teaches teaches) {
        if (late) {
            change.put("ghosts", Val.set(List.of()));
        } else {
            change.put("durable", from, ballot(before, from));
            for (QuorumEffect effect : effects) {
                if (effect instanceof QuorumEffect.Reply reply && reply.response() instanceof VoteResult result) {
                    refused &= !voteAnswer(from, result, teaches);
                } else if (effect instanceof QuorumEffect.ReplyFetch reply) {
                    refused &= !fetchAnswer(from, reply, teaches);
                }
            }
        }
    }

    private boolean voteAnswer(String to, VoteResult result, Teaches teaches) {
        Val answer = Val.function(Map.of(
                "from", Val.of(node),
                "to", Val.of(to),
                "epoch", Val.of(result.epoch()),
                "leader", Nodes.name(result.leaderId()),
                "ok", Val.of(result.error() == ErrorCode.NONE),
                "granted", Val.of(result.granted())));
        Values told =
                change.done().with(Map.of("voteResp", change.get("voteResp").and(answer)));
        if (result.error() != ErrorCode.NONE
                && !teaches.teaches(told, Called.of("HandleVoteResponse", "c", to, "v", node), to)) {
            return false;
        }
        change.put("voteResp", told.get("voteResp"));
        return true;
    }

    private boolean fetchAnswer(String to, QuorumEffect.ReplyFetch reply, Teaches teaches) {
        MetadataFetchResult result = reply.response();
        boolean ok = result.error() == ErrorCode.NONE;
        boolean diverges = result.diverging() != null;
        int from = (int) reply.request().fetchOffset();
        List<Val> records = ok && !diverges
                ? change.get("log", node).list().subList(from, Math.min(from + fetchMax, (int) reply.upTo()))
                : List.of();
        Val end = result.diverging() == null
                ? Val.nil()
                : Val.function(Map.of(
                        "offset", Val.of((int) result.diverging().offset()),
                        "epoch", Val.of(result.diverging().epoch())));
        Val answer = Val.function(Map.of(
                "kind", Val.of("fetch"),
                "from", Val.of(node),
                "ok", Val.of(ok),
                "epoch", Val.of(result.epoch()),
                "leader", Nodes.name(result.leaderId()),
                "hw", change.get("hw", node),
                "end", end,
                "records", Val.sequence(records),
                "snapshot", Val.nil()));
        Values told =
                change.done().with(Map.of("fetchResp", change.get("fetchResp").with(to, answer)));
        if (records.isEmpty()
                && !diverges
                && !teaches.teaches(told, Called.of("HandleMetadataFetchResponse", "f", to), to)) {
            return false;
        }
        change.put("fetchResp", told.get("fetchResp"));
        return true;
    }

    // ---- history

    private void commit() {
        int hw = change.get("hw", node).integer();
        List<Val> committed = new ArrayList<>(change.get("committed").list());
        while (committed.size() < hw) {
            committed.add(Val.function(Map.of(
                    "rec", change.get("log", node).at(committed.size() + 1), "by", change.get("currentEpoch", node))));
        }
        change.put("committed", Val.sequence(committed));
    }

    /** The state after the step; null where the input was refused. */
    @Nullable
    Values done() {
        return refused ? null : change.done();
    }
}
