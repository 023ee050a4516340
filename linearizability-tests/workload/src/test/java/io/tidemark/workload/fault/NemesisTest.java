package io.tidemark.workload.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.HistoryWriter;
import io.tidemark.history.Operation;
import io.tidemark.workload.Recorder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NemesisTest {
    private static final int PARTITIONS = 3;

    @TempDir
    private Path dir;

    private final FakeCluster cluster = new FakeCluster();
    private final List<Integer> halted = new ArrayList<>();
    private HistoryWriter writer;
    private Recorder recorder;
    private ClusterObserver observer;
    private Thread teller;
    private LeaderElection election;

    @BeforeEach
    void start() throws IOException {
        writer = HistoryWriter.create(dir.resolve("history.edn"), System::nanoTime);
        recorder = new Recorder(writer, "t", PARTITIONS);
        observer = new ClusterObserver(cluster, "t", recorder::elapsedNanos);
        // Nobody listens there: an election is refused when its time is up.
        election = new LeaderElection("127.0.0.1:1", "t");
        cluster.tell(observer, recorder.elapsedNanos());
        teller = new Thread(() -> {
            while (!Thread.interrupted()) {
                cluster.tell(observer, recorder.elapsedNanos());
                // Not a busy loop: it would keep the cluster's monitor from the thread under test.
                LockSupport.parkNanos(1_000_000);
            }
        });
        teller.start();
    }

    @AfterEach
    void stop() throws Exception {
        teller.interrupt();
        teller.join();
        election.close();
        writer.close();
    }

    private Nemesis nemesis(Duration healLimit) {
        return new Nemesis(cluster, observer, recorder, election, new Random(1), PARTITIONS, healLimit, halted::add);
    }

    private FaultRecord inject(String spec) throws InterruptedException {
        return nemesis(Duration.ofSeconds(10))
                .inject(FaultSpec.parse(List.of(spec), EnumSet.allOf(FaultKind.class))
                        .get(0));
    }

    @Test
    void aKilledLeaderIsProvenByItsProcessAndItsSuccessors() throws Exception {
        FaultRecord fault = inject("kill@leader");
        int node = fault.nodes().get(0);
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.evidence()).startsWith("node " + node + " (process " + node + "00) gone; 1 leaders moved");
        assertThat(cluster.calls).containsExactly("kill " + node, "start " + node);
        assertThat(halted).containsExactly(node);
        assertThat(cluster.leader(node - 1)).isNotEqualTo(node);
        assertThat(fault.healedNanos()).isGreaterThanOrEqualTo(fault.endNanos());
        assertThat(fault.allInSyncAfterMs()).isEqualTo((fault.healedNanos() - fault.endNanos()) / 1_000_000);
    }

    @Test
    void aKilledControllerIsProvenByTheNextOne() throws Exception {
        FaultRecord fault = inject("kill@controller");
        assertThat(fault.nodes()).containsExactly(1);
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.evidence()).contains("controller moved from node 1 to node 2");
    }

    /** When the fault is due, the last word on the controller is old; another was elected since. */
    @Test
    void whoIsTheControllerIsAskedAnew() throws Exception {
        cluster.tellsController = false;
        cluster.moveController(2);
        Thread answer = new Thread(() -> {
            LockSupport.parkNanos(100_000_000);
            cluster.tellsController = true;
        });
        answer.start();
        FaultRecord fault = inject("freeze@controller");
        answer.join();
        assertThat(fault.nodes()).containsExactly(2);
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.evidence()).contains("controller moved from node 2 to node 1");
    }

    @Test
    void whereNobodyTellsWhoTheControllerIsNothingIsInjected() throws Exception {
        cluster.tellsController = false;
        FaultRecord fault = inject("freeze@controller");
        assertThat(fault.effective()).isFalse();
        assertThat(fault.evidence()).isEqualTo("no node is the target");
        assertThat(cluster.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill@node=1", "freeze@node=1", "restart@node=1"})
    void theConsequencesOfAFaultAreAwaitedWhateverItIsAimedAt(String fault) throws Exception {
        // Node 1 leads a partition and is the controller.
        assertThat(inject(fault).evidence()).contains("; 1 leaders moved; controller moved from node 1 to node 2");
    }

    @Test
    void whereNoMajorityIsLeftNobodyWaitsForConsequences() throws Exception {
        FaultRecord fault = inject("kill@all");
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.endNanos() - fault.startNanos())
                .isLessThan(cluster.sessionTimeout().multipliedBy(6).toNanos());
    }

    @Test
    void aFrozenNodeStandsStillPastItsSessionAndIsFenced() throws Exception {
        FaultRecord fault = inject("freeze@node=2");
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.endNanos() - fault.startNanos())
                .isGreaterThan(cluster.sessionTimeout().toNanos());
        assertThat(fault.evidence()).contains("stood still").contains("session time-out 500 ms, fenced");
        assertThat(cluster.calls).containsExactly("freeze 2", "resume 2");
        assertThat(halted).as("its logs were kept").containsExactly(2);
    }

    @Test
    void aFaultThatNobodyNoticesIsTakenBackAndNotEffective() throws Exception {
        cluster.failsOver = false;
        FaultRecord fault = inject("freeze@node=2");
        assertThat(fault.effective()).isFalse();
        assertThat(fault.evidence()).contains("not fenced");
        assertThat(cluster.calls).endsWith("resume 2");
    }

    @Test
    void aFaultAimedAtADeadNodeIsNotEffective() throws Exception {
        cluster.kill(2);
        cluster.calls.clear();
        FaultRecord fault = inject("kill@node=2");
        assertThat(fault.effective()).isFalse();
        assertThat(fault.evidence()).isEqualTo("node 2 was not running");
        assertThat(fault.allInSyncAfterMs())
                .as("nothing was injected that could heal")
                .isNull();
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void aRestartIsCleanOrNotEffective() throws Exception {
        FaultRecord clean = inject("restart@node=3");
        assertThat(clean.effective()).as(clean.evidence()).isTrue();
        assertThat(clean.evidence()).startsWith("node 3 (process 300) ended in order in ");
        assertThat(halted).containsExactly(3);
        cluster.endsInOrder = false;
        FaultRecord killed = inject("restart@node=3");
        assertThat(killed.effective()).isFalse();
        assertThat(killed.evidence()).contains("had to be killed");
        assertThat(cluster.calls).endsWith("terminate 3", "kill 3", "start 3");
    }

    @Test
    void aRollingRestartTakesOneNodeAfterTheOther() throws Exception {
        FaultRecord fault = inject("rolling-restart");
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(cluster.calls)
                .containsExactly("terminate 1", "start 1", "terminate 2", "start 2", "terminate 3", "start 3");
    }

    @Test
    void whatIsJudgedIsWhatIsTold() {
        // The leader moves between the two looks: the first one's word stands.
        Standing before = Standing.of(observer, List.of(1));
        Standing.Change early = before.change();
        cluster.kill(1);
        await(before::leadersMoved);
        assertThat(early.met(FaultSpec.parse(List.of("kill@leader"), EnumSet.allOf(FaultKind.class))
                        .get(0)
                        .target()))
                .isFalse();
        assertThat(early.inWords()).startsWith("; no move of its leaders was seen");
        assertThat(before.change().inWords()).startsWith("; 1 leaders moved");
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("nanoseconds over").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void nothingIsWaitedForBeyondTheEnd() throws Exception {
        Nemesis nemesis = nemesis(Duration.ofMinutes(10));
        nemesis.finishBy(System.nanoTime());
        List<FaultSpec> rolling = FaultSpec.parse(List.of("rolling-restart"), EnumSet.allOf(FaultKind.class));
        FaultRecord fault = nemesis.inject(rolling.get(0));
        assertThat(fault.effective()).isFalse();
        assertThat(fault.evidence()).contains("the time was up before the next node");
        assertThat(cluster.calls)
                .filteredOn(call -> call.startsWith("terminate"))
                .hasSize(1);
    }

    @Test
    void aLeaderMoveIsTheHandOverOfANodeThatShutsDownWhereAllLeadersArePreferred() throws Exception {
        FaultRecord fault = inject("leader-move@node=1");
        assertThat(fault.effective()).as(fault.evidence()).isTrue();
        assertThat(fault.evidence())
                .startsWith("no leader to move home, so one was handed over; 1 leaders of node 1 moved in ");
        assertThat(cluster.calls).containsExactly("terminate 1", "start 1");
    }

    @Test
    void aDiskThatIsNotThereCannotRunFull() throws Exception {
        FaultRecord fault = inject("disk-full");
        assertThat(fault.effective()).isFalse();
        assertThat(fault.evidence()).isEqualTo("no small file system holds the nodes");
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void theFaultUnderWayIsToldUntilTheClusterIsWhole() throws Exception {
        Nemesis nemesis = nemesis(Duration.ofSeconds(10));
        assertThat(nemesis.current()).isNull();
        List<FaultSpec> seen = new ArrayList<>();
        cluster.onStart = () -> seen.add(nemesis.current());
        FaultSpec spec = FaultSpec.parse(List.of("kill@node=2"), EnumSet.allOf(FaultKind.class))
                .get(0);
        nemesis.inject(spec);
        assertThat(seen).containsExactly(spec);
        assertThat(nemesis.current()).isNull();
    }

    @Test
    void thatTheClusterDoesNotHealIsToldBesideTheEffect() throws Exception {
        cluster.kill(3);
        FaultRecord fault = nemesis(Duration.ofMillis(200))
                .inject(FaultSpec.parse(List.of("kill@node=1"), EnumSet.allOf(FaultKind.class))
                        .get(0));
        assertThat(fault.effective()).as("the process was gone").isTrue();
        assertThat(fault.whole()).isFalse();
        assertThat(fault.allInSyncAfterMs())
                .as("no time is told of what did not heal")
                .isNull();
        assertThat(fault.evidence()).contains(" gone").contains("not whole again: node ");
        assertThat(nemesis(Duration.ofSeconds(10)).healAll()).isTrue();
    }

    @Test
    void theHistoryNamesTheFaults() throws Exception {
        inject("kill@node=2");
        List<Operation> operations = HistoryReader.readAll(dir.resolve("history.edn"));
        assertThat(operations).extracting(Operation::f).containsExactly("start-kill", "stop-kill");
        assertThat(operations).allMatch(Operation::isNemesis);
        assertThat(operations.get(0).value()).isEqualTo(List.of(2L));
    }

    @Test
    void theObserverCountsLeadersControllersAndTheIsr() throws Exception {
        inject("kill@controller");
        assertThat(observer.leaderships())
                .filteredOn(led -> led.partition() == 0)
                .extracting(ClusterObserver.Leadership::leader)
                .containsExactly(1, 2);
        assertThat(observer.controllerships())
                .extracting(ClusterObserver.Controllership::node)
                .containsExactly(1, 2);
        assertThat(observer.isrShrinks()).isEqualTo(3);
        assertThat(observer.isrExpansions()).isEqualTo(3);
    }
}
