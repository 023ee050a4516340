package io.tidemark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.HistoryReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class HistoryCommandTest {
    private static final String VALID = """
            [{:process 0 :type :invoke :f :write :value 1} {:process 0 :type :ok :f :write :value 1}
             {:process 1 :type :invoke :f :read :value nil} {:process 1 :type :ok :f :read :value 1}]
            """;
    private static final String INVALID = VALID.replace(":f :read :value 1", ":f :read :value 2");
    private static final String NO_FINAL_READ = """
            {:process 0 :type :invoke :f :send :value [[:send "t-0" 1]]}
            {:process 0 :type :ok :f :send :value [[:send "t-0" [0 1]]]}
            """;

    @TempDir
    Path dir;

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    private static Cli check(String... words) {
        List<String> all = new ArrayList<>(List.of("history", "check"));
        all.addAll(List.of(words));
        return Cli.run(all.toArray(String[]::new));
    }

    @Test
    void aValidHistoryHolds() throws IOException {
        Cli run = check(file("a.edn", VALID));
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .matches(
                        "(?s).*a\\.edn: VALID \\(model register, 2 operations of 2 processes: 2 ok, 0 fail, 0 info; wgl"
                                + " \\d+ ms\\)\n");
    }

    @Test
    void anInvalidOneIsExplainedWithTheOperationsThatContradictEachOther() throws IOException {
        Cli run = check(file("a.edn", INVALID));
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out())
                .contains("a.edn: INVALID (", "\n  not-linearizable: process 1 read 2 (operations 2 and 3)")
                .endsWith("\n    operations 2, 3\n");
    }

    @Test
    void aLogWithoutAFinalReadIsUnknown() throws IOException {
        Cli run = check(file("a.edn", NO_FINAL_READ), "--format", "json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        JsonNode document = Schemas.validated("history-check", run.out());
        assertThat(document.path("verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.path("reasons").get(0).path("code").asText()).isEqualTo("NO_FINAL_READ");
        JsonNode file = document.path("files").get(0);
        assertThat(file.path("model").asText()).isEqualTo("log");
        assertThat(file.path("finalPhase").asBoolean()).isFalse();
        assertThat(file.path("anomalies").get(0).path("type").asText()).isEqualTo("unseen");
        assertThat(document.path("notTested")).isNotEmpty();
    }

    /** VALID is bounded, and the text says by what, as the document does. */
    @Test
    void aValidLogTellsItsFinalReadAndWhatIsNotTested() throws IOException {
        String read = NO_FINAL_READ + """
                {:process 1 :type :invoke :f :final-read :value nil}
                {:process 1 :type :invoke :f :poll :value [[:poll]]}
                {:process 1 :type :ok :f :poll :value [[:poll {"t-0" [[0 1]]}]]}
                {:process 1 :type :ok :f :final-read :value {"t-0" {:start 0 :end 1 :complete true}}}
                """;
        String bound =
                "not tested: whether readers that asked where a log ends were told all that had been acknowledged"
                        + " (--strong-reads)\n";
        Cli run = check(file("a.edn", read));
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("a.edn: VALID (", "\n  final read: complete for 1 of the 1 partitions that it names\n")
                .endsWith(bound);
        assertThat(check(file("a.edn", read), "--strong-reads").out()).doesNotContain("not tested");
        Cli unread = check(file("b.edn", NO_FINAL_READ), "--engine", "wgl");
        assertThat(unread.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(unread.out())
                .contains("\n  final read: none: records that nobody saw again may be lost\n")
                .contains("not tested: engine wgl judges the order in the log alone")
                .endsWith(bound);
    }

    @Test
    void ofSeveralFilesTheWorstCounts() throws IOException {
        String valid = file("valid.edn", VALID);
        String invalid = file("invalid.edn", INVALID);
        String unknown = file("unknown.edn", NO_FINAL_READ);
        String malformed = file("malformed.edn", "{:process 0");
        assertThat(check(valid, unknown).exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(check(valid, unknown, malformed).exitCode()).isEqualTo(ExitCode.INPUT);
        Cli all = check(valid, unknown, malformed, invalid, "--quiet");
        assertThat(all.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(all.out())
                .isEqualTo(valid + "\tvalid\n" + unknown + "\tunknown\n" + malformed + "\tunknown\n" + invalid
                        + "\tinvalid\n");
        assertThat(all.err()).isEqualTo("tidemark: " + malformed + ":1:12: the text ended; expected }\n");
        Schemas.validated(
                "history-check",
                check(valid, unknown, malformed, invalid, "--format", "json").out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{:process 0|:1:12: the text ended; expected }",
                "{:process 0 :type :ok :f :read}|:1:1: operation 0: process 0 completes an operation that it did not"
                        + " invoke; expected operations, as {:process 0 :type :invoke :f :read :value nil}",
                "{:process 0 :type :invoke :f :dance}|: no model has the operations dance; expected --model",
            })
    void whatIsNoHistoryIsFourWithItsPlace(String text, String message) throws IOException {
        String file = file("a.edn", text);
        Cli run = check(file);
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err()).isEqualTo("tidemark: " + file + message + "\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsFour() {
        Cli run = check("/nonexistent/a.edn");
        assertThat(run.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err())
                .isEqualTo("tidemark: /nonexistent/a.edn: there is no such file; a history in EDN, in UTF-8\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--model regster|history check --model: unknown name 'regster'; one of log, register, cas-register,"
                        + " multi-register, mutex, kv, topic",
                "--engine wlg|history check --engine: unknown name 'wlg'; one of log, wgl, knossos,"
                        + " knossos-linear, knossos-wgl",
                "--engine log --model kv|history check --engine log: it does not decide histories of the model kv; another"
                        + " engine, or leave --engine out",
                "--budget 5|history check --budget: bad value '5'; a time as 30s, 5m or 500ms",
                "--initial {|history check --initial: bad value '{': the text ended; expected }; one form of EDN, as 0 or"
                        + " '{:x 0 :y 0}'",
            })
    void whatIsWrongOnTheCommandLineIsTwo(String words, String message) throws IOException {
        List<String> all = new ArrayList<>(List.of(file("a.edn", VALID)));
        all.addAll(List.of(words.split(" ")));
        Cli run = check(all.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).isEqualTo("tidemark: " + message + "\n");
    }

    @Test
    void withoutKnossosItsEnginesAreFiveAndSayHowToGetIt() throws IOException {
        Cli run = check(file("a.edn", VALID), "--engine", "wgl,knossos", "--knossos-classpath", dir.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo("tidemark: history check --engine knossos: no knossos/competition.clj in '" + dir
                        + "'; give the"
                        + " class path of Knossos and its libraries, which are on Clojars, by --knossos-classpath or"
                        + " KNOSSOS_CLASSPATH; docs/knossos.md says how to get them\n");
    }

    /** A class path that has the name and not the thing: the JVM is forked, and what it says is told. */
    @Test
    void aBrokenKnossosIsUnknownAndNotAVerdict() throws IOException {
        Files.createDirectories(dir.resolve("knossos"));
        Files.writeString(dir.resolve("knossos/competition.clj"), "(ns knossos.competition)");
        Cli run = check(file("a.edn", VALID), "--engine", "knossos", "--knossos-classpath", dir.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out())
                .contains(
                        "Knossos threw java.lang.IllegalStateException: no analysis in knossos.competition: another version"
                                + " of Knossos?");
    }

    /** The same files as a page, a suite and a summary: what is invalid fails, what is unknown never passes. */
    @Test
    void thePageTheSuiteAndTheSummaryTellTheSame() throws Exception {
        Path html = dir.resolve("page.html");
        Path junit = dir.resolve("suite.xml");
        Path md = dir.resolve("summary.md");
        Cli run = check(
                file("valid.edn", VALID),
                file("invalid<b>.edn", INVALID),
                file("unknown.edn", NO_FINAL_READ),
                file("malformed.edn", "{:process 0"),
                "--out",
                "html=" + html,
                "--out",
                "junit=" + junit,
                "--out",
                "md=" + md);
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(Files.readString(html))
                .contains("invalid&lt;b&gt;.edn", "process 1 read 2 (operations 2 and 3)", "default-src 'none'")
                .doesNotContain("<b>.edn", "<script", "http://", "https://");
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(junit.toFile())
                .getDocumentElement();
        assertThat(List.of("tests", "failures", "errors", "skipped").stream().map(suite::getAttribute))
                .containsExactly("4", "1", "2", "0");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(4);
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(suite.getElementsByTagName("error").getLength()).isEqualTo(2);
        assertThat(Files.readString(md))
                .startsWith("# Histories: VIOLATED\n")
                .contains("| INVALID | register | 2 |", "invalid&lt;b>.edn: not-linearizable: process 1 read 2");
    }

    @Test
    void modelInitialValueAndEnginesAreTheUsers() throws IOException {
        String read = file(
                "a.edn",
                "{:process 0 :type :invoke :f :read} {:process 0 :type :ok :f :read :value 7}"
                        + "{:process 0 :type :invoke :f :cas :value [7 8]} {:process 0 :type :fail :f :cas :value [7 8]}");
        assertThat(check(read).exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(check(read, "--initial", "7").exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(check(read, "--initial", "7", "--model", "register").exitCode())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void whatIsGeneratedIsTheSameEachTimeAndChecksAsItShould() throws IOException {
        String[] words = {"history", "generate", "--seed", "5", "--operations", "300"};
        Cli once = Cli.run(words);
        assertThat(once.out()).isEqualTo(Cli.run(words).out());
        assertThat(once.err()).isEqualTo("seed 5\n");
        HistoryReader.read(new StringReader(once.out()), op -> {});
        assertThat(check(file("log.edn", once.out()), "--engine", "log,wgl", "--strong-reads")
                        .exitCode())
                .isEqualTo(ExitCode.OK);
        Path faulty = dir.resolve("faulty.edn");
        Cli.run("history", "generate", "--seed", "5", "--fault", "lose-tail", "--out", "edn=" + faulty);
        Cli checked = check(faulty.toString(), "--format", "json");
        assertThat(checked.exitCode()).isEqualTo(ExitCode.VIOLATED);
        JsonNode document = Schemas.validated("history-check", checked.out());
        assertThat(document.path("files").get(0).path("anomalies")).anySatisfy(anomaly -> {
            assertThat(anomaly.path("type").asText()).isEqualTo("offset-reused");
            assertThat(anomaly.path("explanation").asText()).containsPattern("in epoch \\d+, was");
        });
    }

    @Test
    void aFaultOfAnotherModelIsTwo() {
        Cli run = Cli.run("history", "generate", "--model", "kv", "--fault", "lose-tail");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo("tidemark: history generate: the fault lose-tail is none of a kv; another --fault, see"
                        + " --help\n");
    }

    @Test
    void noSubcommandIsTwo() {
        assertThat(Cli.run("history").exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
