package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurabilityGateTest {
    private final DurabilityGate gate = new DurabilityGate(10);
    private final List<String> ran = new ArrayList<>();

    @Test
    void whatPromisesNothingRunsAtOnce() {
        gate.when(Requires.NOTHING, () -> ran.add("sent"));
        assertThat(ran).containsExactly("sent");
        assertThat(gate.size()).isZero();
    }

    @Test
    void aVoteWaitsForTheStateHandedOutBeforeIt() {
        gate.stateWriteAsked();
        gate.when(Requires.QUORUM_STATE, () -> ran.add("vote"));
        gate.stateWriteAsked();
        gate.when(Requires.QUORUM_STATE, () -> ran.add("second"));
        assertThat(ran).isEmpty();
        gate.stateWriteDone();
        assertThat(ran).containsExactly("vote");
        gate.stateWriteDone();
        assertThat(ran).containsExactly("vote", "second");
    }

    @Test
    void aVoteWithoutAPendingStateRunsAtOnce() {
        gate.stateWriteAsked();
        gate.stateWriteDone();
        gate.when(Requires.QUORUM_STATE, () -> ran.add("vote"));
        assertThat(ran).containsExactly("vote");
    }

    @Test
    void aFetchWaitsUntilTheLogThatItCoversIsOnDisk() {
        gate.when(new Requires.Flushed(10), () -> ran.add("10"));
        gate.when(new Requires.Flushed(11), () -> ran.add("11"));
        assertThat(ran).containsExactly("10");
        gate.flushed(11);
        assertThat(ran).containsExactly("10", "11");
    }

    @Test
    void aTruncationTakesDurabilityBackAndRefusesWhatItCutOff() {
        gate.flushed(20);
        gate.when(new Requires.Flushed(22), () -> ran.add("22"), () -> ran.add("refused 22"));
        gate.truncated(15, 15);
        assertThat(ran).containsExactly("refused 22");
        gate.when(new Requires.Flushed(20), () -> ran.add("20"));
        gate.flushed(19);
        assertThat(ran).containsExactly("refused 22");
        gate.flushed(30);
        assertThat(ran).containsExactly("refused 22", "20");
    }

    @Test
    void bothPromisesMustHold() {
        gate.stateWriteAsked();
        gate.when(new Requires.QuorumStateAndFlushed(12), () -> ran.add("fetch"));
        gate.flushed(12);
        assertThat(ran).isEmpty();
        gate.stateWriteDone();
        assertThat(ran).containsExactly("fetch");
    }

    /** Whatever is flushed there afterwards is another record. */
    @Test
    void aTruncationRefusesEveryPromiseOfWhatItCutOffAndNoOther() {
        gate.flushed(10);
        gate.stateWriteAsked();
        gate.when(new Requires.QuorumStateAndFlushed(15), () -> ran.add("15"), () -> ran.add("refused 15"));
        gate.when(new Requires.QuorumStateAndFlushed(16), () -> ran.add("16"), () -> ran.add("refused 16"));
        gate.when(new Requires.Flushed(15), () -> ran.add("log 15"), () -> ran.add("refused log 15"));
        gate.when(new Requires.Flushed(16), () -> ran.add("log 16"), () -> ran.add("refused log 16"));
        gate.truncated(15, 10);
        assertThat(ran).containsExactly("refused 16", "refused log 16");
        gate.flushed(20);
        gate.stateWriteDone();
        assertThat(ran).containsExactly("refused 16", "refused log 16", "log 15", "15");
    }

    @Test
    void aControllersAnswerWaitsForTheCommitAndIsRefusedWhenLeadershipIsLost() {
        gate.when(new Requires.Committed(5), () -> ran.add("yes"), () -> ran.add("no"));
        gate.when(new Requires.Committed(7), () -> ran.add("yes 7"), () -> ran.add("no 7"));
        gate.when(new Requires.Flushed(99), () -> ran.add("never"), () -> ran.add("not refused"));
        gate.committed(5);
        gate.refuseUncommitted();
        assertThat(ran).containsExactly("yes", "no 7");
        assertThat(gate.size()).isEqualTo(1);
    }

    @Test
    void whatIsReleasedMayAskForMore() {
        gate.when(new Requires.Flushed(11), () -> gate.when(new Requires.Flushed(12), () -> ran.add("12")));
        gate.flushed(11);
        assertThat(ran).isEmpty();
        gate.flushed(12);
        assertThat(ran).containsExactly("12");
    }
}
