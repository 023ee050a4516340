package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.log.LogState;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Starts a replica of the quorum in a state of the specification: from what is on its disk, and brought into its role by
 * inputs, its timers, the answers of the others, their fetches.
 */
public final class QuorumStart {
    private static final List<String> OWN = List.of(
            "currentEpoch",
            "votedKey",
            "leaderId",
            "role",
            "log",
            "hw",
            "flushed",
            "grants",
            "rejects",
            "fetchedFromLeader",
            "voterFetch",
            "dirId");

    private final State state;
    private final String node;
    private final QuorumCore core;

    private QuorumStart(State state, String node, Guards guards) {
        this.state = state;
        this.node = node;
        Val log = state.get("log", node);
        QuorumRole role = QuorumVariables.role(state, node);
        int end = role == QuorumRole.LEADER ? epochStart() : log.size();
        // Who leads was a candidate that had voted for itself.
        boolean nominee = role == QuorumRole.LEADER || role == QuorumRole.CANDIDATE;
        QuorumStateData restored = new QuorumStateData(
                epoch(),
                Nodes.keyOrNone(state.get("votedKey", node)),
                nominee ? QuorumStateData.NO_LEADER : Nodes.idOrNone(state.get("leaderId", node)));
        int flushed = Math.min(end, state.get("flushed", node).integer());
        int hw = Math.min(end, state.get("hw", node).integer());
        core = new QuorumCore(
                config(state, node, guards),
                restored,
                new LogState(
                        0, end, flushed, hw, QuorumVariables.starts(log.list().subList(0, end)), List.of()),
                new TreeMap<>());
        core.start();
        switch (role) {
            case FOLLOWER -> {
                if (state.get("fetchedFromLeader", node).bool()) {
                    hearsOfLeader();
                }
            }
            case PROSPECTIVE -> prospective();
            case CANDIDATE -> answers();
            case LEADER -> leads(log);
            case UNATTACHED -> {
                if (core.view().role() == QuorumRole.CANDIDATE) {
                    // It was a candidate in this epoch, asked again, and lost.
                    core.apply(new QuorumInput.ElectionTimeout());
                    others().forEach(other -> answer(other, false));
                }
            }
            case RESIGNED -> {}
        }
    }

    /**
     * What came of an input.
     *
     * @param core to look at, as it is after the step
     */
    public record Stepped(Step<QuorumEffect> step, QuorumCore core) {}

    /** The cores that inputs are put to. */
    public interface Cores {
        /** Of a node that is up in the state. */
        QuorumCore of(State state, String node);

        Guards guards();

        /** Hands an input to a node that is up in the state. */
        Stepped step(State state, String node, QuorumInput input);

        /** The node starts from its disk. */
        default QuorumCore restarted(State state, String node) {
            return restored(state, node, guards());
        }

        /** Its process is gone. */
        default void gone(String node) {}
    }

    /** Each started anew in the state. */
    static Cores anew(Guards guards) {
        return new Cores() {
            @Override
            public QuorumCore of(State state, String node) {
                return new QuorumStart(state, node, guards).core;
            }

            @Override
            public Stepped step(State state, String node, QuorumInput input) {
                QuorumCore core = of(state, node);
                return new Stepped(core.apply(input), core);
            }

            @Override
            public Guards guards() {
                return guards;
            }
        };
    }

    /**
     * Each started anew in the state. A core is a pure function of what it is started from and of its input, so that what came
     * of both is remembered: a node's part of many states of the whole is the same.
     */
    static Cores remembered(Guards guards) {
        Cores anew = anew(guards);
        Map<List<Object>, QuorumCore> standing = new HashMap<>();
        Map<List<Object>, Stepped> stepped = new HashMap<>();
        return new Cores() {
            @Override
            public QuorumCore of(State state, String node) {
                return standing.computeIfAbsent(own(state, node), own -> anew.of(state, node));
            }

            @Override
            public Guards guards() {
                return guards;
            }

            @Override
            public Stepped step(State state, String node, QuorumInput input) {
                List<Object> own = own(state, node);
                own.add(input);
                return stepped.computeIfAbsent(own, asked -> anew.step(state, node, input));
            }
        };
    }

    /** What a node that is up is started from. */
    private static List<Object> own(State state, String node) {
        List<Object> own = new ArrayList<>(OWN.size() + 2);
        own.add(node);
        for (String variable : OWN) {
            own.add(state.get(variable, node));
        }
        return own;
    }

    /** Each started once, in the state in which it is asked for first, and kept until its process is gone. */
    static Cores kept(Guards guards) {
        return new Cores() {
            private final Map<String, QuorumCore> cores = new HashMap<>();

            @Override
            public QuorumCore of(State state, String node) {
                return cores.computeIfAbsent(node, name -> new QuorumStart(state, name, guards).core);
            }

            @Override
            public Guards guards() {
                return guards;
            }

            @Override
            public Stepped step(State state, String node, QuorumInput input) {
                QuorumCore core = of(state, node);
                return new Stepped(core.apply(input), core);
            }

            @Override
            public QuorumCore restarted(State state, String node) {
                QuorumCore core = restored(state, node, guards);
                cores.put(node, core);
                return core;
            }

            @Override
            public void gone(String node) {
                cores.remove(node);
            }
        };
    }

    /** From what is on its disk alone. */
    private static QuorumCore restored(State state, String node, Guards guards) {
        Val disk = state.get("durable", node);
        List<Val> log = state.get("log", node).list();
        QuorumCore core = new QuorumCore(
                config(state, node, guards),
                new QuorumStateData(
                        disk.at("epoch").integer(),
                        Nodes.keyOrNone(disk.at("voted")),
                        Nodes.idOrNone(disk.at("leader"))),
                new LogState(
                        0,
                        log.size(),
                        state.get("flushed", node).integer(),
                        state.get("hw", node).integer(),
                        QuorumVariables.starts(log),
                        List.of()),
                new TreeMap<>());
        core.start();
        return core;
    }

    private static QuorumConfig config(State state, String node, Guards guards) {
        return new QuorumConfig(
                Nodes.CLUSTER, Nodes.key(state, node), Nodes.endpoints(Nodes.id(node)), true, Nodes.voters(), guards);
    }

    private int epoch() {
        return state.get("currentEpoch", node).integer();
    }

    private List<String> others() {
        return Nodes.ALL.stream().filter(other -> !other.equals(node)).toList();
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
        int leader = core.view().leaderId();
        core.apply(new QuorumInput.HandleMetadataFetchResponse(
                leader,
                CurrentRequests.fetch(Nodes.key(state, node), core.view()),
                new MetadataFetchResult(
                        ErrorCode.NONE,
                        epoch(),
                        leader,
                        Nodes.endpoints(leader),
                        core.view().hw(),
                        0,
                        null,
                        null,
                        RecordBytes.EMPTY),
                List.of()));
    }

    private void prospective() {
        core.apply(
                core.view().role() == QuorumRole.FOLLOWER
                        ? new QuorumInput.FetchTimeout()
                        : new QuorumInput.ElectionTimeout());
        answers();
    }

    private void answers() {
        for (String other : others()) {
            if (state.get("grants", node).has(other)) {
                answer(other, true);
            } else if (state.get("rejects", node).has(other)) {
                answer(other, false);
            }
        }
    }

    private void answer(String from, boolean granted) {
        Vote asked = CurrentRequests.vote(Nodes.key(state, node), core.view(), from);
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
        for (String other : others()) {
            if (core.view().role() == QuorumRole.CANDIDATE) {
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
        others().forEach(other -> fetch(other, fetched(other)));
    }

    private void fetches(long offset) {
        others().stream().filter(other -> fetched(other) >= 0).forEach(other -> fetch(other, offset));
    }

    private int fetched(String other) {
        return state.get("voterFetch", node).at(other).integer();
    }

    private void fetch(String from, long offset) {
        if (offset < 0) {
            return;
        }
        core.apply(new QuorumInput.HandleMetadataFetch(
                new MetadataFetch(
                        Nodes.CLUSTER,
                        Nodes.voter(from),
                        epoch(),
                        offset,
                        Math.max(0, core.view().log().epochAt(offset - 1)),
                        0,
                        Nodes.WAIT_MS),
                QuorumTrial.TOKEN));
    }
}
