package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.workload.fault.FaultKind;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class DrillJunitTest {
    private final Outcomes.Builder drill = new Outcomes.Builder();

    /** The suite's element, its numbers checked against what it holds. */
    private Element suite(boolean expectLoss, boolean interrupted) throws Exception {
        DrillConfig config = Outcomes.config("1", expectLoss);
        DrillOutcome outcome = drill.build();
        DrillVerdict verdict = interrupted
                ? DrillVerdict.interrupted(outcome, ExitCode.INTERRUPTED)
                : DrillVerdict.of(config, outcome);
        String xml = DrillJunit.of(config, outcome, verdict);
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        assertThat(count(suite, "testcase")).isEqualTo(number(suite, "tests"));
        assertThat(count(suite, "failure")).isEqualTo(number(suite, "failures"));
        assertThat(count(suite, "error")).isEqualTo(number(suite, "errors"));
        assertThat(count(suite, "skipped")).isEqualTo(number(suite, "skipped"));
        return suite;
    }

    private static int count(Element suite, String name) {
        return suite.getElementsByTagName(name).getLength();
    }

    private static int number(Element suite, String attribute) {
        return Integer.parseInt(suite.getAttribute(attribute));
    }

    private static String message(Element suite, String element, int index) {
        return ((Element) suite.getElementsByTagName(element).item(index)).getAttribute("message");
    }

    @Test
    void aDrillThatHoldsPassesWithACaseForEachPromiseAndFault() throws Exception {
        Element suite = suite(false, false);
        assertThat(number(suite, "tests")).isEqualTo(5 + 1 + 5);
        assertThat(number(suite, "failures") + number(suite, "errors") + number(suite, "skipped"))
                .isZero();
    }

    @Test
    void aLostRecordFailsItsPromiseAndTheVerdict() throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        Element suite = suite(false, false);
        assertThat(number(suite, "failures")).isEqualTo(2);
        assertThat(message(suite, "failure", 0)).startsWith("1 lost: record 42, acknowledged at offset 1, is gone");
        assertThat(message(suite, "failure", 1)).startsWith("VIOLATED: LOST: ");
    }

    @Test
    void expectedLossPasses() throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        assertThat(number(suite(true, false), "failures")).isZero();
    }

    @Test
    void evidenceThatIsMissingIsAnErrorAndAFaultWithoutEffectIsSkipped() throws Exception {
        drill.faults.set(0, Outcomes.fault(1, FaultKind.KILL, false));
        Element suite = suite(false, false);
        assertThat(message(suite, "error", 0)).startsWith("UNKNOWN: FAULT_WITHOUT_EFFECT: no kill took effect");
        assertThat(message(suite, "skipped", 0)).startsWith("node 2 (process 12)");
    }

    @Test
    void anInterruptedDrillIsAnError() throws Exception {
        drill.interrupted = true;
        assertThat(message(suite(false, true), "error", 0)).startsWith("UNKNOWN: INTERRUPTED: ");
    }

    @Test
    void whatXmlCannotCarryIsReplaced() throws Exception {
        drill.trouble = "a <b> & \"c\" \u0007";
        assertThat(message(suite(false, false), "error", 0)).contains("a <b> & \"c\" ?");
    }
}
