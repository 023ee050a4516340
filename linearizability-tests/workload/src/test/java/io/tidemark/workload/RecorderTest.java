package io.tidemark.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.HistoryWriter;
import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.log.LogHistoryCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    @TempDir
    private Path dir;

    @Test
    void aProcessHasOneOperationOpenAndOneWithAnUnknownOutcomeIsNotUsedAgain() throws IOException {
        Path file = dir.resolve("history.edn");
        AtomicLong clock = new AtomicLong();
        try (HistoryWriter writer = HistoryWriter.create(file, () -> clock.getAndAdd(10))) {
            Recorder recorder = new Recorder(writer, "t", 2);
            Recorder.Sending one = recorder.sending("p", 0, 1);
            Recorder.Sending two = recorder.sending("p", 1, 2);
            recorder.faultActive(true);
            recorder.acknowledged(two, 0);
            recorder.failed(one, "timeout", false);
            Recorder.Sending three = recorder.sending("p", 1, 3);
            recorder.faultActive(false);
            recorder.acknowledged(three, 1);
            Recorder.Sending four = recorder.sending("p", 1, 4);
            recorder.failed(four, "refused", true);
            assertThat(three.process()).isEqualTo(two.process());
            assertThat(four.process()).isEqualTo(two.process());
            assertThat(recorder.totals()).isEqualTo(new Recorder.Totals(4, 2, 1, 1, 1, 0));
            assertThat(recorder.timeline(1, AckTimeline::size)).isEqualTo(2);
            assertThat(recorder.timeline(0, AckTimeline::size)).isZero();
        }
        List<Operation> operations = HistoryReader.readAll(file);
        Set<Long> open = new HashSet<>();
        for (Operation op : operations) {
            if (op.type() == Operation.Type.INVOKE) {
                assertThat(open.add(op.process()))
                        .as("process %d", op.process())
                        .isTrue();
            } else if (op.type() != Operation.Type.INFO) {
                open.remove(op.process());
            }
            assertThat(op.extra("client")).isEqualTo("p");
        }
        LogHistoryCheck check = new LogHistoryCheck(true);
        operations.forEach(check::accept);
        assertThat(check.verdict().counts().indeterminate()).isEqualTo(1);
    }

    @Test
    void whatIsUnderWayIsInDoubt() throws IOException {
        try (HistoryWriter writer = HistoryWriter.create(dir.resolve("history.edn"), System::nanoTime)) {
            Recorder recorder = new Recorder(writer, "t", 1);
            recorder.acknowledged(recorder.sending("p", 0, 1), 0);
            Recorder.Sending underWay = recorder.sending("p", 0, 2);
            assertThat(recorder.totals()).isEqualTo(new Recorder.Totals(2, 1, 0, 1, 0, 0));
            recorder.acknowledged(underWay, 1);
            assertThat(recorder.totals()).isEqualTo(new Recorder.Totals(2, 2, 0, 0, 0, 0));
        }
        assertThatThrownBy(() -> new Recorder.Totals(5, 3, 0, 1, 0, 0)).hasMessageContaining("5 sent are not 3");
    }

    @Test
    void anAcknowledgementWithoutAnOffsetNamesNone() throws IOException {
        Path file = dir.resolve("history.edn");
        try (HistoryWriter writer = HistoryWriter.create(file, System::nanoTime)) {
            Recorder recorder = new Recorder(writer, "t", 1);
            recorder.acknowledged(recorder.sending("p", 0, 7), -1);
        }
        assertThat(KafkaOps.parse(HistoryReader.readAll(file).get(1)))
                .containsExactly(new KafkaOps.Send("t-0", 7L, null));
    }

    @Test
    void aFailureIsDefiniteOnlyIfTheOneAttemptWasRefused() {
        assertThat(SendOutcome.definitelyFailed(new NotEnoughReplicasException("x"), 1))
                .isTrue();
        assertThat(SendOutcome.definitelyFailed(new NotEnoughReplicasException("x"), 2))
                .isFalse();
        assertThat(SendOutcome.definitelyFailed(new NotEnoughReplicasAfterAppendException("x"), 1))
                .isFalse();
        assertThat(SendOutcome.definitelyFailed(new TimeoutException("x"), 1)).isFalse();
        assertThat(SendOutcome.definitelyFailed(new NetworkException("x"), 1)).isFalse();
    }
}
