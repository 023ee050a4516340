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
import org.w3c.dom.NodeList;

class DrillJunitTest {
    private final Outcomes.Builder drill = new Outcomes.Builder();

    /** The suite's element, its numbers checked against what it holds. */
    private Element suite(boolean expectLoss, boolean interrupted) throws Exception {
        return suite(Outcomes.config("1", expectLoss), interrupted);
    }

    private Element suite(DrillConfig config, boolean interrupted) throws Exception {
        DrillOutcome outcome = drill.build();
        DrillVerdict verdict = interrupted
                ? DrillVerdict.interrupted(outcome, ExitCode.INTERRUPTED)
                : DrillVerdict.of(config, outcome);
        String xml = DrillJunit.of(config, outcome, verdict, 70_250);
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        assertThat(count(suite, "testcase")).isEqualTo(number(suite, "tests"));
        assertThat(count(suite, "failure")).isEqualTo(number(suite, "failures"));
        assertThat(count(suite, "error")).isEqualTo(number(suite, "errors"));
        assertThat(count(suite, "skipped")).isEqualTo(number(suite, "skipped"));
        assertThat(number(suite, "failures") > 0)
                .as("failures if and only if the exit code is 1")
                .isEqualTo(verdict.exitCode() == ExitCode.VIOLATED);
        assertThat(number(suite, "errors") > 0)
                .as("errors if and only if it is another one than 0")
                .isEqualTo(verdict.exitCode() != ExitCode.OK && verdict.exitCode() != ExitCode.VIOLATED);
        return suite;
    }

    /** How a case ended: the message of what it holds with the element's name before, or "passed". */
    private static String end(Element suite, String name) {
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element each = (Element) cases.item(i);
            if (each.getAttribute("name").equals(name)) {
                NodeList inside = each.getElementsByTagName("*");
                return inside.getLength() == 0
                        ? "passed"
                        : inside.item(0).getNodeName() + " " + ((Element) inside.item(0)).getAttribute("message");
            }
        }
        return "no such case";
    }

    private static String property(Element suite, String name) {
        NodeList all = suite.getElementsByTagName("property");
        for (int i = 0; i < all.getLength(); i++) {
            Element each = (Element) all.item(i);
            if (each.getAttribute("name").equals(name)) {
                return each.getAttribute("value");
            }
        }
        return "no such property";
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
        assertThat(number(suite, "tests"))
                .as("promises, verdict, faults, and what was asked for and not tested")
                .isEqualTo(6 + 1 + 5 + 6);
        assertThat(number(suite, "failures") + number(suite, "errors")).isZero();
        assertThat(number(suite, "skipped")).isEqualTo(6);
        assertThat(end(suite, "kill@controller")).isEqualTo("skipped asked for and never injected");
        assertThat(end(suite, "kill@leader")).as("it is covered").isEqualTo("no such case");
        assertThat(suite.getAttribute("time")).as("the whole command's").isEqualTo("70.250");
    }

    @Test
    void aLostRecordFailsItsPromiseAndTheVerdict() throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        Element suite = suite(false, false);
        assertThat(number(suite, "failures")).isEqualTo(2);
        assertThat(message(suite, "failure", 0))
                .startsWith("1 lost (acks=1 permits it: the leader acknowledges before")
                .contains("): record 42, acknowledged at offset 1, is gone");
        assertThat(message(suite, "failure", 1)).startsWith("VIOLATED: LOST: ");
    }

    @Test
    void expectedLossPasses() throws Exception {
        drill.log = Outcomes.log(true, List.of(41L, 42L), List.of(41L));
        Element suite = suite(true, false);
        assertThat(end(suite, "the loss that --expect loss asked for occurred")).isEqualTo("passed");
        assertThat(end(suite, "no acknowledged record is lost"))
                .as("not true, and not passed")
                .startsWith("skipped expected: 1 lost (acks=1 permits it: ");
        assertThat(property(suite, "lost")).isEqualTo("1");
        assertThat(property(suite, "verdict")).isEqualTo("VIOLATED");
    }

    @Test
    void expectedLossThatDoesNotComeFailsTheExpectationAlone() throws Exception {
        Element suite = suite(true, false);
        assertThat(number(suite, "failures")).isEqualTo(1);
        assertThat(end(suite, "the loss that --expect loss asked for occurred")).startsWith("failure HOLDS: NO_LOSS: ");
        assertThat(end(suite, "no acknowledged record is lost")).isEqualTo("passed");
    }

    @Test
    void whatTheSettingsAllowIsNotSilent() throws Exception {
        drill.log = Outcomes.log(false, true, List.of(1L, 2L), List.of(1L, 2L, 2L));
        Element suite = suite(false, false);
        assertThat(end(suite, "no record is there twice"))
                .startsWith("skipped allowed by the settings: 1 duplicate (enable.idempotence=false permits it: ");
    }

    @Test
    void oneReplicaCannotBeComparedWithAnother() throws Exception {
        assertThat(end(suite(Outcomes.single(), false), "replicas are equal below the high watermark"))
                .startsWith("skipped not checked: a partition has one replica");
    }

    @Test
    void evidenceThatIsMissingIsAnErrorAndAFaultWithoutEffectIsSkipped() throws Exception {
        drill.faults.set(0, Outcomes.fault(1, FaultKind.KILL, false));
        Element suite = suite(false, false);
        assertThat(message(suite, "error", 0)).startsWith("UNKNOWN: FAULT_WITHOUT_EFFECT: no kill took effect");
        assertThat(end(suite, "1 kill@leader")).startsWith("skipped node 2 (process 12)");
        assertThat(end(suite, "kill@leader")).isEqualTo("skipped asked for and injected, but without effect");
        assertThat(end(suite, "2 freeze@leader")).isEqualTo("passed");
    }

    @Test
    void withoutFaultsNothingPasses() throws Exception {
        drill.faults.clear();
        drill.acknowledgedDuringFaults = 0;
        Element suite = suite(false, false);
        assertThat(number(suite, "tests")).isEqualTo(6 + 1 + 10);
        assertThat(number(suite, "skipped")).isEqualTo(6 + 10);
        assertThat(number(suite, "errors")).isEqualTo(1);
        assertThat(end(suite, "no acknowledged record is lost"))
                .startsWith(
                        "skipped nothing was found, but the evidence does not suffice: 0 records were acknowledged while a fault was active");
    }

    @Test
    void whatAFinalReadCutShortLeavesOpenIsNoPass() throws Exception {
        drill.finalReadComplete = false;
        drill.log = Outcomes.ackedTwice();
        Element suite = suite(false, false);
        assertThat(end(suite, "no acknowledgement contradicts another or what readers were given"))
                .startsWith("failure 1 offset-acked-twice (acks=1 permits it: ");
        assertThat(end(suite, "no reader sees what others do not"))
                .startsWith("skipped nothing was found, but the evidence does not suffice: ");
        assertThat(end(suite, "no acknowledged record is lost"))
                .startsWith(
                        "skipped nothing was found, but the evidence does not suffice: not every partition was read to its end offset");
        assertThat(end(suite, "no record is there twice")).startsWith("skipped ");
        assertThat(property(suite, "lost")).isEqualTo("unknown");
        assertThat(property(suite, "duplicated")).isEqualTo("unknown");
    }

    @Test
    void anInterruptedDrillIsAnError() throws Exception {
        drill.interrupted = true;
        drill.finalReadComplete = false;
        drill.replicasCompared = 0;
        Element suite = suite(false, true);
        assertThat(message(suite, "error", 0)).startsWith("UNKNOWN: INTERRUPTED: ");
        assertThat(number(suite, "skipped"))
                .as("all promises, and what was not tested")
                .isEqualTo(6 + 6);
        assertThat(end(suite, "no acknowledged record is lost"))
                .isEqualTo("skipped not checked: the drill ended before its final read");
        assertThat(property(suite, "lost")).isEqualTo("unknown");
    }

    @Test
    void whatAnInterruptedDrillSawWrongIsAnErrorToo() throws Exception {
        drill.interrupted = true;
        drill.log = Outcomes.log(true, List.of(1L), List.of(1L, 77L));
        assertThat(end(suite(false, true), "no reader sees what others do not"))
                .startsWith("error 1 phantom (no setting of this drill permits it");
    }

    @Test
    void whatXmlCannotCarryIsReplaced() throws Exception {
        drill.trouble = List.of(new DrillVerdict.Reason("RUN_FAILED", "a <b> & \"c\" \u0007"));
        assertThat(message(suite(false, false), "error", 0)).contains("a <b> & \"c\" ?");
    }
}
