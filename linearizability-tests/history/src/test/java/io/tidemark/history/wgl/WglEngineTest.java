package io.tidemark.history.wgl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.Operation;
import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WglEngineTest {
    /** Builds histories: {@code call} is an operation that nothing overlaps. */
    private static final class Built {
        final List<Operation> operations = new ArrayList<>();

        Built invoke(long process, String f, @Nullable Object value) {
            return add(process, Operation.Type.INVOKE, f, value);
        }

        Built ok(long process, String f, @Nullable Object value) {
            return add(process, Operation.Type.OK, f, value);
        }

        Built add(long process, Operation.Type type, String f, @Nullable Object value) {
            operations.add(new Operation(operations.size(), 0, process, type, f, value, null, Map.of()));
            return this;
        }

        Built call(long process, String f, @Nullable Object in, @Nullable Object out) {
            return invoke(process, f, in).ok(process, f, out);
        }

        EngineResult check(CheckOptions options) throws IOException {
            return new WglEngine().check(HistorySource.of(operations), options);
        }

        Outcome outcome(HistoryModel model) throws IOException {
            return check(CheckOptions.of(model)).outcome();
        }
    }

    /** Writes that all overlap, none of which is ever read, and a read of something else: every order is tried. */
    private static Built hard(int writes) {
        Built built = new Built();
        for (long i = 0; i < writes; i++) {
            built.invoke(i, "write", i);
        }
        for (long i = 0; i < writes; i++) {
            built.ok(i, "write", i);
        }
        return built.call(writes, "read", null, -5L);
    }

    @Test
    void aReadMaySeeAWriteThatOverlapsItAndNoneThatFollows() throws IOException {
        Built overlaps =
                new Built().invoke(0, "read", null).call(1, "write", 7L, 7L).ok(0, "read", 7L);
        assertThat(overlaps.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.VALID);
        Built follows = new Built().call(0, "read", null, 7L).call(1, "write", 7L, 7L);
        assertThat(follows.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.INVALID);
    }

    @Test
    void aCrashedWriteMayTakeEffectLateOrNever() throws IOException {
        Built built = new Built()
                .invoke(0, "write", 7L)
                .add(0, Operation.Type.INFO, "write", 7L)
                .call(1, "write", 1L, 1L)
                .call(1, "read", null, 1L)
                .call(1, "read", null, 7L);
        assertThat(built.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.VALID);
        assertThat(built.call(1, "read", null, 1L).outcome(HistoryModel.REGISTER))
                .isEqualTo(Outcome.INVALID);
    }

    @Test
    void aFailedWriteNeverHappened() throws IOException {
        Built built = new Built()
                .invoke(0, "write", 7L)
                .add(0, Operation.Type.FAIL, "write", 7L)
                .call(1, "read", null, 7L);
        assertThat(built.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.INVALID);
    }

    @Test
    void aFailedCasObservedAnotherValueInACasRegisterOnly() throws IOException {
        Built built = new Built()
                .call(0, "write", 1L, 1L)
                .invoke(0, "cas", List.of(1L, 2L))
                .add(0, Operation.Type.FAIL, "cas", List.of(1L, 2L));
        assertThat(built.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.VALID);
        EngineResult strict = built.check(CheckOptions.of(HistoryModel.CAS_REGISTER));
        assertThat(strict.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(strict.findings().get(0).explanation())
                .isEqualTo("process 0 found another value than 1 (operations 2 and 3), but no order of the others"
                        + " explains it; with those that bear on it, the register holds 1");
    }

    @Test
    void aPollOfALogSaysWhichRecordItNeeds() throws IOException {
        Built built = new Built();
        HistoryReader.read(new StringReader("""
                        {:process 0 :type :invoke :f :send :value [[:send "t-0" 1]]}
                        {:process 0 :type :ok :f :send :value [[:send "t-0" [0 1]]]}
                        {:process 1 :type :invoke :f :poll :value [[:poll]]}
                        {:process 1 :type :ok :f :poll :value [[:poll {"t-0" [[0 1] [1 7]]}]]}
                        """), built.operations::add);
        EngineResult told = built.check(CheckOptions.of(HistoryModel.LOG));
        assertThat(told.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(told.findings().get(0).explanation())
                .startsWith(
                        "process 1 read 2 records, the first 1 at offset 0 (operations 2 and 3), which needs record 7 at"
                                + " offset 1, and no order of the others gives it that; with those that bear on it, the log ends at"
                                + " offset ");
    }

    @Test
    void aReadOfNilTellsNothingWhereNothingPutsNil() throws IOException {
        Built built = new Built().call(0, "write", 1L, 1L).call(0, "read", null, null);
        EngineResult told = built.check(CheckOptions.of(HistoryModel.REGISTER).withInitial(0L));
        assertThat(told.outcome()).isEqualTo(Outcome.VALID);
        assertThat(told.notes()).containsExactly("1 reads of nil tell nothing: nothing can have put nil there");
        assertThat(built.outcome(HistoryModel.REGISTER)).isEqualTo(Outcome.INVALID);
    }

    @Test
    void aMutexIsHeldByOne() throws IOException {
        Built built = new Built().call(0, "acquire", null, null).call(1, "acquire", null, null);
        EngineResult result = built.check(CheckOptions.of(HistoryModel.MUTEX));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings().get(0).explanation())
                .isEqualTo("process 1 acquired it (operations 2 and 3), but no order of the others explains it; with"
                        + " those that bear on it, the mutex is held");
    }

    @Test
    void topicsAreCheckedEachByItself() throws IOException {
        Built built = new Built()
                .call(0, "create", "a", "a")
                .call(0, "create", "b", "b")
                .call(1, "exists", "a", List.of("a", true))
                .call(0, "delete", "a", "a");
        assertThat(built.outcome(HistoryModel.TOPIC)).isEqualTo(Outcome.VALID);
        EngineResult result =
                built.call(1, "exists", "a", List.of("a", true)).check(CheckOptions.of(HistoryModel.TOPIC));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings().get(0).topic()).isEqualTo("\"a\"");
    }

    @Test
    void theWitnessHoldsWhatContradictsEachOtherAndNothingElse() throws IOException {
        Built built = new Built().call(9, "write", 3L, 3L);
        for (long i = 0; i < 50; i++) {
            built.call(i % 3, "write", 100 + i, 100 + i).call(3 + i % 3, "read", null, 100 + i);
        }
        int first = built.operations.size();
        built.call(0, "write", 1L, 1L).call(0, "write", 2L, 2L).call(1, "read", null, 1L);
        for (long i = 0; i < 50; i++) {
            built.call(i % 3, "write", 200 + i, 200 + i);
        }
        var finding =
                built.check(CheckOptions.of(HistoryModel.REGISTER)).findings().get(0);
        assertThat(finding.minimal()).isTrue();
        assertThat(finding.operations()).contains(first + 4L, first + 5L).hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void timeStepsAndMemoryAreLimited() throws IOException {
        CheckOptions options = CheckOptions.of(HistoryModel.REGISTER);
        EngineResult steps = hard(25).check(options.withBudget(new Budget(Duration.ofMinutes(5), 1L << 30, 1_000)));
        assertThat(steps.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(steps.cause()).isEqualTo("the budget of 1000 steps did not suffice");
        EngineResult bytes =
                hard(25).check(options.withBudget(new Budget(Duration.ofMinutes(5), 1 << 16, Long.MAX_VALUE)));
        assertThat(bytes.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(bytes.cause()).isEqualTo("the memory budget of 65536 bytes did not suffice");
        assertThat(bytes.peakBytes()).isLessThan(1 << 17);
        EngineResult time =
                hard(25).check(options.withBudget(new Budget(Duration.ofMillis(20), 1L << 30, Long.MAX_VALUE)));
        assertThat(time.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(time.cause()).isEqualTo("the time budget of 20 ms did not suffice");
    }

    @Test
    void aSearchThatIsCancelledEnds() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        EngineResult result = hard(25).check(
                        CheckOptions.of(HistoryModel.REGISTER).withCancelled(() -> asked.incrementAndGet() > 200));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.cause()).isEqualTo("cancelled");
    }

    /** The twelve writes are alike, so that there is one order of them and not twelve factorial. */
    @Test
    void operationsThatDoTheSameAreNotTriedInEveryOrder() throws IOException {
        Built built = new Built();
        for (long i = 0; i < 40; i++) {
            built.invoke(i, "write", i % 2);
        }
        built.call(100, "read", null, 5L);
        EngineResult result = built.check(
                CheckOptions.of(HistoryModel.REGISTER).withBudget(new Budget(Duration.ofMinutes(5), 1L << 28, 20_000)));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
    }

    @Test
    void onePartWithoutAnOrderEndsTheSearchOfTheOthers() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            text.append("{:process ")
                    .append(i)
                    .append(" :type :invoke :f :put :key \"hard\" :value \"")
                    .append(i)
                    .append("\"}\n");
        }
        for (int i = 0; i < 25; i++) {
            text.append("{:process ").append(i).append(" :type :ok :f :put :key \"hard\"}\n");
        }
        text.append(
                "{:process 99 :type :invoke :f :get :key \"hard\"}{:process 99 :type :ok :f :get :key \"hard\" :value \"x\"}");
        text.append(
                "{:process 99 :type :invoke :f :get :key \"k\"}{:process 99 :type :ok :f :get :key \"k\" :value \"x\"}");
        List<Operation> operations = new ArrayList<>();
        HistoryReader.read(new StringReader(text.toString()), operations::add);
        EngineResult result = new WglEngine().check(HistorySource.of(operations), CheckOptions.of(HistoryModel.KV));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.findings().get(0).explanation()).contains("key \"k\"").doesNotContain("hard");
    }
}
