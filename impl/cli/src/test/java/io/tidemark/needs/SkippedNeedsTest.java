package io.tidemark.needs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports as Surefire and Failsafe 3.5 write them. */
class SkippedNeedsTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final String RAN = """
            <testsuite name="a.RanTest" tests="1" skipped="0">
              <testcase name="runs" classname="a.RanTest"><system-out>skipped</system-out></testcase>
            </testsuite>
            """;
    private static final String NEEDY = """
            <testsuite name="a.NeedyIT" tests="4" skipped="4">
              <testcase name="each(String)[1]" classname="a.NeedyIT">
                <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: kcat: apt-get install kcat
            \tat a.NeedyIT.each(NeedyIT.java:7)
            ]]></skipped>
              </testcase>
              <testcase name="each(String)[2]" classname="a.NeedyIT">
                <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: kcat: apt-get install kcat
            \tat a.NeedyIT.each(NeedyIT.java:7)
            ]]></skipped>
              </testcase>
              <testcase name="other" classname="a.NeedyIT"><skipped message="Knossos: on Clojars"/></testcase>
              <testcase name="long" classname="a.NeedyIT">
                <skipped message="System property [x] does not exist ==&gt; left out: without -Dx=y, an hour"/>
              </testcase>
            </testsuite>
            """;

    @TempDir
    private Path root;

    @BeforeEach
    void modules() throws IOException {
        Files.writeString(
                root.resolve("pom.xml"),
                "<project><modules><module>one</module><module>deep/two</module></modules></project>");
        report("one/target/surefire-reports/TEST-a.RanTest.xml", RAN);
        report("deep/two/target/surefire-reports/TEST-a.RanTest.xml", RAN);
    }

    private Path report(String path, String xml) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, xml);
        Files.setLastModifiedTime(file, FileTime.from(START));
        return file;
    }

    private SkippedNeeds skipped() throws IOException {
        return SkippedNeeds.of(root, START);
    }

    @Test
    void whereAllRanThereIsNothingToTell() throws IOException {
        assertThat(skipped().failures(List.of())).isEmpty();
        assertThat(skipped()).hasToString("""
                        Not tested for want of something: nothing
                        Not asked for: nothing
                        No test ran: nothing
                        """);
    }

    @Test
    void eachTestOfEachModuleIsNamedWithWhatItNeeds() throws IOException {
        report("deep/two/target/failsafe-reports/TEST-a.NeedyIT.xml", NEEDY);
        assertThat(skipped()).hasToString("""
                        Not tested for want of something:
                          deep/two: NeedyIT.each (2 times): kcat: apt-get install kcat
                          deep/two: NeedyIT.other: Knossos: on Clojars
                        Not asked for:
                          deep/two: NeedyIT.long: left out: without -Dx=y, an hour
                        No test ran: nothing
                        """);
    }

    @Test
    void aMissingNeedFailsABuildThatSparesAnotherOne() throws IOException {
        report("deep/two/target/failsafe-reports/TEST-a.NeedyIT.xml", NEEDY);
        assertThat(skipped().failures(List.of("Knossos")))
                .containsExactly("deep/two: NeedyIT.each (2 times): kcat: apt-get install kcat");
        assertThat(skipped().failures(List.of("Knossos", "kcat"))).isEmpty();
        assertThat(skipped().failures(List.of(""))).hasSize(2);
    }

    /** JUnit tells Surefire of no test where a whole class, a factory or a source of arguments is skipped. */
    @Test
    void aClassOfWhichNothingRanIsSkipped() throws IOException {
        report("one/target/surefire-reports/TEST-a.NoneTest.xml", "<testsuite name=\"a.NoneTest\" tests=\"0\"/>");
        assertThat(skipped().failures(List.of("Knossos"))).containsExactly("one: NoneTest: no reason given");
    }

    @Test
    void whatAnotherBuildLeftIsNotOfThisOne() throws IOException {
        Path old = report("one/target/surefire-reports/TEST-a.NeedyIT.xml", NEEDY);
        Files.setLastModifiedTime(old, FileTime.from(START.minusSeconds(1)));
        assertThat(skipped().failures(List.of())).isEmpty();
        Files.setLastModifiedTime(
                root.resolve("one/target/surefire-reports/TEST-a.RanTest.xml"), FileTime.from(START.minusSeconds(1)));
        assertThat(skipped().failures(List.of("Knossos"))).containsExactly("one: no test ran");
        assertThat(skipped().toString()).endsWith("No test ran:\n  one\n");
    }

    @Test
    void aReportThatBreaksOffIsNoReport() throws IOException {
        report("one/target/surefire-reports/TEST-a.CrashTest.xml", RAN.substring(0, 60));
        assertThatThrownBy(this::skipped).isInstanceOf(IOException.class).hasMessageContaining("TEST-a.CrashTest.xml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            org.opentest4j.TestAbortedException: Assumption failed: tmpfs: not for this user | tmpfs | tmpfs: not for this user
            System property [a] with value [b] matches regular expression [b] ==> root: no   | root  | root: no
            "org.opentest4j.TestAbortedException: Assumption failed: "  | no reason given | no reason given
            org.opentest4j.TestAbortedException                         | no reason given | no reason given
            void a.NeedyIT.gone() is @Disabled | void a.NeedyIT.gone() is @Disabled | void a.NeedyIT.gone() is @Disabled
            """)
    void theNeedIsWhatTheReasonBeginsWith(String message, String need, String reason) {
        SkippedNeeds.Skip skip = new SkippedNeeds.Skip("one", "ATest.a", 1, SkippedNeeds.reason(message));
        assertThat(skip.reason()).isEqualTo(reason);
        assertThat(skip.need()).isEqualTo(need);
        assertThat(skip.leftOut()).isFalse();
    }
}
