package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.QuorumView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One input to a replica of the quorum, which is started from what is on its disk and brought into its role by inputs: its
 * timers, the answers of the others, their fetches.
 */
final class QuorumTrial implements Trial {
    /** No answer. */
    static final String NONE = "-";

    static final ReplyToken TOKEN = new ReplyToken() {};

    private record Message(
            Function<SpecState, @Nullable Object> specified, Function<QuorumEffect, @Nullable Object> sent) {}

    private final SpecState state;
    private final String node;
    private final QuorumCore core;
    private @Nullable QuorumInput input;
    private @Nullable Message message;
    /** What the code answers though it tells nothing new: in the specification there is no such answer. */
    private @Nullable Object noNews;

    QuorumTrial(SpecState state, String node, Guards guards) {
        this.state = state;
        this.node = node;
        Val log = state.get("log", node);
        String role = role();
        int end = role.equals("LEADER") ? epochStart() : log.size();
        // Who leads was a candidate that had voted for itself.
        boolean nominee = role.equals("LEADER") || role.equals("CANDIDATE");
        QuorumStateData restored = new QuorumStateData(
                epoch(),
                Nodes.keyOrNone(state.get("votedKey", node)),
                nominee ? QuorumStateData.NO_LEADER : Nodes.idOrNone(state.get("leaderId", node)));
        int flushed = Math.min(end, state.get("flushed", node).integer());
        int hw = Math.min(end, state.get("hw", node).integer());
        core = new QuorumCore(
                new QuorumConfig(
                        Nodes.CLUSTER,
                        Nodes.key(state, node),
                        Nodes.endpoints(Nodes.id(node)),
                        true,
                        Nodes.voters(),
                        guards),
                restored,
                new LogState(0, end, flushed, hw, starts(log.list().subList(0, end)), List.of()),
                new TreeMap<>());
        core.start();
        switch (role) {
            case "FOLLOWER" -> {
                if (state.get("fetchedFromLeader", node).bool()) {
                    hearsOfLeader();
                }
            }
            case "PROSPECTIVE" -> prospective();
            case "CANDIDATE" -> answers();
            case "LEADER" -> leads(log);
            case "UNATTACHED" -> {
                if (view().role() == QuorumRole.CANDIDATE) {
                    // It was a candidate in this epoch, asked again, and lost.
                    core.apply(new QuorumInput.ElectionTimeout());
                    Nodes.ALL.stream().filter(other -> !other.equals(node)).forEach(other -> answer(other, false));
                }
            }
            default -> {}
        }
    }

    private static List<EpochStart> starts(List<Val> log) {
        List<EpochStart> starts = new ArrayList<>();
        for (int offset = 0; offset < log.size(); offset++) {
            int epoch = log.get(offset).at("epoch").integer();
            if (starts.isEmpty() || epoch > starts.get(starts.size() - 1).epoch()) {
                starts.add(new EpochStart(epoch, offset));
            }
        }
        return starts;
    }

    private QuorumView view() {
        return core.view();
    }

    QuorumCore core() {
        return core;
    }

    private int epoch() {
        return state.get("currentEpoch", node).integer();
    }

    private String role() {
        return state.get("role", node).text().toUpperCase(Locale.ROOT);
    }

    private int epochStart() {
        List<Val> log = state.get("log", node).list();
        for (int offset = 0; offset < log.size(); offset++) {
            if (log.get(offset).at("epoch").integer() == epoch()) {
                return offset;
            }
        }
        throw new IllegalStateException(node + " leads an epoch without its LeaderChange");
    }

    private void hearsOfLeader() {
        core.apply(new QuorumInput.HandleMetadataFetchResponse(
                view().leaderId(),
                liveFetch(),
                fetchResult(ErrorCode.NONE, view().leaderId(), view().hw(), null),
                List.of()));
    }

    MetadataFetchResult fetchResult(ErrorCode error, int leader, long hw, @Nullable OffsetAndEpoch diverging) {
        return new MetadataFetchResult(
                error, epoch(), leader, Nodes.endpoints(leader), hw, 0, diverging, null, RecordBytes.EMPTY);
    }

    /** What it asks now, as a function of its state. */
    MetadataFetch liveFetch() {
        return new MetadataFetch(
                Nodes.CLUSTER,
                Nodes.key(state, node),
                view().currentEpoch(),
                view().log().endOffset(),
                Math.max(0, view().log().lastEpoch()),
                view().hw(),
                500);
    }

    Vote liveVote(String of) {
        return new Vote(
                Nodes.CLUSTER,
                view().currentEpoch(),
                Nodes.key(state, node),
                Objects.requireNonNull(view().voters().voters().get(Nodes.id(of)))
                        .key(),
                new OffsetAndEpoch(
                        view().log().endOffset(), Math.max(0, view().log().lastEpoch())),
                view().role() == QuorumRole.PROSPECTIVE);
    }

    private void prospective() {
        core.apply(
                view().role() == QuorumRole.FOLLOWER
                        ? new QuorumInput.FetchTimeout()
                        : new QuorumInput.ElectionTimeout());
        answers();
    }

    private void answers() {
        for (String other : Nodes.ALL) {
            if (!other.equals(node) && state.get("grants", node).has(other)) {
                answer(other, true);
            } else if (state.get("rejects", node).has(other)) {
                answer(other, false);
            }
        }
    }

    private void answer(String from, boolean granted) {
        Vote asked = liveVote(from);
        core.apply(new QuorumInput.HandleVoteResponse(
                Nodes.id(from),
                asked,
                new VoteResult(
                        ErrorCode.NONE,
                        asked.epoch(),
                        QuorumStateData.NO_LEADER,
                        List.of(),
                        granted,
                        asked.preVote())));
    }

    /** Elected by all; its records, what of it is on disk, then what the others fetched: to its high watermark, then as told. */
    private void leads(Val log) {
        for (String other : Nodes.ALL) {
            if (!other.equals(node) && view().role() == QuorumRole.CANDIDATE) {
                answer(other, true);
            }
        }
        int start = epochStart();
        int hw = state.get("hw", node).integer();
        int flushed = state.get("flushed", node).integer();
        if (hw > start) {
            core.apply(new QuorumInput.PersistMetadata(Math.min(flushed, start + 1L)));
            fetches(start + 1L);
        }
        for (int offset = start + 1; offset < log.size(); offset++) {
            core.apply(new QuorumInput.AppendMetadata(epoch(), offset, 1, RecordBytes.EMPTY));
        }
        core.apply(new QuorumInput.PersistMetadata(flushed));
        if (hw > start) {
            fetches(hw);
        }
        for (String other : Nodes.ALL) {
            int fetched = state.get("voterFetch", node).at(other).integer();
            if (!other.equals(node) && fetched >= 0) {
                fetch(other, fetched);
            }
        }
    }

    private void fetches(long offset) {
        for (String other : Nodes.ALL) {
            if (!other.equals(node) && state.get("voterFetch", node).at(other).integer() >= 0) {
                fetch(other, offset);
            }
        }
    }

    private void fetch(String from, long offset) {
        core.apply(new QuorumInput.HandleMetadataFetch(
                new MetadataFetch(
                        Nodes.CLUSTER,
                        Objects.requireNonNull(view().voters().voters().get(Nodes.id(from)))
                                .key(),
                        epoch(),
                        offset,
                        Math.max(0, view().log().epochAt(offset - 1)),
                        0,
                        500),
                TOKEN));
    }

    QuorumTrial input(QuorumInput given) {
        input = given;
        return this;
    }

    QuorumTrial message(
            Function<SpecState, @Nullable Object> specified, Function<QuorumEffect, @Nullable Object> sent) {
        message = new Message(specified, sent);
        return this;
    }

    @Override
    public Map<String, Object> expectedBefore() {
        return specified(state);
    }

    @Override
    public Map<String, Object> before() {
        return shown();
    }

    @Override
    public Outcome apply() {
        Step<QuorumEffect> step = core.apply(Objects.requireNonNull(input));
        Map<String, Object> all = shown();
        for (QuorumEffect effect : step.effects()) {
            Object said = message == null ? null : message.sent().apply(effect);
            if (said != null) {
                all.put("answer", said);
                noNews = tellsNothing(effect) ? said : null;
            }
        }
        return new Outcome(step.action(), all);
    }

    @Override
    public Map<String, Object> expected(SpecState next) {
        Map<String, Object> all = specified(next);
        Object said = message == null ? null : message.specified().apply(next);
        if (said != null) {
            all.put("answer", said.equals(NONE) && noNews != null ? noNews : said);
        }
        return all;
    }

    private static boolean tellsNothing(QuorumEffect effect) {
        return effect instanceof QuorumEffect.ReplyFetch reply
                && (reply.response().error() != ErrorCode.NONE
                        || (!reply.news() && reply.upTo() == reply.request().fetchOffset()));
    }

    private Map<String, Object> specified(SpecState at) {
        Map<String, Object> all = new LinkedHashMap<>();
        String role = at.get("role", node).text().toUpperCase(Locale.ROOT);
        Val log = at.get("log", node);
        all.put("currentEpoch", at.get("currentEpoch", node).integer());
        all.put("votedKey", String.valueOf(Nodes.keyOrNone(at.get("votedKey", node))));
        all.put("leaderId", Nodes.idOrNone(at.get("leaderId", node)));
        all.put("role", role);
        all.put("log", starts(log.list()));
        all.put("logEnd", (long) log.size());
        all.put("flushed", (long) at.get("flushed", node).integer());
        all.put("hw", (long) at.get("hw", node).integer());
        TreeSet<Integer> grants = new TreeSet<>();
        at.get("grants", node).list().forEach(grant -> grants.add(Nodes.id(grant.text())));
        all.put("grants", grants);
        Map<Integer, Long> fetched = new TreeMap<>();
        if (role.equals("LEADER")) {
            for (String other : Nodes.ALL) {
                String of = other.equals(node) ? "flushed" : "voterFetch";
                Val offset = at.get(of, node);
                fetched.put(Nodes.id(other), (long) (other.equals(node) ? offset : offset.at(other)).integer());
            }
        }
        all.put("voterFetch", fetched);
        return all;
    }

    private Map<String, Object> shown() {
        Map<String, Object> all = new LinkedHashMap<>();
        QuorumView view = view();
        all.put("currentEpoch", view.currentEpoch());
        all.put("votedKey", String.valueOf(view.votedKey()));
        all.put("leaderId", view.leaderId());
        all.put("role", view.role().name());
        all.put("log", view.log().starts());
        all.put("logEnd", view.log().endOffset());
        all.put("flushed", view.flushed());
        all.put("hw", view.hw());
        all.put("grants", view.grants());
        all.put("voterFetch", view.voterFetch());
        return all;
    }
}
