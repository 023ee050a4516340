package io.tidemark.history.page;

import io.tidemark.history.Operation;
import org.jspecify.annotations.Nullable;

/** What a picture shows, as a table, for whoever does not see it or wants the numbers. */
final class OperationsTable {
    private OperationsTable() {}

    static void write(StringBuilder out, Window window) {
        out.append("<details><summary>The same as a table</summary>")
                .append(
                        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Operations as a table\"><table>")
                .append("<caption>Operations around the witness</caption><thead><tr><th scope=\"col\">operations</th>")
                .append("<th scope=\"col\">process</th><th scope=\"col\">what</th><th scope=\"col\">outcome</th>")
                .append("<th scope=\"col\">began, s</th><th scope=\"col\">ended, s</th><th scope=\"col\">witness</th>")
                .append("</tr></thead><tbody>");
        window.intervals().forEach(interval -> row(out, interval));
        window.faults().forEach(fault -> fault(out, fault));
        out.append("</tbody></table></div></details>");
    }

    private static void row(StringBuilder out, Interval interval) {
        Operation invoked = interval.invoked();
        Operation ended = interval.ended();
        out.append(interval.witness() ? "<tr class=\"witness\">" : "<tr>");
        cells(
                out,
                invoked.index() + (ended == null ? "" : ", " + ended.index()),
                Long.toString(invoked.process()),
                Html.escaped(Html.shortened(interval.what(), 120)),
                interval.sign() + " " + interval.outcome() + error(ended),
                Html.seconds(invoked.time()),
                ended == null ? "" : Html.seconds(ended.time()),
                interval.witness() ? "◆ yes" : "");
        out.append("</tr>");
    }

    private static String error(@Nullable Operation ended) {
        return ended == null || ended.error() == null ? "" : " " + Html.value(ended.error());
    }

    private static void fault(StringBuilder out, Window.Fault fault) {
        out.append("<tr>");
        cells(
                out,
                fault.from() + (fault.to() == Window.Fault.OPEN || fault.to() == fault.from() ? "" : ", " + fault.to()),
                "nemesis",
                Html.escaped(fault.name() + " " + fault.value()),
                "",
                "",
                "",
                "");
        out.append("</tr>");
    }

    private static void cells(StringBuilder out, String... cells) {
        for (String cell : cells) {
            out.append("<td>").append(cell).append("</td>");
        }
    }
}
