package io.tidemark.history.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.generate.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page as Chromium shows it, looked at with axe-core; screenshots are left in {@code target/pages}. */
class PageInBrowserTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
    private static final String RUN = """
            axe.run(document, {runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}})
              .then(found => JSON.stringify({
                violations: found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', ')),
                passes: found.passes.map(p => p.id)}))
            """;

    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        browser = Browser.start(
                Files.createDirectories(Path.of("target", "chromium")).toAbsolutePath());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static JsonNode axe() throws Exception {
        try (InputStream script = PageInBrowserTest.class.getResourceAsStream(AXE)) {
            browser.evaluate(new String(script.readAllBytes(), StandardCharsets.UTF_8) + ";''");
        }
        return JSON.readTree(browser.evaluate(RUN));
    }

    private static Path page(Path dir) throws IOException {
        String page = HistoryPage.of(List.of(
                HistoryPageTest.file("orders.edn", HistoryPageTest.generated(HistoryModel.LOG, 300, Fault.LOSE_TAIL)),
                HistoryPageTest.file("hostile.edn", HistoryPageTest.hostile()),
                HistoryPageTest.file("good.edn", HistoryPageTest.generated(HistoryModel.KV, 50, Fault.NONE))));
        return Files.writeString(dir.resolve("page.html"), page);
    }

    @ParameterizedTest
    @CsvSource({"360, false", "360, true", "1280, false", "1280, true"})
    void itIsAccessibleAndFitsAndAsksForNothing(int width, boolean dark, @TempDir Path dir) throws Exception {
        Path page = page(dir);
        browser.open(page, width, dark);
        Path shots = Files.createDirectories(Path.of("target", "pages"));
        Files.write(shots.resolve(width + (dark ? "-dark" : "-light") + ".png"), browser.screenshot());
        browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })");
        JsonNode found = axe();
        assertThat(found.path("violations")).isEmpty();
        assertThat(found.path("passes").toString())
                .contains("color-contrast", "scrollable-region-focusable", "svg-img-alt");
        assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
        // Its own style has effect, and the other scheme's colours are not these.
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(dark ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
        assertThat(browser.requests()).containsExactly(page.toUri().toString());
    }

    /** What a history might bring along would not run: the policy stops a script and a style that are in the page. */
    @Test
    void thePolicyStopsWhatIsNotThePages(@TempDir Path dir) throws Exception {
        Path page = page(dir);
        Files.writeString(page, Files.readString(page).replace("<main>", """
                <main><script>document.title = 'ran'</script><style>body{background:rgb(1,2,3)!important}</style>\
                <img alt="" src="elsewhere.png">"""));
        browser.open(page, 1280, false);
        assertThat(browser.evaluate("document.title")).isEqualTo("Histories checked");
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.evaluate("document.images[0].naturalWidth")).isEqualTo("0");
    }

    /** The look finds what it is there to find. */
    @Test
    void aPageThatIsNotAccessibleIsFound(@TempDir Path dir) throws Exception {
        Path page = page(dir);
        Files.writeString(
                page,
                Files.readString(page)
                        .replaceAll("<meta http-equiv=[^>]*>", "")
                        .replace("--soft:#4d5560", "--soft:#d0d5da")
                        .replace(" role=\"region\" tabindex=\"0\"", "")
                        .replace("<html lang=\"en\">", "<html>"));
        browser.open(page, 360, false);
        assertThat(axe().path("violations").toString())
                .contains("color-contrast", "html-has-lang", "scrollable-region-focusable");
    }
}
