package io.tidemark.history.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.history.edn.EdnException;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.wgl.WglEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryCheckerTest {
    private static final String REGISTER = """
            {:process 0 :type :invoke :f :write :value 1}
            {:process 0 :type :ok :f :write :value 1}
            {:process 1 :type :invoke :f :read :value nil}
            {:process 1 :type :ok :f :read :value 2}
            """;

    @TempDir
    private Path dir;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("history.edn"), text);
    }

    @Test
    void aFileIsCheckedWithWhatFitsIt() throws IOException {
        HistoryResult result = HistoryChecker.check(file(REGISTER));
        assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.model()).isEqualTo(HistoryModel.REGISTER);
        assertThat(result.operations()).isEqualTo(2);
        assertThat(result.ok()).isEqualTo(2);
        assertThat(result.processes()).isEqualTo(2);
        assertThat(result.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.minimal()).isTrue();
            assertThat(finding.operations()).containsExactly(2L, 3L);
            assertThat(finding.explanation())
                    .isEqualTo("process 1 read 2 (operations 2 and 3), but no order of the others explains it; with"
                            + " those that bear on it, the register holds nil");
        });
    }

    /** Whatever model is named. */
    @Test
    void whatWasNeverAnsweredHoldsNothing() throws IOException {
        Path asked = file("{:index 0 :process 0 :type :invoke :f :read :value nil}");
        for (HistoryResult result : List.of(
                HistoryChecker.check(asked),
                HistoryChecker.check(HistorySource.of(asked), HistoryModel.REGISTER, options -> options, List.of()))) {
            assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(result.cause()).isEqualTo("no operation of a client was answered");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":read|nil|REGISTER",
                ":cas|[1 2]|CAS_REGISTER",
                ":txn|[[:read :x 1]]|MULTI_REGISTER",
                ":txn|[[:send 1 2]]|LOG",
                ":poll|[[:poll]]|LOG",
                ":acquire|nil|MUTEX",
                ":create|\"t\"|TOPIC",
            })
    void theModelIsFoundOut(String f, String value, HistoryModel model) throws IOException {
        Path file = file("{:process 0 :type :invoke :f " + f + " :value " + value + "}");
        assertThat(HistoryChecker.check(file).model()).isEqualTo(model);
    }

    @Test
    void nothingIsNoEvidence() throws IOException {
        HistoryResult result = HistoryChecker.check(file("{:process :nemesis :type :info :f :kill}"));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.code()).isEqualTo(HistoryChecker.EMPTY);
    }

    @Test
    void aLogWithoutAFinalReadIsUnknown() throws IOException {
        HistoryResult result = HistoryChecker.check(file("""
                {:process 0 :type :invoke :f :send :value [[:send "t-0" 1]]}
                {:process 0 :type :ok :f :send :value [[:send "t-0" [0 1]]]}
                """));
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.code()).isEqualTo(HistoryChecker.NO_FINAL_READ);
        assertThat(result.cause()).isEqualTo("no complete final read of t-0: nothing can be said about loss");
        assertThat(result.findings()).extracting("type").containsExactly("unseen");
    }

    @Test
    void anUnknownOperationIsNamed() throws IOException {
        Path file = file("{:process 0 :type :invoke :f :dance}");
        assertThatThrownBy(() -> HistoryChecker.check(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no model has the operations dance; expected --model");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{:process 0 :type :ok :f :read :value 1}|1:1: operation 0: process 0 completes an operation that it did"
                        + " not invoke",
                "{:process 0 :type :invoke :f :read} {:process 0 :type :invoke :f :read}|1:37: operation 1: process 0 has"
                        + " an operation open; expected its completion",
                "{:process 0 :type :invoke :f :read} {:process 0 :type :ok :f :write}|1:37: operation 1: process 0"
                        + " completes a :write; expected :read",
            })
    void whatDoesNotPairIsRefusedWithItsPlace(String text, String message) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> HistoryChecker.check(file))
                .isInstanceOf(EdnException.class)
                .hasMessage(message);
    }

    /** An engine that says what it is told to. */
    private record Parrot(Outcome says) implements Engine {
        @Override
        public String name() {
            return "parrot";
        }

        @Override
        public boolean decides(HistoryModel model) {
            return model != HistoryModel.KV;
        }

        @Override
        public EngineResult check(HistorySource history, CheckOptions options) {
            String cause = says == Outcome.UNKNOWN ? "tired" : null;
            return new EngineResult("parrot", says, cause, 0, 0, List.of(), List.of());
        }
    }

    private HistoryResult with(Outcome says) throws IOException {
        return HistoryChecker.check(
                HistorySource.of(file(REGISTER)), null, options -> options, List.of(new WglEngine(), new Parrot(says)));
    }

    @Test
    void enginesThatDifferLeaveItOpen() throws IOException {
        HistoryResult result = with(Outcome.VALID);
        assertThat(result.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(result.code()).isEqualTo(HistoryChecker.ENGINES_DISAGREE);
        assertThat(result.cause()).isEqualTo("engine parrot says valid, engine wgl says invalid");
    }

    @Test
    void anEngineThatDoesNotKnowContradictsNobody() throws IOException {
        assertThat(with(Outcome.UNKNOWN).outcome()).isEqualTo(Outcome.INVALID);
        assertThat(with(Outcome.INVALID).outcome()).isEqualTo(Outcome.INVALID);
    }

    @Test
    void anEngineIsNotAskedForWhatItCannotDecide() throws IOException {
        Path file = file("{:process 0 :type :invoke :f :get :key 1}");
        assertThatThrownBy(() -> HistoryChecker.check(
                        HistorySource.of(file), null, options -> options, List.of(new Parrot(Outcome.VALID))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("engine parrot does not decide histories of the model kv");
    }
}
