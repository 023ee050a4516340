package io.tidemark.core.quorum;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordsRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One replica of a {@link QuorumWorld}, its disk included. */
final class QuorumReplica {
    record Entry(int epoch, long id, List<ControlRecord> control) {}

    record Entries(List<Entry> list) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return list.size();
        }
    }

    /** A request that is sent until it is answered, replaced or abandoned. */
    static final class Live {
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

    /** Comes back with the answer. */
    record Token(QuorumReplica from, int incarnation, Live live, int answeredBy) implements ReplyToken {}

    record Response(Token token, QuorumMessage.Response message, List<Entry> entries) {}

    record Held(Response response, Requires requires, int stateSequence) {}

    private final QuorumWorld world;
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

    QuorumReplica(QuorumWorld world, QuorumConfig config) {
        this.world = world;
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
        int kept = onDisk + world.random.nextInt(log.size() - onDisk + 1);
        log.subList(kept, log.size()).clear();
        onDisk = kept;
        // What was being written may have reached the disk.
        stateOnDisk += world.random.nextInt(states.size() - stateOnDisk);
        states.subList(stateOnDisk + 1, states.size()).clear();
        flushDue = false;
        live.clear();
        held.clear();
        timers.clear();
        incarnation++;
        lastHw = Math.min(lastHw, kept) == 0 ? 0 : world.random.nextInt((int) Math.min(lastHw, kept) + 1);
        core = restore(lastHw);
        run(core.start());
    }

    void apply(QuorumInput input) {
        run(take(input));
        world.check(this);
    }

    private Step<QuorumEffect> take(QuorumInput input) {
        List<Object> before = QuorumWorld.variables(view());
        Step<QuorumEffect> step = core.apply(input);
        QuorumSafety.require(
                step.action() != null || before.equals(QuorumWorld.variables(view())), "RefusedInputsStutter");
        return step;
    }

    void run(Step<QuorumEffect> step) {
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
            QuorumSafety.require(e.baseOffset() == log.size(), "append at the end");
            e.records().forEach(r -> log.add(new Entry(e.epoch(), world.nextId++, List.of(r))));
        } else if (effect instanceof QuorumEffect.AppendRecords e) {
            QuorumSafety.require(e.baseOffset() == log.size(), "append at the end");
            log.addAll(((Entries) e.records()).list());
        } else if (effect instanceof QuorumEffect.AppendFetched e) {
            QuorumSafety.require(e.batches().get(0).header().baseOffset() == log.size(), "append at the end");
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
            timers.put(e.timer(), world.due(e.timer(), 0));
        } else if (effect instanceof QuorumEffect.SetElectionSoon e) {
            timers.put(QuorumTimer.ELECTION_SOON, world.due(QuorumTimer.ELECTION_SOON, e.rank()));
        } else if (effect instanceof QuorumEffect.CancelTimer e) {
            timers.remove(e.timer());
        } else if (effect instanceof QuorumEffect.Self e) {
            self.add(e.input());
        } else if (effect instanceof QuorumEffect.LeaderReady e) {
            readyEpoch = e.epoch();
        } else if (effect instanceof QuorumEffect.HwMoved e) {
            QuorumSafety.require(e.hw() > lastHw, "HwMonotone");
            lastHw = e.hw();
        }
    }

    private Response answer(QuorumEffect.ReplyFetch reply) {
        int from = (int) reply.request().fetchOffset();
        int available = (int) reply.upTo() - from;
        int count = available == 0 ? 0 : 1 + world.random.nextInt(available);
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
        int count = 1 + world.random.nextInt(2);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(view().currentEpoch(), world.nextId++, List.of()));
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
                    by, fetch, r.withRecords(new Entries(response.entries())), batches(fetch.fetchOffset(), response)));
        }
    }

    private static boolean isFetch(QuorumMessage.Request request) {
        return request instanceof QuorumMessage.MetadataFetch;
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
}
