package io.tidemark.history.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault of the simulated broker shows as the anomaly that it leads to. */
class FaultTest {
    private static List<Operation> log(long seed, Fault fault) {
        return HistoryGenerator.generate(new GeneratorSpec(HistoryModel.LOG, seed, 400, 6, 0, 2, fault));
    }

    private static HistoryResult check(List<Operation> history) throws IOException {
        return HistoryChecker.check(
                HistorySource.of(history), null, options -> options.withStrongReads(true), List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "LOSE_TAIL, lost",
        "LOSE_TAIL, offset-reused",
        "LOSE_TAIL, offset-acked-twice",
        "FORGET, lost",
        "MISTELL_OFFSET, misplaced",
        "MISTELL_OFFSET, ack-contradicted",
        "SERVE_UNREPLICATED, dirty-read",
        "APPEND_TWICE, duplicate",
        "OVERTAKE, client-order",
        "FILL_BELOW, real-time-order",
        "INVENT, phantom",
        "REFUSE_AND_APPEND, failed-read",
        "MIX_UP, inconsistent-offset",
        "REWIND, nonmonotonic-poll",
        "SKIP, poll-skip",
        "LEAVE_HOLE, gap",
        "STALE_END, hw-regress",
        "STALE_END, stale-read",
    })
    void aFaultShowsAsItsAnomaly(Fault fault, String anomaly) throws IOException {
        HistoryResult result = check(log(7, fault));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings()).extracting(Finding::type).contains(anomaly);
    }

    @ParameterizedTest
    @EnumSource(HistoryModel.class)
    void withoutAFaultEveryHistoryIsValid(HistoryModel model) throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            List<Operation> history =
                    HistoryGenerator.generate(new GeneratorSpec(model, seed, 100, 5, 4, 2, Fault.NONE));
            HistoryResult result =
                    HistoryChecker.check(HistorySource.of(history), model, options -> options, List.of());
            assertThat(result.outcome()).as("seed %s: %s", seed, result).isEqualTo(Outcome.VALID);
        }
    }

    @Test
    void aSpecGivesOneHistory() {
        assertThat(log(3, Fault.LOSE_TAIL)).isEqualTo(log(3, Fault.LOSE_TAIL)).isNotEqualTo(log(4, Fault.LOSE_TAIL));
    }

    @Test
    void aFaultOfAnotherObjectIsRefused() {
        assertThatThrownBy(() -> new GeneratorSpec(HistoryModel.KV, 0, 1, 1, 0, 1, Fault.LOSE_TAIL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("generate: the fault lose-tail is none of a kv");
    }
}
