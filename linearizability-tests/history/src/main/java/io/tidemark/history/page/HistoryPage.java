package io.tidemark.history.page;

import io.tidemark.history.Operation;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A single page, at most 2 MB whatever the histories' size, that loads nothing and runs nothing: the verdicts, what was
 * found in words, and for each of the first findings a picture of the operations around the witness, with the same as a
 * table, and for logs a grid of the offsets. All text of a history is escaped.
 */
public final class HistoryPage {
    /** What the page is never larger than, in bytes of UTF-8. */
    public static final int MAX_BYTES = 2 << 20;

    /** Leaves room for what is begun, and for text that is longer in UTF-8. */
    private static final int ROOM = MAX_BYTES / 4;

    private static final int MAX_FILES = 500;
    private static final int MAX_FINDINGS = 40;
    private static final int MAX_PICTURES = 4;

    /** A finding with what is around its witness. */
    private static final class Picture {
        final Finding finding;
        final Window window;
        final @Nullable OffsetGrid grid;

        Picture(Finding finding, HistoryModel model) {
            this.finding = finding;
            this.window = new Window(finding.operations());
            Long offset = finding.offset();
            String topic = finding.topic();
            grid = model == HistoryModel.LOG && offset != null && topic != null
                    ? new OffsetGrid(key(topic, finding.partition()), offset)
                    : null;
        }

        private static String key(String topic, @Nullable Integer partition) {
            return partition == null ? topic : topic + "-" + partition;
        }

        void add(Operation op) {
            window.add(op);
            if (grid != null) {
                Long epoch = grid.add(op);
                if (epoch != null) {
                    window.epoch(op, epoch);
                }
            }
        }
    }

    private final StringBuilder out = new StringBuilder();
    private int pictures;
    private int picturesLeftOut;

    private HistoryPage() {}

    /**
     * The page.
     *
     * @throws IOException if a history cannot be read once more
     */
    public static String of(List<PagedFile> files) throws IOException {
        HistoryPage page = new HistoryPage();
        page.write(files);
        return page.out.toString();
    }

    private void write(List<PagedFile> files) throws IOException {
        String style = PageStyle.CSS;
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '")
                .append(PageStyle.hash())
                .append("'; base-uri 'none'; form-action 'none'\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<meta name=\"referrer\" content=\"no-referrer\">")
                .append("<title>Histories checked</title><style>")
                .append(style)
                .append("</style></head><body><main><h1>Histories checked</h1>");
        summary(files);
        for (PagedFile file : files) {
            if (full()) {
                break;
            }
            section(file);
        }
        if (picturesLeftOut > 0 || full()) {
            out.append("<p>Not everything found is pictured: ")
                    .append(picturesLeftOut)
                    .append(" findings have no picture. The JSON document has all of them.</p>");
        }
        out.append("</main></body></html>\n");
    }

    private boolean full() {
        return out.length() > MAX_BYTES - 2 * ROOM
                || out.toString().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES - ROOM;
    }

    private void summary(List<PagedFile> files) {
        out.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Verdicts\"><table>")
                .append(
                        "<caption>Verdicts</caption><thead><tr><th scope=\"col\">history</th><th scope=\"col\">verdict</th>")
                .append("<th scope=\"col\">model</th><th scope=\"col\">operations</th><th scope=\"col\">processes</th>")
                .append("<th scope=\"col\">engines</th></tr></thead><tbody>");
        files.stream().limit(MAX_FILES).forEach(this::row);
        out.append("</tbody></table></div>");
        if (files.size() > MAX_FILES) {
            out.append("<p>and ").append(files.size() - MAX_FILES).append(" more histories</p>");
        }
    }

    private void row(PagedFile file) {
        HistoryResult result = file.result();
        out.append("<tr><th scope=\"row\">")
                .append(name(file))
                .append("</th><td>")
                .append(verdict(result));
        if (result == null) {
            out.append("</td><td></td><td></td><td></td><td></td></tr>");
            return;
        }
        out.append("</td><td>")
                .append(result.model().label())
                .append("</td><td>")
                .append(result.operations());
        out.append("</td><td>").append(result.processes()).append("</td><td>");
        out.append(result.engines().stream()
                .map(engine -> engine.engine() + ": " + engine.outcome() + ", " + engine.durationMs() + " ms")
                .collect(Collectors.joining("; ")));
        out.append("</td></tr>");
    }

    private static String name(PagedFile file) {
        return Html.escaped(Html.shortened(file.name(), 200));
    }

    private static String verdict(@Nullable HistoryResult result) {
        Outcome outcome = result == null ? Outcome.UNKNOWN : result.outcome();
        String sign = switch (outcome) {
            case VALID -> "✓";
            case INVALID -> "✗";
            case UNKNOWN -> "?";
        };
        return "<span class=\"verdict " + outcome.name().toLowerCase(java.util.Locale.ROOT) + "\">" + sign + " "
                + outcome + "</span>";
    }

    private void section(PagedFile file) throws IOException {
        HistoryResult result = file.result();
        out.append("<section><h2>")
                .append(name(file))
                .append(": ")
                .append(verdict(result))
                .append("</h2>");
        if (result == null) {
            out.append("<p>").append(Html.text(file.error())).append("</p></section>");
            return;
        }
        if (result.cause() != null) {
            out.append("<p>").append(Html.text(result.cause())).append("</p>");
        }
        out.append("<p>")
                .append(result.operations())
                .append(" operations of ")
                .append(result.processes())
                .append(" processes: ")
                .append(result.ok())
                .append(" ok, ")
                .append(result.fail())
                .append(" fail, ")
                .append(result.info())
                .append(" info.</p>");
        List<Picture> pictured = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        for (EngineResult engine : result.engines()) {
            findings.addAll(engine.findings());
        }
        for (Finding finding : findings) {
            if (!finding.operations().isEmpty() && pictured.size() < MAX_PICTURES) {
                pictured.add(new Picture(finding, result.model()));
            }
        }
        if (findings.isEmpty()) {
            out.append("<p>Nothing was found.</p>");
        }
        fill(file, pictured);
        findings.stream().limit(MAX_FINDINGS).forEach(finding -> finding(finding, pictured));
        picturesLeftOut += Math.max(0, findings.size() - pictured.size());
        out.append("</section>");
    }

    private static void fill(PagedFile file, List<Picture> pictured) throws IOException {
        if (pictured.isEmpty()) {
            return;
        }
        file.history().forEach(op -> {
            pictured.forEach(picture -> picture.add(op));
            return true;
        });
        pictured.forEach(picture -> picture.window.end());
    }

    private void finding(Finding finding, List<Picture> pictured) {
        out.append("<h3>").append(Html.text(finding.type()));
        if (finding.count() > 1) {
            out.append(" (").append(finding.count()).append(" of them, the first is told)");
        }
        if (finding.topic() != null) {
            Integer partition = finding.partition();
            out.append(" in ").append(Html.value(finding.topic()));
            if (partition != null) {
                out.append(", partition ").append(partition);
            }
        }
        out.append("</h3><p class=\"sentence\">")
                .append(Html.text(finding.explanation()))
                .append("</p>");
        if (finding.allowed()) {
            out.append("<p>The settings allow it: it makes nothing invalid.</p>");
        }
        for (Picture picture : pictured) {
            if (picture.finding.equals(finding) && !full()) {
                picture(picture);
            }
        }
    }

    private void picture(Picture picture) {
        OffsetGrid grid = picture.grid;
        if (grid != null && !grid.isEmpty()) {
            grid.write(out);
        }
        LanesPicture lanes = new LanesPicture(picture.window);
        out.append(
                        "<p class=\"legend\">✓ ok, ✗ certainly without effect, ? may have had its effect then, later or never;")
                .append(" ◆ thick edge: of the witness")
                .append(picture.finding.minimal() ? ", of which none can be left out" : "")
                .append("; dashed line: operations left out; columns are events, not time.</p>");
        lanes.write(out, "p" + ++pictures);
        if (lanes.lanesLeftOut() > 0) {
            out.append("<p>")
                    .append(lanes.lanesLeftOut())
                    .append(" operations have no lane here, they are in the table.</p>");
        }
        OperationsTable.write(out, picture.window);
    }
}
