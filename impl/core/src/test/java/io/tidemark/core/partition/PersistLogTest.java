package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.PersistLog;
import static io.tidemark.core.partition.Fixture.hw;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PersistLogTest {
    @Test
    void movesFlushedAlone() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(3);
        assertThat(leader.takes(PersistLog, new PartitionInput.PersistLog(2))).isEmpty();
        assertThat(leader.view.flushed()).isEqualTo(2);
    }

    @Test
    void nothingNewIsRefused() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(3);
        leader.step(new PartitionInput.PersistLog(2));
        assertThat(leader.refuses(new PartitionInput.PersistLog(2))).isEmpty();
        assertThat(leader.refuses(new PartitionInput.PersistLog(1))).isEmpty();
    }

    @Test
    void neverPassesTheLogsEnd() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(3);
        leader.step(new PartitionInput.PersistLog(9));
        assertThat(leader.view.flushed()).isEqualTo(3);
    }

    @Test
    void whereEveryMessageIsFlushedTheLeadersDiskHoldsTheHwBack() {
        Fixture leader = Fixture.flushing().leads(1, 2, 3).writes(3);
        leader.fetches(2, 3);
        leader.fetches(3, 3);
        assertThat(leader.view.hw()).isZero();
        assertThat(leader.takes(PersistLog, new PartitionInput.PersistLog(2))).containsExactly(hw(2));
    }
}
