package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumTimer;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.DurabilityGate;
import io.tidemark.runtime.Flusher;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Responder;
import io.tidemark.storage.CorruptBatchException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what this node's replica of the quorum decides: its log, its {@code quorum-state}, its timers, its requests.
 * Used from the control loop alone.
 */
final class QuorumRunner implements QuorumEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(QuorumRunner.class);

    /** Who is told of what the quorum's replica has become or committed. */
    interface Listener {
        /** Records below {@code hw} are committed. */
        void committed(long hw);

        /** Role, epoch or leader changed. */
        void roleChanged(QuorumEffect.RoleChanged change);

        /** This node leads and its own LeaderChange is committed. */
        void leaderReady(int epoch, long nextOffset);
    }

    private final NodeSettings settings;
    private final Ports ports;
    private final EventLoop loop;
    private final StepQueue steps;
    private final MetadataLog log;
    private final QuorumCore core;
    private final DurabilityGate gate;
    private final LiveRequests requests;
    private final Flusher flusher;
    private final ParkedMetadataFetches parked;
    private final ReplicaTimes replicaTimes;
    private final Listener listener;
    private final Map<QuorumTimer, EventLoop.Timer> timers = new EnumMap<>(QuorumTimer.class);
    private int bootstrapTurn;
    private boolean stopped;
    private List<EpochStart> writtenEpochs = List.of();

    QuorumRunner(
            NodeSettings settings, Ports ports, StepQueue steps, MetadataLog log, QuorumCore core, Listener listener) {
        this.settings = settings;
        this.ports = ports;
        this.loop = ports.controlLoop();
        this.steps = steps;
        this.log = log;
        this.core = core;
        this.listener = listener;
        this.gate = new DurabilityGate(core.view().flushed());
        this.requests = new LiveRequests(loop, ports.network(), settings.quorum(), this::endpointsOf, this::onAnswer);
        this.flusher = new Flusher(log.log(), ports.metadataFlush(), loop, this::onDurable);
        this.parked = new ParkedMetadataFetches(loop, this::apply);
        this.replicaTimes = new ReplicaTimes(ports.wallClock());
        bootstrapTurn = settings.nodeId();
    }

    /** Takes up the state that was restored. */
    public void start() {
        steps.submit(() -> {
            ports.listener().quorumStarts(core);
            run(core.start());
        });
    }

    public void apply(QuorumInput input) {
        steps.submit(() -> {
            if (!stopped) {
                applyNow(input);
            }
        });
    }

    /**
     * Appends a controller's batch in the same turn.
     *
     * @return whether the quorum took it; if not, this node leads no longer
     */
    boolean append(int epoch, long baseOffset, int count, RecordBytes records) {
        return applyNow(new QuorumInput.AppendMetadata(epoch, baseOffset, count, records))
                        .action()
                != null;
    }

    public QuorumCore core() {
        return core;
    }

    /** The gate that holds a controller's answers until they are committed. */
    DurabilityGate gate() {
        return gate;
    }

    /** No further input is taken, a timer's or a parked fetch's neither; nothing is sent any more. */
    public void stop() {
        stopped = true;
        flusher.close();
        requests.abandonAll();
    }

    /** The quorum as this node sees it while it leads. */
    public ClientResponse.Quorum describe() {
        return replicaTimes.describe(core.view(), core.view().log().endOffset(), settings.nodeId());
    }

    private Step<QuorumEffect> applyNow(QuorumInput input) {
        Step<QuorumEffect> step = core.apply(input);
        ports.listener().quorum(core, input, step);
        run(step);
        return step;
    }

    private void run(Step<QuorumEffect> step) {
        step.effects().forEach(effect -> effect.applyTo(this));
    }

    // ---- what the core decides

    @Override
    public void persistQuorumState(QuorumEffect.PersistQuorumState effect) {
        gate.stateWriteAsked();
        log.writeQuorumState(effect.state(), () -> steps.submit(gate::stateWriteDone));
    }

    @Override
    public void appendControl(QuorumEffect.AppendControl effect) {
        log.append(
                effect.baseOffset(),
                effect.epoch(),
                ports.codec().encodeControl(effect.records(), ports.wallClock().nowMs()));
        epochsMayHaveChanged();
    }

    @Override
    public void appendRecords(QuorumEffect.AppendRecords effect) {
        log.append(effect.baseOffset(), effect.epoch(), (RecordBytes) effect.records());
        epochsMayHaveChanged();
    }

    @Override
    public void appendFetched(QuorumEffect.AppendFetched effect) {
        log.appendFetched(effect.batches(), (RecordBytes) effect.records());
        epochsMayHaveChanged();
    }

    @Override
    public void truncate(QuorumEffect.Truncate effect) {
        LOG.info("Truncating the metadata log to {}", effect.offset());
        log.truncateTo(effect.offset());
        epochsMayHaveChanged();
        gate.truncated(effect.offset(), log.log().durableEndOffset());
    }

    @Override
    public void flush(QuorumEffect.Flush effect) {
        flusher.flush();
    }

    @Override
    public void send(QuorumEffect.Send effect) {
        gate.when(effect.requires(), requests.put(effect.to(), effect.request()));
    }

    @Override
    public void abandonAll(QuorumEffect.AbandonAll effect) {
        requests.abandonAll();
    }

    @Override
    public void reply(QuorumEffect.Reply effect) {
        gate.when(effect.requires(), () -> respond(effect.token(), effect.response()));
    }

    @Override
    public void replyFetch(QuorumEffect.ReplyFetch effect) {
        QuorumMessage.MetadataFetch request = effect.request();
        QuorumMessage.MetadataFetchResult answer = effect.response();
        if (answer.error() == ErrorCode.NONE && answer.diverging() == null && !parked.hasWaited(effect.token())) {
            replicaTimes.fetched(request.replica(), request.fetchOffset(), effect.upTo());
        }
        boolean records = request.fetchOffset() < effect.upTo();
        if (!records && !effect.news() && parked.park(effect)) {
            if (effect.upTo() < core.view().log().endOffset()) {
                // What this step committed let the controller append: nobody else would wake it.
                parked.wake();
            }
            return;
        }
        parked.answered(effect.token());
        gate.when(
                effect.requires(),
                () -> respond(
                        effect.token(),
                        answer.withRecords(
                                records ? log.read(request.fetchOffset(), effect.upTo()) : RecordBytes.EMPTY)));
    }

    @Override
    public void setTimer(QuorumEffect.SetTimer effect) {
        setTimer(effect.timer(), delayOf(effect.timer()));
    }

    @Override
    public void setElectionSoon(QuorumEffect.SetElectionSoon effect) {
        setTimer(
                QuorumTimer.ELECTION_SOON,
                (long) effect.rank() * settings.quorum().electionBackoffMaxMs());
    }

    @Override
    public void cancelTimer(QuorumEffect.CancelTimer effect) {
        cancelTimer(effect.timer());
    }

    @Override
    public void hwMoved(QuorumEffect.HwMoved effect) {
        parked.wake();
        listener.committed(effect.hw());
    }

    @Override
    public void leoMoved(QuorumEffect.LeoMoved effect) {
        parked.wake();
    }

    @Override
    public void roleChanged(QuorumEffect.RoleChanged effect) {
        LOG.info("Quorum: {} in epoch {}, leader {}", effect.role(), effect.epoch(), effect.leaderId());
        parked.wake();
        replicaTimes.reset();
        listener.roleChanged(effect);
    }

    @Override
    public void leaderReady(QuorumEffect.LeaderReady effect) {
        listener.leaderReady(effect.epoch(), core.view().log().endOffset());
    }

    @Override
    public void self(QuorumEffect.Self effect) {
        apply(effect.input());
    }

    // ---- how it is done

    private void onDurable(long end) {
        steps.submit(() -> {
            applyNow(new QuorumInput.PersistMetadata(end));
            gate.flushed(end);
        });
    }

    private void epochsMayHaveChanged() {
        List<EpochStart> starts = core.view().log().starts();
        if (!starts.equals(writtenEpochs)) {
            writtenEpochs = List.copyOf(starts);
            log.writeEpochs(writtenEpochs);
        }
    }

    @SuppressWarnings("unchecked") // every token that reaches the quorum was made by NodeApi.quorum
    private static void respond(ReplyToken token, QuorumMessage.Response response) {
        ((Responder<QuorumMessage.Response>) token).respond(response);
    }

    private void onAnswer(int to, QuorumMessage.Request request, QuorumMessage.Response response) {
        if (request instanceof QuorumMessage.Vote asked && response instanceof QuorumMessage.VoteResult result) {
            apply(new QuorumInput.HandleVoteResponse(to, asked, result));
        } else if (request instanceof QuorumMessage.MetadataFetch asked
                && response instanceof QuorumMessage.MetadataFetchResult result) {
            fetched(to, asked, result);
        }
        // BeginQuorumEpoch and EndQuorumEpoch: their answers change no state of the sender.
    }

    private void fetched(int to, QuorumMessage.MetadataFetch asked, QuorumMessage.MetadataFetchResult result) {
        List<MetadataBatch> batches;
        try {
            batches = log.parse((RecordBytes) result.records());
        } catch (CorruptBatchException | IllegalArgumentException e) {
            gate.when(Requires.NOTHING, requests.putDamaged(to, asked, String.valueOf(e.getMessage())));
            return;
        }
        int from = to == QuorumEffect.ANY_BOOTSTRAP ? result.leaderId() : to;
        apply(new QuorumInput.HandleMetadataFetchResponse(from, asked, result, batches));
    }

    private List<Endpoint> endpointsOf(int to) {
        QuorumView view = core.view();
        VoterSet voters = view.voters();
        if (to != QuorumEffect.ANY_BOOTSTRAP) {
            return to == view.leaderId() && !view.leaderEndpoints().isEmpty()
                    ? view.leaderEndpoints()
                    : voters.endpoints(to);
        }
        List<Endpoint> candidates = new ArrayList<>(settings.controllers().bootstrap());
        voters.voters().values().forEach(voter -> candidates.addAll(voter.endpoints()));
        candidates.removeAll(settings.controllerEndpoints());
        candidates.removeIf(endpoint -> settings.controllerEndpoints().stream()
                .anyMatch(own -> own.host().equals(endpoint.host()) && own.port() == endpoint.port()));
        if (candidates.isEmpty()) {
            return List.of();
        }
        return List.of(candidates.get(Math.floorMod(bootstrapTurn++, candidates.size())));
    }

    private long delayOf(QuorumTimer timer) {
        NodeSettings.Quorum times = settings.quorum();
        return switch (timer) {
            case ELECTION -> times.electionTimeoutMs() + ports.random().nextInt(Math.max(1, times.electionTimeoutMs()));
            case ELECTION_SOON -> 0;
            case ELECTION_BACKOFF -> ports.random().nextInt(Math.max(1, times.electionBackoffMaxMs()));
            case FETCH -> times.fetchTimeoutMs();
            case CHECK_QUORUM -> times.fetchTimeoutMs() * 3L / 2;
        };
    }

    private void setTimer(QuorumTimer timer, long delayMs) {
        cancelTimer(timer);
        timers.put(timer, loop.schedule(delayMs, () -> {
            timers.remove(timer);
            apply(inputOf(timer));
        }));
    }

    private void cancelTimer(QuorumTimer timer) {
        EventLoop.Timer running = timers.remove(timer);
        if (running != null) {
            running.cancel();
        }
    }

    private static QuorumInput inputOf(QuorumTimer timer) {
        return switch (timer) {
            case ELECTION, ELECTION_SOON, ELECTION_BACKOFF -> new QuorumInput.ElectionTimeout();
            case FETCH -> new QuorumInput.FetchTimeout();
            case CHECK_QUORUM -> new QuorumInput.CheckQuorumTimeout();
        };
    }
}
