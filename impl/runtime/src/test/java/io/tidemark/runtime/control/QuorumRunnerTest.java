package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.LogLines;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.port.Responder;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Voter 1 of 1, 2 and 3: what it promises leaves once that is on its disk, whose fsync is the test's. */
class QuorumRunnerTest {
    private final NodeSettings settings = TestSettings.node();
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final List<Runnable> fsyncs = new ArrayList<>();
    private final List<QuorumMessage.Response> answers = new ArrayList<>();
    private final List<Responder<QuorumMessage.Response>> tokens = new ArrayList<>();
    private final List<QuorumInput> inputs = new ArrayList<>();
    /** What the controller does when it is told how far records are committed. */
    private LongConsumer committed = hw -> {};

    private final ReplicaKey self = new ReplicaKey(1, settings.directoryId());
    private final ReplicaKey two = new ReplicaKey(2, new UUID(2, 7));
    private final ReplicaKey three = new ReplicaKey(3, new UUID(3, 7));
    private final MetadataLog log;
    private final QuorumStateFile stateFile;
    private final QuorumRunner runner;

    QuorumRunnerTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Path dir = settings.logDir().resolve("__cluster_metadata-0");
        disk.createDirectories(dir);
        Ports ports = TestPorts.of(loop, network, fsyncs::add, disk, new StepListener() {
            @Override
            public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
                inputs.add(input);
            }
        });
        log = MetadataLog.open(ports, dir, LogConfig.DEFAULT.segmentIndexBytes(), 0);
        stateFile = new QuorumStateFile(disk, dir);
        QuorumCore core = log.replica(new QuorumConfig(
                TestSettings.CLUSTER,
                self,
                settings.controllerEndpoints(),
                true,
                VoterSet.of(Stream.of(self, two, three)
                        .map(key -> new VoterSet.Voter(key, endpoints(key)))
                        .toList()),
                Guards.ALL));
        runner = new QuorumRunner(settings, ports, new StepQueue(), log, core, new QuorumRunner.Listener() {
            @Override
            public void committed(long hw) {
                committed.accept(hw);
            }

            @Override
            public void roleChanged(QuorumEffect.RoleChanged change) {}

            @Override
            public void leaderReady(int epoch, long nextOffset) {}
        });
        runner.start();
        loop.run();
        // Nobody leads yet: it asks a bootstrap server, who does not answer.
        network.take();
    }

    private static List<Endpoint> endpoints(ReplicaKey key) {
        return List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + key.id()));
    }

    private void fsync() {
        List<Runnable> due = List.copyOf(fsyncs);
        fsyncs.clear();
        due.forEach(Runnable::run);
        loop.run();
    }

    private Responder<QuorumMessage.Response> token() {
        Responder<QuorumMessage.Response> token = answers::add;
        tokens.add(token);
        return token;
    }

    private void apply(QuorumInput input) {
        runner.apply(input);
        loop.run();
    }

    private void voteIsAskedBy(ReplicaKey candidate) {
        apply(new QuorumInput.HandleVoteRequest(
                new QuorumMessage.Vote(TestSettings.CLUSTER, 1, candidate, self, new OffsetAndEpoch(0, 0), false),
                token()));
    }

    private void twoLeads() {
        apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(TestSettings.CLUSTER, 1, 2, self, endpoints(two)), token()));
    }

    @Test
    void aVoteLeavesOnceItIsOnDisk() {
        voteIsAskedBy(two);
        assertThat(answers).isEmpty();
        fsync();
        assertThat(stateFile.read()).contains(new QuorumStateData(1, two, -1));
        assertThat(answers)
                .containsExactly(new QuorumMessage.VoteResult(ErrorCode.NONE, 1, -1, List.of(), true, false));
    }

    /** The refusal tells of an epoch, and of a vote in it, that a crash must not take back. */
    @Test
    void aRefusalLeavesOnceTheVoteThatItRestsOnIsOnDisk() {
        voteIsAskedBy(two);
        voteIsAskedBy(three);
        assertThat(answers).isEmpty();
        fsync();
        assertThat(answers)
                .extracting(answer -> ((QuorumMessage.VoteResult) answer).granted())
                .containsExactly(true, false);
    }

    /** A request of an older epoch is refused with the present one. */
    @Test
    void aLateVoteRequestLearnsOfAnEpochThatIsOnDisk() {
        twoLeads();
        answers.clear();
        apply(new QuorumInput.HandleVoteRequest(
                new QuorumMessage.Vote(TestSettings.CLUSTER, 0, three, self, new OffsetAndEpoch(0, 0), true), token()));
        assertThat(answers).isEmpty();
        fsync();
        assertThat(answers)
                .last()
                .extracting(QuorumMessage.Response::error, QuorumMessage.Response::epoch)
                .containsExactly(ErrorCode.FENCED_LEADER_EPOCH, 1);
    }

    @Test
    void aRefusedFetchLearnsOfAnEpochThatIsOnDisk() {
        voteIsAskedBy(two);
        apply(new QuorumInput.HandleMetadataFetch(
                new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, three, 0, 0, 0, 0, 500), token()));
        assertThat(answers).isEmpty();
        fsync();
        assertThat(answers)
                .last()
                .extracting(QuorumMessage.Response::error, QuorumMessage.Response::epoch)
                .containsExactly(ErrorCode.FENCED_LEADER_EPOCH, 1);
    }

    @Test
    void aFetchLeavesOnceItsEpochIsOnDiskAndTheNextOneOnceItsRecordsAre() {
        twoLeads();
        assertThat(network.sent()).isEmpty();
        fsync();
        ManualNetwork.Sent first = network.take();
        assertThat(first.request()).isEqualTo(fetch(0, 0, 0));
        assertThat(stateFile.read()).contains(new QuorumStateData(1, null, 2));

        RecordBytes records = TestBatches.produced(1);
        BatchFormat.assign(records.buffer(), 0, 0, 1);
        first.answer(
                new QuorumMessage.MetadataFetchResult(ErrorCode.NONE, 1, 2, endpoints(two), 0, 0, null, null, records));
        loop.run();
        assertThat(log.log().logEndOffset()).isEqualTo(1);
        assertThat(network.sent()).isEmpty();
        fsync();
        assertThat(log.log().durableEndOffset()).isEqualTo(1);
        assertThat(network.take().request()).isEqualTo(fetch(1, 1, 0));
    }

    @Test
    void damagedMetadataIsAskedForAgainAfterTheBackOffAndToldOnce() {
        twoLeads();
        fsync();
        RecordBytes damaged = records(0, 1);
        damaged.buffer().put(BatchLayout.HEADER_SIZE, (byte) 1);
        try (LogLines lines = new LogLines(LiveRequests.class)) {
            for (int i = 0; i < 3; i++) {
                ManualNetwork.Sent asked = network.take();
                assertThat(asked.request()).isEqualTo(fetch(0, 0, 0));
                answer(asked, 1, two, null, damaged);
                loop.elapse(settings.quorum().retryBackoffMs() - 1);
                assertThat(network.sent()).isEmpty();
                loop.elapse(1);
            }
            assertThat(lines.get()).singleElement().asString().startsWith("Quorum: what leader 2 sent is damaged (");
        }
        answer(network.take(), 1, two, null, records(0, 1));
        assertThat(log.log().logEndOffset()).isEqualTo(1);
    }

    /** What a committed record does is no matter of the bytes that brought it: a defect there must end the node. */
    @Test
    void anExceptionOfWhatIsCommittedIsNotTakenForDamage() {
        twoLeads();
        fsync();
        committed = hw -> {
            throw new IllegalArgumentException("unknown record");
        };
        ManualNetwork.Sent asked = network.take();
        asked.answer(new QuorumMessage.MetadataFetchResult(
                ErrorCode.NONE, 1, 2, endpoints(two), 1, 0, null, null, records(0, 1)));
        assertThatThrownBy(loop::run).hasMessage("unknown record");
    }

    /** What takes the place of records that were cut off is on no disk yet, although they were: a fetch would promise it. */
    @Test
    void afterATruncationAFetchWaitsForWhatItCoversNow() {
        twoLeads();
        fsync();
        answer(network.take(), 1, two, null, records(0, 1), records(1, 1), records(2, 1));
        fsync();
        assertThat(log.log().durableEndOffset()).isEqualTo(3);
        network.take();

        apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(TestSettings.CLUSTER, 2, 3, self, endpoints(three)), token()));
        fsync();
        answer(network.take(), 2, three, new OffsetAndEpoch(1, 1));
        assertThat(log.log().logEndOffset()).isEqualTo(1);
        answer(network.take(), 2, three, null, records(1, 2));
        assertThat(log.log().logEndOffset()).isEqualTo(2);
        assertThat(network.sent()).isEmpty();
        fsync();
        assertThat(network.sent()).as("that fsync was of the truncation").isEmpty();
        fsync();
        assertThat(network.take().request())
                .isEqualTo(new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, self, 2, 2, 2, 0, 500));
    }

    @Test
    void stoppedItTakesNoInputAndAsksNoMore() {
        twoLeads();
        fsync();
        ManualNetwork.Sent unanswered = network.take();
        runner.stop();
        inputs.clear();
        answers.clear();
        unanswered.answer(null);
        loop.elapse(60_000);
        assertThat(network.sent()).as("its fetch is not repeated").isEmpty();
        voteIsAskedBy(three);
        assertThat(inputs).as("neither timers nor requests").isEmpty();
        assertThat(answers).isEmpty();
    }

    /** Nor does it matter that its log is closed by then. */
    @Test
    void stoppedItIsNotToldOfAnFsync() {
        twoLeads();
        fsync();
        answer(network.take(), 1, two, null, records(0, 1));
        Runnable underWay = fsyncs.remove(fsyncs.size() - 1);
        runner.stop();
        log.close();
        inputs.clear();
        underWay.run();
        loop.run();
        assertThat(inputs).isEmpty();
    }

    private static RecordBytes records(long offset, int epoch) {
        RecordBytes records = TestBatches.produced(1);
        BatchFormat.assign(records.buffer(), 0, offset, epoch);
        return records;
    }

    private void answer(
            ManualNetwork.Sent fetch,
            int epoch,
            ReplicaKey leader,
            @Nullable OffsetAndEpoch diverging,
            RecordBytes... batches) {
        ByteBuffer all = ByteBuffer.allocate(1_000);
        for (RecordBytes batch : batches) {
            all.put(batch.buffer().duplicate());
        }
        fetch.answer(new QuorumMessage.MetadataFetchResult(
                ErrorCode.NONE,
                epoch,
                leader.id(),
                endpoints(leader),
                0,
                0,
                diverging,
                null,
                new RecordBytes(all.flip())));
        loop.run();
    }

    /** Elected by all it asks, in epoch 1. */
    private void oneLeads() {
        apply(new QuorumInput.ElectionTimeout());
        for (boolean preVote : new boolean[] {true, false}) {
            fsync();
            network.sent()
                    .get(0)
                    .answer(new QuorumMessage.VoteResult(
                            ErrorCode.NONE, preVote ? 0 : 1, -1, List.of(), true, preVote));
            network.sent().clear();
            loop.run();
        }
        fsync();
        network.sent().clear();
        assertThat(log.log().durableEndOffset()).isEqualTo(1);
    }

    /** What its replica holds was true when the fetch arrived; nobody has heard from it since. */
    @Test
    void aFetchThatWaitsIsCountedOnceHoweverOftenItIsWoken() {
        oneLeads();
        inputs.clear();
        QuorumMessage.MetadataFetch fetch =
                new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, three, 1, 1, 1, 1, 500);
        apply(new QuorumInput.HandleMetadataFetch(fetch, token()));
        QuorumMessage.MetadataFetch another =
                new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, two, 1, 1, 1, 1, 500);
        apply(new QuorumInput.HandleMetadataFetch(another, token()));
        assertThat(answers).isEmpty();
        loop.elapse(500);
        assertThat(answers).hasSize(2);
        assertThat(inputs)
                .filteredOn(input -> input instanceof QuorumInput.HandleMetadataFetch)
                .hasSize(2);
        assertThat(inputs).contains(new QuorumInput.MetadataRead(fetch, tokens.get(0)));
    }

    private QuorumMessage.MetadataFetch fetch(long offset, int lastEpoch, long hw) {
        return new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, self, 1, offset, lastEpoch, hw, 500);
    }

    /** It does not tell its high watermark (KIP-1166), so that the new one is no news to it: what the log holds now is. */
    @Test
    void aFetchThatLetTheControllerAppendIsAnsweredWithWhatItAppended() {
        oneLeads();
        committed = hw -> {
            committed = further -> {};
            assertThat(hw).isEqualTo(1);
            assertThat(runner.append(1, hw, 1, records(hw, 1))).isTrue();
        };
        apply(new QuorumInput.HandleMetadataFetch(
                new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, three, 1, 1, 1, -1, 500), token()));
        assertThat(log.log().logEndOffset()).isEqualTo(2);
        assertThat(answers)
                .singleElement()
                .extracting(answer ->
                        ((QuorumMessage.MetadataFetchResult) answer).records().sizeInBytes())
                .isEqualTo(records(1, 1).sizeInBytes());
    }
}
