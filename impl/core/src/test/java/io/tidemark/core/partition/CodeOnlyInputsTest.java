package io.tidemark.core.partition;

import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.failed;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.log.ProducerEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodeOnlyInputsTest {
    @Test
    void aTimedOutAckIsAnsweredOnce() {
        Fixture leader = Fixture.replica().leads(1, 2, 3);
        leader.step(produce(ALL, batch(1)));
        Step<PartitionEffect> step = leader.step(new PartitionInput.AckTimeout(T));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(failed(T, ErrorCode.REQUEST_TIMED_OUT));
        assertThat(leader.view.logEnd()).as("the record stays").isEqualTo(1);
        assertThat(leader.refuses(new PartitionInput.AckTimeout(T))).isEmpty();
        leader.fetches(2, 1);
        assertThat(leader.fetches(3, 1)).containsExactly(hw(1), leader.readable(1, 1, 1));
    }

    @Test
    void nothingWaitsWhereNobodyLeads() {
        assertThat(Fixture.replica().refuses(new PartitionInput.AckTimeout(T))).isEmpty();
    }

    @Test
    void producersAreReplacedByWhatTheLogGives() {
        Fixture follower =
                Fixture.with(io.tidemark.core.Guards.ALL, Fixture.log(0, 1, 1)).follows(1);
        List<ProducerEntry> remaining =
                List.of(new ProducerEntry(7, (short) 2, 5, List.of(new ProducerEntry.Batch(0, 1, 0, 1, 5))));
        Step<PartitionEffect> step = follower.step(new PartitionInput.ReloadProducers(remaining));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
        assertThat(follower.view.producers()).isEqualTo(remaining);
    }
}
