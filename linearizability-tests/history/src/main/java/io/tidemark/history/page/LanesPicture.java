package io.tidemark.history.page;

import io.tidemark.history.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Operations as bars, a lane for each process, in the order of the events; faults as bands behind them. Columns are events
 * and not time, so that what overlaps shows however fast it was.
 */
final class LanesPicture {
    private static final int MAX_LANES = 40;
    private static final int COLUMN = 64;
    private static final int LANE = 34;
    private static final int BAR = 24;
    private static final int LEFT = 150;
    private static final int CHARACTER = 8;

    private final Window window;
    private final Map<Long, Integer> columns = new LinkedHashMap<>();
    private final Map<Long, Integer> lanes = new LinkedHashMap<>();
    private final Map<Long, String> names = new TreeMap<>();
    private final List<Integer> gaps = new ArrayList<>();
    private int lanesLeftOut;
    private int top;

    LanesPicture(Window window) {
        this.window = window;
        long before = -1;
        for (Operation event : window.events()) {
            if (before >= 0 && event.index() - before > 1 && !onlyFaultsBetween(before, event.index())) {
                gaps.add(columns.size());
            }
            columns.put(event.index(), columns.size());
            before = event.index();
        }
        // Those of the witness have a lane whatever the others need.
        List<Interval> first =
                window.intervals().stream().filter(Interval::witness).toList();
        first.forEach(interval -> name(interval, MAX_LANES));
        window.intervals().forEach(interval -> name(interval, MAX_LANES));
        names.keySet().forEach(process -> lanes.put(process, lanes.size()));
        top = 12 + 20 * window.faults().size();
    }

    private boolean onlyFaultsBetween(long from, long to) {
        long faults = window.faults().stream()
                .flatMap(fault ->
                        java.util.stream.LongStream.of(fault.from(), fault.to()).boxed())
                .filter(index -> index > from && index < to)
                .distinct()
                .count();
        return faults == to - from - 1;
    }

    private void name(Interval interval, int most) {
        long process = interval.invoked().process();
        if (names.containsKey(process)) {
            return;
        }
        if (names.size() >= most) {
            lanesLeftOut++;
            return;
        }
        Object client = interval.client();
        names.put(
                process,
                "process " + process + (client == null ? "" : " (" + Html.shortened(client.toString(), 12) + ")"));
    }

    int lanesLeftOut() {
        return lanesLeftOut;
    }

    private int width() {
        return LEFT + COLUMN * (columns.size() + 1);
    }

    private int height() {
        return top + LANE * lanes.size() + 8;
    }

    /** Where an event is; what is before or behind the window is at its edge. */
    private int x(long index) {
        Integer column = columns.get(index);
        if (column != null) {
            return LEFT + COLUMN / 2 + COLUMN * column;
        }
        int behind = 0;
        for (Map.Entry<Long, Integer> entry : columns.entrySet()) {
            if (entry.getKey() < index) {
                behind = entry.getValue() + 1;
            }
        }
        return LEFT + COLUMN * behind;
    }

    /** @param id of the picture's title, unique on the page */
    void write(StringBuilder out, String id) {
        out.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Operations by process\">")
                .append("<svg role=\"img\" aria-labelledby=\"")
                .append(id)
                .append("\" width=\"")
                .append(width())
                .append("\" height=\"")
                .append(height())
                .append("\"><title id=\"")
                .append(id)
                .append("\">Operations of ")
                .append(lanes.size())
                .append(" processes around the witness; the table below has the same</title>");
        int row = 0;
        for (Window.Fault fault : window.faults()) {
            band(out, fault, row++);
        }
        lanes.forEach((process, lane) -> lane(out, names.getOrDefault(process, ""), lane));
        gaps.forEach(column -> gap(out, column));
        window.intervals().forEach(interval -> bar(out, interval));
        out.append("</svg></div>");
    }

    private void band(StringBuilder out, Window.Fault fault, int row) {
        int from = x(fault.from());
        int to = fault.to() == Window.Fault.OPEN ? width() : Math.max(from + 2, x(fault.to()));
        out.append("<rect class=\"band\" x=\"")
                .append(from)
                .append("\" y=\"0\" width=\"")
                .append(to - from)
                .append("\" height=\"")
                .append(height())
                .append("\"/><text class=\"bandname\" x=\"")
                .append(from + 4)
                .append("\" y=\"")
                .append(16 + 20 * row)
                .append("\">")
                .append(Html.escaped(fault.name() + " " + fault.value()))
                .append("</text>");
    }

    private void lane(StringBuilder out, String name, int lane) {
        int y = top + LANE * lane + LANE / 2;
        out.append("<line class=\"lane\" x1=\"").append(LEFT).append("\" x2=\"").append(width());
        out.append("\" y1=\"")
                .append(y)
                .append("\" y2=\"")
                .append(y)
                .append("\"/><text class=\"lanename\" x=\"4\" y=\"");
        out.append(y + 5).append("\">").append(Html.escaped(name)).append("</text>");
    }

    private void gap(StringBuilder out, int column) {
        int x = LEFT + COLUMN * column;
        out.append("<line class=\"gap\" x1=\"").append(x).append("\" x2=\"").append(x);
        out.append("\" y1=\"0\" y2=\"").append(height()).append("\"/>");
    }

    private void bar(StringBuilder out, Interval interval) {
        Integer lane = lanes.get(interval.invoked().process());
        if (lane == null) {
            return;
        }
        Operation ended = interval.ended();
        int from = x(interval.invoked().index());
        int to = ended == null || ended.type() == Operation.Type.INFO ? width() : Math.max(from + 8, x(ended.index()));
        int y = top + LANE * lane + (LANE - BAR) / 2;
        String label = interval.sign() + (interval.witness() ? "◆ " : " ") + interval.what();
        out.append("<g><title>")
                .append(Html.text(label))
                .append("</title><rect class=\"op ")
                .append(interval.outcome())
                .append(interval.witness() ? " witness" : "")
                .append("\" x=\"")
                .append(from)
                .append("\" y=\"")
                .append(y)
                .append("\" width=\"")
                .append(to - from)
                .append("\" height=\"")
                .append(BAR)
                .append("\" rx=\"4\"/><text class=\"opname\" x=\"")
                .append(from + 4)
                .append("\" y=\"")
                .append(y + 16)
                .append("\">")
                .append(Html.escaped(Html.shortened(label, Math.max(2, (to - from - 8) / CHARACTER))))
                .append("</text></g>");
    }
}
