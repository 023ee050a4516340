package io.tidemark.core.quorum;

import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochLog;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordsRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Some replicas, the disks under them and a network between them, in memory. Every event is drawn from one seed: messages
 * are lost, doubled and overtaken, disks write late, replicas crash and come back with any prefix at or past what was
 * flushed. The invariants are checked after every step.
 */
final class QuorumWorld {
    /** Virtual time of one event of the kind phase, in which everything under way arrives. */
    static final int CALM_MS = 10;

    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String invariant) {
            super(invariant);
        }
    }

    record Entry(int epoch, long id, List<ControlRecord> control) {}

    record Entries(List<Entry> list) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return list.size();
        }
    }

    /** A request that is sent until it is answered, replaced or abandoned. */
    private static final class Live {
        final int to;
        final QuorumMessage.Request request;
        final Requires requires;
        final int stateSequence;

        Live(int to, QuorumMessage.Request request, Requires requires, int stateSequence) {
            this.to = to;
            this.request = request;
            this.requires = requires;
            this.stateSequence = stateSequence;
        }
    }

    private record Token(Node from, int incarnation, Live live, int answeredBy) implements ReplyToken {}

    private record Response(Token token, QuorumMessage.Response message, List<Entry> entries) {}

    private record Held(Response response, Requires requires, int stateSequence) {}

    private record Request(int to, Token token) {}

    /** One replica, its disk included. */
    final class Node {
        final QuorumConfig config;
        QuorumCore core;
        int incarnation;
        final List<Entry> log = new ArrayList<>();
        int onDisk;
        boolean flushDue;
        final List<QuorumStateData> states = new ArrayList<>(List.of(QuorumStateData.INITIAL));
        int stateOnDisk;
        final Map<String, Live> live = new LinkedHashMap<>();
        final List<Held> held = new ArrayList<>();
        final EnumMap<QuorumTimer, Long> timers = new EnumMap<>(QuorumTimer.class);
        long lastHw;
        int readyEpoch = -1;

        Node(QuorumConfig config) {
            this.config = config;
            this.core = restore(0);
        }

        QuorumView view() {
            return core.view();
        }

        int id() {
            return config.self().id();
        }

        private QuorumCore restore(long hw) {
            List<EpochStart> epochs = new ArrayList<>();
            TreeMap<Long, VoterSet> voters = new TreeMap<>();
            for (int i = 0; i < log.size(); i++) {
                if (epochs.isEmpty()
                        || epochs.get(epochs.size() - 1).epoch() != log.get(i).epoch()) {
                    epochs.add(new EpochStart(log.get(i).epoch(), i));
                }
            }
            return new QuorumCore(
                    config,
                    states.get(stateOnDisk),
                    new LogState(0, log.size(), log.size(), hw, epochs, List.of()),
                    voters);
        }

        void crash() {
            int kept = onDisk + random.nextInt(log.size() - onDisk + 1);
            log.subList(kept, log.size()).clear();
            onDisk = kept;
            // What was being written may have reached the disk.
            stateOnDisk += random.nextInt(states.size() - stateOnDisk);
            states.subList(stateOnDisk + 1, states.size()).clear();
            flushDue = false;
            live.clear();
            held.clear();
            timers.clear();
            incarnation++;
            lastHw = Math.min(lastHw, kept) == 0 ? 0 : random.nextInt((int) Math.min(lastHw, kept) + 1);
            core = restore(lastHw);
            run(core.start());
        }

        void apply(QuorumInput input) {
            run(take(input));
            check(this);
        }

        private Step<QuorumEffect> take(QuorumInput input) {
            List<Object> before = variables(view());
            Step<QuorumEffect> step = core.apply(input);
            require(step.action() != null || before.equals(variables(view())), "RefusedInputsStutter");
            return step;
        }

        private void run(Step<QuorumEffect> step) {
            ArrayDeque<QuorumInput> self = new ArrayDeque<>();
            step.effects().forEach(effect -> carryOut(effect, self));
            while (!self.isEmpty()) {
                take(self.poll()).effects().forEach(effect -> carryOut(effect, self));
            }
        }

        private void carryOut(QuorumEffect effect, ArrayDeque<QuorumInput> self) {
            if (effect instanceof QuorumEffect.PersistQuorumState e) {
                states.add(e.state());
            } else if (effect instanceof QuorumEffect.AppendControl e) {
                require(e.baseOffset() == log.size(), "append at the end");
                e.records().forEach(r -> log.add(new Entry(e.epoch(), nextId++, List.of(r))));
            } else if (effect instanceof QuorumEffect.AppendRecords e) {
                require(e.baseOffset() == log.size(), "append at the end");
                log.addAll(((Entries) e.records()).list());
            } else if (effect instanceof QuorumEffect.AppendFetched e) {
                require(e.batches().get(0).header().baseOffset() == log.size(), "append at the end");
                log.addAll(((Entries) e.records()).list().subList(0, e.batches().size()));
            } else if (effect instanceof QuorumEffect.Truncate e) {
                log.subList((int) e.offset(), log.size()).clear();
                onDisk = (int) Math.min(onDisk, e.offset());
            } else if (effect instanceof QuorumEffect.Flush) {
                flushDue = true;
            } else if (effect instanceof QuorumEffect.Send e) {
                live.put(
                        e.request().getClass().getSimpleName() + (isFetch(e.request()) ? "" : e.to()),
                        new Live(e.to(), e.request(), e.requires(), states.size() - 1));
            } else if (effect instanceof QuorumEffect.AbandonAll) {
                live.clear();
            } else if (effect instanceof QuorumEffect.Reply e) {
                held.add(new Held(
                        new Response((Token) e.token(), e.response(), List.of()), e.requires(), states.size() - 1));
            } else if (effect instanceof QuorumEffect.ReplyFetch e) {
                held.add(new Held(answer(e), e.requires(), states.size() - 1));
            } else if (effect instanceof QuorumEffect.SetTimer e) {
                timers.put(e.timer(), now + duration(e.timer(), 0));
            } else if (effect instanceof QuorumEffect.SetElectionSoon e) {
                timers.put(QuorumTimer.ELECTION_SOON, now + duration(QuorumTimer.ELECTION_SOON, e.rank()));
            } else if (effect instanceof QuorumEffect.CancelTimer e) {
                timers.remove(e.timer());
            } else if (effect instanceof QuorumEffect.Self e) {
                self.add(e.input());
            } else if (effect instanceof QuorumEffect.LeaderReady e) {
                readyEpoch = e.epoch();
            } else if (effect instanceof QuorumEffect.HwMoved e) {
                require(e.hw() > lastHw, "HwMonotone");
                lastHw = e.hw();
            }
        }

        private Response answer(QuorumEffect.ReplyFetch reply) {
            int from = (int) reply.request().fetchOffset();
            int available = (int) reply.upTo() - from;
            int count = available == 0 ? 0 : 1 + random.nextInt(available);
            List<Entry> entries = count == 0 ? List.of() : List.copyOf(log.subList(from, from + count));
            return new Response((Token) reply.token(), reply.response(), entries);
        }

        boolean holds(Requires requires, int stateSequence) {
            boolean state = stateOnDisk >= stateSequence;
            if (requires instanceof Requires.QuorumState) {
                return state;
            } else if (requires instanceof Requires.QuorumStateAndFlushed r) {
                return state && onDisk >= r.endOffset();
            }
            return true;
        }

        void flushEnds() {
            flushDue = false;
            onDisk = log.size();
            apply(new QuorumInput.PersistMetadata(onDisk));
        }

        void fire(QuorumTimer timer) {
            timers.remove(timer);
            apply(
                    switch (timer) {
                        case ELECTION, ELECTION_SOON, ELECTION_BACKOFF -> new QuorumInput.ElectionTimeout();
                        case FETCH -> new QuorumInput.FetchTimeout();
                        case CHECK_QUORUM -> new QuorumInput.CheckQuorumTimeout();
                    });
        }

        void append() {
            int count = 1 + random.nextInt(2);
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                entries.add(new Entry(view().currentEpoch(), nextId++, List.of()));
            }
            apply(new QuorumInput.AppendMetadata(view().currentEpoch(), log.size(), count, new Entries(entries)));
        }

        void receive(Response response) {
            Live asked = response.token().live();
            if (response.token().incarnation() != incarnation || !live.containsValue(asked)) {
                return;
            }
            live.values().removeIf(l -> l == asked);
            int by = response.token().answeredBy();
            if (response.message() instanceof QuorumMessage.VoteResult r) {
                apply(new QuorumInput.HandleVoteResponse(by, (QuorumMessage.Vote) asked.request, r));
            } else if (response.message() instanceof QuorumMessage.MetadataFetchResult r) {
                QuorumMessage.MetadataFetch fetch = (QuorumMessage.MetadataFetch) asked.request;
                apply(new QuorumInput.HandleMetadataFetchResponse(
                        by, fetch, withRecords(r, response.entries()), batches(fetch.fetchOffset(), response)));
            }
        }
    }

    final Random random;
    final List<Node> nodes = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Response> responses = new ArrayList<>();
    private final List<Entry> committed = new ArrayList<>();
    /** In which leader's epoch an entry was committed. */
    private final List<Integer> committedIn = new ArrayList<>();

    private final Map<Integer, Integer> leaderOf = new TreeMap<>();
    private long nextId = 1;
    private long now;

    QuorumWorld(long seed, int voters, int observers, Guards guards) {
        random = new Random(seed);
        List<VoterSet.Voter> set = new ArrayList<>();
        for (int id = 1; id <= voters; id++) {
            set.add(new VoterSet.Voter(key(id), List.of(new Endpoint("CONTROLLER", "host" + id, 9093))));
        }
        for (int id = 1; id <= voters + observers; id++) {
            boolean voter = id <= voters;
            nodes.add(new Node(new QuorumConfig(
                    "cluster",
                    key(id),
                    voter ? set.get(id - 1).endpoints() : List.of(),
                    voter,
                    VoterSet.of(set),
                    guards)));
        }
        nodes.forEach(node -> node.run(node.core.start()));
    }

    private static ReplicaKey key(int id) {
        return new ReplicaKey(id, new UUID(7, id));
    }

    private static boolean isFetch(QuorumMessage.Request request) {
        return request instanceof QuorumMessage.MetadataFetch;
    }

    private long duration(QuorumTimer timer, int rank) {
        return switch (timer) {
            case ELECTION -> 1000 + random.nextInt(1000);
            case ELECTION_SOON -> 1 + 50L * rank;
            case ELECTION_BACKOFF -> 1 + random.nextInt(1000);
            case FETCH -> 2000;
            case CHECK_QUORUM -> 3000;
        };
    }

    private static QuorumMessage.MetadataFetchResult withRecords(
            QuorumMessage.MetadataFetchResult r, List<Entry> entries) {
        return new QuorumMessage.MetadataFetchResult(
                r.error(),
                r.epoch(),
                r.leaderId(),
                r.leaderEndpoints(),
                r.hw(),
                r.logStart(),
                r.diverging(),
                r.snapshotId(),
                new Entries(entries));
    }

    private static List<MetadataBatch> batches(long from, Response response) {
        List<MetadataBatch> batches = new ArrayList<>();
        for (Entry entry : response.entries()) {
            batches.add(new MetadataBatch(
                    new BatchHeader(
                            from + batches.size(),
                            0,
                            entry.epoch(),
                            100,
                            -1,
                            BatchHeader.NO_PRODUCER_ID,
                            BatchHeader.NO_PRODUCER_EPOCH,
                            BatchHeader.NO_SEQUENCE,
                            false,
                            !entry.control().isEmpty()),
                    entry.control()));
        }
        return batches;
    }

    // ---- events

    /** One event of the unkind phase. Timers mostly wait until they are due: else nobody would ever lead for long. */
    void chaos() {
        now += 10;
        Node node = nodes.get(random.nextInt(nodes.size()));
        int draw = random.nextInt(1000);
        if (draw < 450) {
            deliver(true);
        } else if (draw < 700) {
            transmit(node);
            release(node);
        } else if (draw < 780) {
            node.stateOnDisk = node.states.size() - 1;
        } else if (draw < 860) {
            if (node.flushDue) {
                node.flushEnds();
            }
        } else if (draw < 960) {
            boolean early = random.nextInt(50) == 0;
            for (QuorumTimer timer : List.copyOf(node.timers.keySet())) {
                if (early || node.timers.getOrDefault(timer, Long.MAX_VALUE) <= now) {
                    node.fire(timer);
                }
            }
        } else if (draw < 990) {
            if (node.view().role() == QuorumRole.LEADER) {
                node.append();
            }
        } else if (draw < 997) {
            node.crash();
            check(node);
        } else if (draw == 999) {
            node.apply(new QuorumInput.Resign());
        }
    }

    /** One event of the kind phase: everything arrives, disks write, timers run out when they are due and no earlier. */
    void calm() {
        now += CALM_MS;
        for (Node node : nodes) {
            node.stateOnDisk = node.states.size() - 1;
            if (node.flushDue) {
                node.flushEnds();
            }
            for (QuorumTimer timer : List.copyOf(node.timers.keySet())) {
                Long due = node.timers.get(timer);
                if (due != null && due <= now) {
                    node.fire(timer);
                }
            }
            transmit(node);
            release(node);
        }
        for (int i = requests.size() + responses.size(); i > 0; i--) {
            deliver(false);
        }
    }

    /** In the kind phase all is live again at once: what was lost is sent again. */
    private void transmit(Node node) {
        for (Live live : List.copyOf(node.live.values())) {
            boolean under = requests.stream().anyMatch(r -> r.token().live() == live);
            if (!under && node.holds(live.requires, live.stateSequence)) {
                int to = live.to;
                while (to == QuorumEffect.ANY_BOOTSTRAP || to == node.id()) {
                    to = nodes.get(random.nextInt(nodes.size())).id();
                }
                requests.add(new Request(to, new Token(node, node.incarnation, live, to)));
            }
        }
    }

    private void release(Node node) {
        for (Held held : List.copyOf(node.held)) {
            if (node.holds(held.requires(), held.stateSequence())) {
                node.held.remove(held);
                responses.add(held.response());
            }
        }
    }

    private void deliver(boolean unkind) {
        int size = requests.size() + responses.size();
        if (size == 0) {
            return;
        }
        int pick = random.nextInt(size);
        int fate = unkind ? random.nextInt(20) : 19;
        boolean lost = fate == 0;
        boolean again = fate == 1;
        if (pick < requests.size()) {
            Request request = again ? requests.get(pick) : requests.remove(pick);
            if (!lost) {
                handle(nodes.get(request.to() - 1), request.token());
            }
        } else {
            int at = pick - requests.size();
            Response response = again ? responses.get(at) : responses.remove(at);
            if (!lost) {
                response.token().from().receive(response);
            }
        }
    }

    private static void handle(Node node, Token token) {
        QuorumMessage.Request request = token.live().request;
        if (request instanceof QuorumMessage.Vote r) {
            node.apply(new QuorumInput.HandleVoteRequest(r, token));
        } else if (request instanceof QuorumMessage.BeginQuorumEpoch r) {
            node.apply(new QuorumInput.HandleBeginQuorumEpoch(r, token));
        } else if (request instanceof QuorumMessage.EndQuorumEpoch r) {
            node.apply(new QuorumInput.HandleEndQuorumEpoch(r, token));
        } else if (request instanceof QuorumMessage.MetadataFetch r) {
            node.apply(new QuorumInput.HandleMetadataFetch(r, token));
        }
    }

    // ---- invariants

    private static void require(boolean holds, String invariant) {
        if (!holds) {
            throw new Violation(invariant);
        }
    }

    private void check(Node node) {
        QuorumView view = node.view();
        require(view.log().endOffset() == node.log.size(), "LogIsWhatTheCoreThinks");
        require(
                view.log().lastEpoch()
                        == (node.log.isEmpty()
                                ? EpochLog.NO_EPOCH
                                : node.log.get(node.log.size() - 1).epoch()),
                "LogIsWhatTheCoreThinks");
        require(view.hw() == node.lastHw && view.hw() <= node.log.size(), "HwWithinLog");
        require(view.flushed() <= node.onDisk, "FlushedIsOnDisk");
        if (view.role() == QuorumRole.LEADER) {
            Integer other = leaderOf.putIfAbsent(view.currentEpoch(), node.id());
            require(other == null || other == node.id(), "OneLeaderPerEpoch");
            for (int i = committed.size(); i < view.hw(); i++) {
                committed.add(node.log.get(i));
                committedIn.add(view.currentEpoch());
            }
        }
        require(view.hw() <= committed.size(), "CommittedByALeader");
        for (int i = 0; i < view.hw(); i++) {
            require(node.log.get(i).equals(committed.get(i)), "StateMachineSafety");
        }
        for (Node other : nodes) {
            checkLogMatching(node.log, other.log);
            if (other.view().role() == QuorumRole.LEADER) {
                checkComplete(other);
            }
        }
    }

    private static void checkLogMatching(List<Entry> a, List<Entry> b) {
        int same = Math.min(a.size(), b.size()) - 1;
        while (same >= 0 && a.get(same).epoch() != b.get(same).epoch()) {
            same--;
        }
        require(a.subList(0, same + 1).equals(b.subList(0, same + 1)), "LogMatching");
    }

    private void checkComplete(Node leader) {
        for (int i = 0; i < committed.size(); i++) {
            if (committedIn.get(i) < leader.view().currentEpoch()) {
                require(i < leader.log.size() && leader.log.get(i).equals(committed.get(i)), "LeaderCompleteness");
            }
        }
    }

    // ---- questions

    /** Every variable of the spec. */
    static List<Object> variables(QuorumView v) {
        return List.of(
                v.currentEpoch(),
                Optional.ofNullable(v.votedKey()),
                v.leaderId(),
                v.role(),
                v.logStart(),
                v.log().starts(),
                v.log().endOffset(),
                v.flushed(),
                v.hw(),
                v.grants(),
                v.voterFetch(),
                v.voters());
    }

    int committedCount() {
        return committed.size();
    }

    @Nullable
    Node readyLeader() {
        return nodes.stream().filter(n -> n.view().leaderReady()).findFirst().orElse(null);
    }
}
