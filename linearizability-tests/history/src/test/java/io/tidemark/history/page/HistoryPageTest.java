package io.tidemark.history.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryChecker;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.generate.Fault;
import io.tidemark.history.generate.GeneratorSpec;
import io.tidemark.history.generate.HistoryGenerator;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HistoryPageTest {
    private static final String HOSTILE =
            "</title><script>alert(1)</script><img src=x onerror=alert(1)>&\"'\u202Eevil\u0007";

    static List<Operation> generated(HistoryModel model, int operations, Fault fault) throws IOException {
        return HistoryGenerator.generate(new GeneratorSpec(model, 5, operations, 5, 2, 2, fault));
    }

    static PagedFile file(String name, List<Operation> history) throws IOException {
        HistoryResult result = HistoryChecker.check(history);
        return new PagedFile(name, HistorySource.of(history), result, null);
    }

    /** A register that was read as what nobody wrote, with a fault around it, of processes and values with evil names. */
    static List<Operation> hostile() {
        List<Operation> history = new ArrayList<>();
        add(history, Operation.NEMESIS, Operation.Type.INFO, "start-kill", List.of(HOSTILE));
        add(history, 0, Operation.Type.INVOKE, "write", HOSTILE);
        add(history, 1, Operation.Type.INVOKE, "read", null);
        add(history, 1, Operation.Type.OK, "read", HOSTILE + "2");
        add(history, Operation.NEMESIS, Operation.Type.INFO, "stop-kill", List.of(1L));
        add(history, 0, Operation.Type.OK, "write", HOSTILE);
        add(history, 2, Operation.Type.INVOKE, "write", 7L);
        add(history, 2, Operation.Type.INFO, "write", 7L);
        return history;
    }

    private static void add(List<Operation> history, long process, Operation.Type type, String f, Object value) {
        history.add(
                new Operation(history.size(), history.size() * 1_000_000L, process, type, f, value, null, Map.of()));
    }

    /** The page's body, which is well-formed XML as well, but for what has no end in HTML. */
    private static Element parsed(String page) throws Exception {
        String xml = page.replace("<!DOCTYPE html>", "").replaceAll("<meta [^>]*>", "");
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element root, String name) {
        NodeList list = root.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < list.getLength(); i++) {
            elements.add((Element) list.item(i));
        }
        return elements;
    }

    @Test
    void whatAHistoryBringsIsTextAndNothingElse() throws Exception {
        String page = HistoryPage.of(List.of(file(HOSTILE, hostile())));
        Element root = parsed(page);
        for (String active :
                List.of("script", "img", "iframe", "link", "object", "embed", "a", "form", "use", "image")) {
            assertThat(elements(root, active)).as(active).isEmpty();
        }
        assertThat(page)
                .contains("\\u202eevil\\u0007", "content=\"default-src 'none'; style-src 'sha256-")
                .doesNotContain("\u202E", "\u0007", " style=", "onerror=alert(1)>", "url(");
        assertThat(root.getTextContent()).contains("<script>alert(1)</script>");
    }

    @Test
    void aWitnessIsPicturedWithItsFaultsAndTheSameIsATable() throws Exception {
        Element root = parsed(HistoryPage.of(List.of(file("a.edn", hostile()))));
        assertThat(elements(root, "rect").stream().map(rect -> rect.getAttribute("class")))
                .containsExactlyInAnyOrder("band", "op ok", "op ok witness", "op info");
        List<String> rows =
                elements(root, "tr").stream().map(Element::getTextContent).toList();
        assertThat(rows).anySatisfy(row -> assertThat(row).startsWith("2, 3").endsWith("✓ ok0.0020.003◆ yes"));
        assertThat(rows).anySatisfy(row -> assertThat(row).startsWith("0, 4nemesiskill"));
        assertThat(rows).anySatisfy(row -> assertThat(row).startsWith("6, 72write 7? info"));
    }

    @Test
    void offsetsThatHoldTwoRecordsAreMarkedInTheGrid() throws Exception {
        List<Operation> history = generated(HistoryModel.LOG, 300, Fault.LOSE_TAIL);
        Element root = parsed(HistoryPage.of(List.of(file("a.edn", history))));
        List<Element> conflicts = elements(root, "tr").stream()
                .filter(row -> row.getAttribute("class").equals("conflict"))
                .toList();
        assertThat(conflicts).isNotEmpty().allSatisfy(row -> {
            assertThat(row.getTextContent()).contains("≠ conflict", "operation ");
            assertThat(elements(row, "span")).hasSizeGreaterThan(1);
        });
        assertThat(elements(root, "text").stream().map(Element::getTextContent)).contains("leader epoch 1 ");
    }

    @Test
    void aValidHistoryHasNothingToShow() throws Exception {
        Element root = parsed(HistoryPage.of(List.of(file("a.edn", generated(HistoryModel.REGISTER, 50, Fault.NONE)))));
        assertThat(elements(root, "svg")).isEmpty();
        assertThat(root.getTextContent()).contains("✓ VALID", "Nothing was found.");
    }

    @Test
    void whatCouldNotBeReadIsSaid() throws Exception {
        PagedFile file = new PagedFile("a.edn", HistorySource.of(List.of()), null, "a.edn:1:1: no <history>");
        assertThat(parsed(HistoryPage.of(List.of(file))).getTextContent()).contains("? UNKNOWN", "no <history>");
    }

    /** Long histories, many of them, long values: the page stays what a browser opens. */
    @Test
    void thePageIsNeverLargerThanItMayBe() throws Exception {
        List<Operation> large = new ArrayList<>();
        for (long i = 0; i < 2000; i++) {
            add(large, i, Operation.Type.INVOKE, "write", "\u20AC<".repeat(2000) + i);
            add(large, i, Operation.Type.OK, "write", "\u20AC<".repeat(2000) + i);
        }
        add(large, 1, Operation.Type.INVOKE, "read", null);
        add(large, 1, Operation.Type.OK, "read", "\u0001".repeat(3000));
        List<PagedFile> files = new ArrayList<>();
        HistoryResult result = HistoryChecker.check(large);
        List<Operation> log = generated(HistoryModel.LOG, 3000, Fault.LOSE_TAIL);
        HistoryResult ofLog = HistoryChecker.check(log);
        for (int i = 0; i < 60; i++) {
            files.add(new PagedFile("\u20AC<&".repeat(300) + i, HistorySource.of(large), result, null));
            files.add(new PagedFile("log " + i, HistorySource.of(log), ofLog, null));
        }
        String page = HistoryPage.of(files);
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(HistoryPage.MAX_BYTES);
        assertThat(page).contains("Not everything found is pictured");
        parsed(page);
    }

    /** One witness in a long history: its neighbours are there, and the rest is not. */
    @Test
    void onlyTheWindowAroundTheWitnessIsShown() throws Exception {
        List<Operation> history = new ArrayList<>();
        for (long i = 0; i < 500; i++) {
            add(history, i % 3, Operation.Type.INVOKE, "write", i);
            add(history, i % 3, Operation.Type.OK, "write", i);
        }
        add(history, 5, Operation.Type.INVOKE, "read", null);
        add(history, 5, Operation.Type.OK, "read", -1L);
        String text = parsed(HistoryPage.of(List.of(file("a.edn", history)))).getTextContent();
        assertThat(text).contains("write 499", "write 496").doesNotContain("write 250", "write 480");
    }
}
