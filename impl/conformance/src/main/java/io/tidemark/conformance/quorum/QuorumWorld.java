package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Change;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.quorum.QuorumInput;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The code in the place of module Quorum, for voters that stay the same and logs without snapshots: the network, the disks and
 * the faults. What comes of a step of a core is {@link QuorumAftermath}'s.
 */
public final class QuorumWorld implements CoreWorld<QuorumStart.Cores> {
    private static final List<String> VARIABLES = List.of(
            "currentEpoch",
            "votedKey",
            "leaderId",
            "durable",
            "role",
            "grants",
            "rejects",
            "fetchedFromLeader",
            "voterFetch",
            "fetchingSnapshot",
            "hw",
            "log",
            "logStart",
            "flushed",
            "dirId",
            "voteResp",
            "fetchResp",
            "ghosts",
            "committed",
            "budget");

    /** Whom a timer or a decision of the node itself disturbs, by what bounds it. */
    private static final Map<String, String> BUDGETS = Map.of(
            "ElectionTimeout", "timeout",
            "FetchTimeout", "timeout",
            "CheckQuorumTimeout", "resign",
            "Resign", "resign",
            "AppendMetadata", "append");

    private static final Set<String> ABSENT =
            Set.of("CreateSnapshot", "HandleFetchSnapshot", "HandleFetchSnapshotResponse", "HandleChangeVoter");

    private final int fetchMax;
    private final QuorumStart.Cores anew;
    private final Supplier<QuorumStart.Cores> kept;
    private final Map<String, Adapter> adapters;
    private final IdentityHashMap<QuorumStart.Cores, Map<String, Adapter>> adaptersOf = new IdentityHashMap<>();

    /**
     * A world of these cores.
     *
     * @param kept cores that are kept while their process lives, anew at each call
     * @param fetchMax the model's FetchMax: how many records an answer to a fetch may carry
     */
    QuorumWorld(QuorumStart.Cores anew, Supplier<QuorumStart.Cores> kept, int fetchMax) {
        this.fetchMax = fetchMax;
        this.anew = anew;
        this.kept = kept;
        this.adapters = byName(anew);
    }

    private Map<String, Adapter> byName(QuorumStart.Cores cores) {
        return adaptersOf.computeIfAbsent(cores, of -> {
            Map<String, Adapter> all = new LinkedHashMap<>();
            QuorumAdapters.all(of).forEach(adapter -> all.put(adapter.instance(), adapter));
            return all;
        });
    }

    @Override
    public List<String> variables() {
        return VARIABLES;
    }

    @Override
    public QuorumStart.Cores anew() {
        return anew;
    }

    @Override
    public QuorumStart.Cores kept() {
        return kept.get();
    }

    @Override
    public Values observed(Values state, QuorumStart.Cores cores) {
        Change change = new Change(state);
        for (String node : Nodes.ALL) {
            if (Nodes.up(state, node)) {
                QuorumVariables.observe(change, node, QuorumTrial.standing(state, node, cores));
            }
        }
        return change.done();
    }

    @Override
    public List<Way<QuorumStart.Cores>> ways(Values state, Call call) {
        return switch (call.name()) {
            case "Crash" -> crashes(state, call.arg("v").text());
            case "RestartNode" -> restart(state, call.arg("v").text());
            case "WipeDisk" -> wipe(state, call.arg("v").text());
            case "LoseMessage" ->
                losses(state, call.arg("v").text(), call.arg("w").text());
            default -> steps(state, call);
        };
    }

    /** Those of the cores. */
    private List<Way<QuorumStart.Cores>> steps(Values state, Call call) {
        if (ABSENT.contains(call.name())) {
            return List.of();
        }
        Adapter adapter = adapters.get(call.name());
        if (adapter == null) {
            throw new IllegalArgumentException("no action " + call.name() + " in module Quorum");
        }
        List<Way<QuorumStart.Cores>> ways = new ArrayList<>();
        if (adapter instanceof QuorumRequest<?> request) {
            String from = request.sender(call);
            String to = request.receiver(call);
            for (boolean late : new boolean[] {false, true}) {
                if (request.trial(state, call, late) != null) {
                    ways.add(cores -> requested(state, call, from, to, late, cores));
                }
            }
        } else if (call.name().equals("PersistMetadata")) {
            String node = call.arg("v").text();
            int end = state.get("log", node).size();
            for (int n = state.get("flushed", node).integer() + 1; n <= end && Nodes.up(state, node); n++) {
                QuorumInput input = new QuorumInput.PersistMetadata(n);
                ways.add(cores ->
                        after(state, call, node, new QuorumTrial(state, node, cores).input(input), aftermath -> {}));
            }
        } else if (offered(state, call)) {
            ways.add(cores -> stepped(state, call, cores));
        }
        return ways;
    }

    /** Whether the request that the call hands over is live. */
    boolean asks(Values state, Call call) {
        QuorumRequest<?> request = (QuorumRequest<?>) Objects.requireNonNull(adapters.get(call.name()));
        return request.asGhost(state, request.sender(call), request.receiver(call)) != null;
    }

    /** Answers that are not on their way come to nobody. */
    private static boolean offered(State state, Call call) {
        return switch (call.name()) {
            case "HandleVoteResponse" ->
                answer(state, call.arg("v").text(), call.arg("c").text()) != null;
            case "HandleMetadataFetchResponse" ->
                !state.get("fetchResp", call.arg("f").text()).isNil();
            default -> true;
        };
    }

    private static @Nullable Val answer(State state, String from, String to) {
        for (Val answer : state.get("voteResp").list()) {
            if (answer.at("from").text().equals(from) && answer.at("to").text().equals(to)) {
                return answer;
            }
        }
        return null;
    }

    private @Nullable Values stepped(Values state, Call call, QuorumStart.Cores cores) {
        Adapter adapter = byName(cores).get(call.name());
        Trial trial = adapter == null ? null : adapter.trial(state, call);
        if (trial == null) {
            return null;
        }
        String node = switch (call.name()) {
            case "HandleVoteResponse" -> call.arg("c").text();
            case "HandleMetadataFetchResponse" -> call.arg("f").text();
            case "CheckQuorumTimeout", "Resign", "AppendMetadata" ->
                call.arg("l").text();
            default -> call.arg("v").text();
        };
        return after(state, call, node, (QuorumTrial) trial, aftermath -> {
            switch (call.name()) {
                case "HandleVoteResponse" ->
                    aftermath.taken(answer(state, call.arg("v").text(), node));
                case "HandleMetadataFetchResponse" -> aftermath.fetched();
                default -> {}
            }
            String budget = BUDGETS.get(call.name());
            if (budget != null) {
                aftermath.change().spend(budget);
            }
        });
    }

    private @Nullable Values requested(
            Values state, Call call, String from, String to, boolean late, QuorumStart.Cores cores) {
        QuorumRequest<?> request = (QuorumRequest<?>) byName(cores).get(call.name());
        QuorumTrial trial = request == null ? null : request.trial(state, call, late);
        return trial == null
                ? null
                : after(state, call, to, trial, aftermath -> aftermath.request(from, late, this::teaches));
    }

    /** What the environment does beside the core's step. */
    private interface Beside {
        void of(QuorumAftermath aftermath);
    }

    private @Nullable Values after(Values state, Call call, String node, QuorumTrial trial, Beside beside) {
        QuorumAftermath aftermath = new QuorumAftermath(state, call.name(), node, fetchMax);
        if (!aftermath.step(trial)) {
            return null;
        }
        beside.of(aftermath);
        return aftermath.done();
    }

    /** Whether the answer that {@code change} has on its way changes anything at the node that takes it. */
    private boolean teaches(Values change, Call call, String node) {
        Values next = stepped(change, call, anew());
        return next != null
                && QuorumVariables.OWN.stream()
                        .anyMatch(variable -> !next.get(variable, node).equals(change.get(variable, node)));
    }

    // ---- faults

    private static List<Way<QuorumStart.Cores>> crashes(Values state, String node) {
        List<Way<QuorumStart.Cores>> ways = new ArrayList<>();
        if (!Nodes.up(state, node) || state.get("budget", "crash").integer() == 0) {
            return ways;
        }
        List<Val> log = state.get("log", node).list();
        Set<Val> disks = new LinkedHashSet<>(List.of(state.get("durable", node), QuorumAftermath.ballot(state, node)));
        for (int k = state.get("flushed", node).integer(); k <= log.size(); k++) {
            int end = k;
            for (Val disk : disks) {
                ways.add(cores -> {
                    cores.gone(node);
                    Change change = new Change(state);
                    change.spend("crash");
                    down(change, node, disk);
                    change.put("log", node, Val.sequence(log.subList(0, end)));
                    change.put("flushed", node, Val.of(end));
                    change.put("hw", node, state.get("logStart", node));
                    QuorumAftermath.abandon(change, node);
                    return change.done();
                });
            }
        }
        return ways;
    }

    private static void down(Change change, String node, Val disk) {
        change.put("durable", node, disk);
        change.put("currentEpoch", node, disk.at("epoch"));
        change.put("votedKey", node, disk.at("voted"));
        change.put("leaderId", node, disk.at("leader"));
        change.put("role", node, Val.of("Down"));
        change.put("grants", node, Val.set(List.of()));
        change.put("rejects", node, Val.set(List.of()));
        change.put("fetchedFromLeader", node, Val.of(false));
        change.put("voterFetch", node, QuorumVariables.noFetch());
        change.put("fetchingSnapshot", node, Val.nil());
    }

    private static List<Way<QuorumStart.Cores>> restart(Values state, String node) {
        return Nodes.up(state, node)
                ? List.of()
                : List.of(cores -> {
                    Change change = new Change(state);
                    QuorumVariables.observe(change, node, QuorumTrial.restarted(state, node, cores));
                    change.put("durable", node, QuorumAftermath.ballot(change, node));
                    return change.done();
                });
    }

    private static List<Way<QuorumStart.Cores>> wipe(Values state, String node) {
        return Nodes.up(state, node) || state.get("budget", "wipe").integer() == 0
                ? List.of()
                : List.of(cores -> {
                    Change change = new Change(state);
                    change.spend("wipe");
                    down(change, node, QuorumAftermath.ballot(Val.of(0), Val.nil(), Val.nil()));
                    change.put("log", node, Val.sequence(List.of()));
                    for (String offset : List.of("flushed", "logStart", "hw")) {
                        change.put(offset, node, Val.of(0));
                    }
                    change.put("dirId", node, Val.of(state.get("dirId", node).integer() + 1));
                    return change.done();
                });
    }

    /** An answer from one to the other is lost, or a copy of a request is held up. */
    private List<Way<QuorumStart.Cores>> losses(Values state, String from, String to) {
        List<Way<QuorumStart.Cores>> ways = new ArrayList<>();
        if (state.get("budget", "lose").integer() != 0) {
            Val vote = answer(state, from, to);
            if (vote != null) {
                ways.add(cores -> lost(
                        state,
                        change -> change.put("voteResp", state.get("voteResp").without(vote::equals))));
            }
            Val fetched = state.get("fetchResp", to);
            if (!fetched.isNil() && fetched.at("from").text().equals(from)) {
                ways.add(cores -> lost(state, change -> change.put("fetchResp", to, Val.nil())));
            }
        }
        if (state.get("budget", "ghost").integer() != 0 && state.get("ghosts").size() == 0) {
            for (String action : List.of("HandleVoteRequest", "HandleMetadataFetch", "HandleBeginQuorumEpoch")) {
                Val ghost = ((QuorumRequest<?>) Objects.requireNonNull(adapters.get(action))).asGhost(state, from, to);
                if (ghost != null) {
                    ways.add(cores -> {
                        Change change = new Change(state);
                        change.spend("ghost");
                        change.put("ghosts", Val.set(List.of(ghost)));
                        change.put("durable", from, QuorumAftermath.ballot(state, from));
                        return change.done();
                    });
                }
            }
        }
        return ways;
    }

    private static Values lost(Values state, Consumer<Change> loss) {
        Change change = new Change(state);
        change.spend("lose");
        loss.accept(change);
        return change.done();
    }
}
