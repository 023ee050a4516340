package io.tidemark.history.page;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What clients were told about a few offsets of a partition: a row for each offset, a column for what was acknowledged and
 * one for each reader. Rows with two values are conflicts. Takes every operation of the history in order.
 */
final class OffsetGrid {
    private static final int RADIUS = 6;
    private static final int MAX_READERS = 8;
    private static final int MAX_VALUES = 4;
    private static final String ACKNOWLEDGED = "acknowledged";

    private final String key;
    private final long offset;
    /** By offset and column: the values that were told, each with the place where it was told first. */
    private final Map<Long, Map<String, Map<String, String>>> rows = new TreeMap<>();

    private final Set<String> readers = new LinkedHashSet<>();
    private int readersLeftOut;

    /**
     * @param key the partition, as the history names it
     * @param offset the one in the middle
     */
    OffsetGrid(String key, long offset) {
        this.key = key;
        this.offset = offset;
    }

    /**
     * Takes an operation.
     *
     * @return the epoch of the leader that acknowledged a send to the partition; null of anything else
     * @throws IllegalArgumentException if its value is malformed
     */
    @Nullable
    Long add(Operation op) {
        if (op.type() != Operation.Type.OK || !(op.value() instanceof List<?>) || op.isNemesis() || !isData(op.f())) {
            return null;
        }
        Long acknowledgedBy = null;
        for (KafkaOps.Mop mop : KafkaOps.parse(op)) {
            if (mop instanceof KafkaOps.Send send
                    && send.offset() != null
                    && send.key().equals(key)) {
                acknowledgedBy = epoch(op);
                put(send.offset(), ACKNOWLEDGED, send.value(), op, epoch(op));
            } else if (mop instanceof KafkaOps.Poll poll) {
                List<KafkaOps.Polled> records = poll.records().getOrDefault(key, List.of());
                for (KafkaOps.Polled record : records) {
                    if (near(record.offset())) {
                        String reader = "process " + op.process();
                        if (readers.size() < MAX_READERS || readers.contains(reader)) {
                            readers.add(reader);
                            put(record.offset(), reader, record.value(), op, epochAt(op, record.offset()));
                        } else {
                            readersLeftOut++;
                        }
                    }
                }
            }
        }
        return acknowledgedBy;
    }

    private static boolean isData(String f) {
        return f.equals(KafkaOps.SEND) || f.equals(KafkaOps.POLL) || f.equals("txn");
    }

    private boolean near(long at) {
        return Math.abs(at - offset) <= RADIUS;
    }

    private static @Nullable Long epoch(Operation op) {
        return op.extra().get(KafkaOps.LEADER_EPOCH) instanceof Long epoch ? epoch : null;
    }

    private @Nullable Long epochAt(Operation op, long at) {
        Long epoch = null;
        for (long[] pair : KafkaOps.leaderEpochs(op).getOrDefault(key, List.of())) {
            if (pair[0] <= at) {
                epoch = pair[1];
            }
        }
        return epoch;
    }

    private void put(long at, String column, @Nullable Object value, Operation op, @Nullable Long epoch) {
        if (!near(at)) {
            return;
        }
        Map<String, String> values = rows.computeIfAbsent(at, row -> new LinkedHashMap<>())
                .computeIfAbsent(column, cell -> new LinkedHashMap<>());
        if (values.size() < MAX_VALUES) {
            values.putIfAbsent(
                    Html.shortened(EdnWriter.toString(value), 60),
                    "operation " + op.index() + (epoch == null ? "" : ", epoch " + epoch));
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** How many offsets hold two values. */
    long conflicts() {
        return rows.values().stream().filter(OffsetGrid::isConflict).count();
    }

    private static boolean isConflict(Map<String, Map<String, String>> row) {
        return row.values().stream()
                        .flatMap(cell -> cell.keySet().stream())
                        .distinct()
                        .count()
                > 1;
    }

    void write(StringBuilder out) {
        List<String> columns = new ArrayList<>(List.of(ACKNOWLEDGED));
        columns.addAll(readers);
        String name = "What clients were told about offsets of " + Html.value(key);
        out.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .append(name)
                .append("\"><table class=\"grid\"><caption>")
                .append(name)
                .append("</caption><thead><tr><th scope=\"col\">offset</th>");
        for (String column : columns) {
            out.append("<th scope=\"col\">")
                    .append(column.equals(ACKNOWLEDGED) ? column : "read by " + column)
                    .append("</th>");
        }
        out.append("</tr></thead><tbody>");
        rows.forEach((at, row) -> {
            boolean conflict = isConflict(row);
            out.append(conflict ? "<tr class=\"conflict\">" : "<tr>");
            out.append("<th scope=\"row\">")
                    .append(at)
                    .append(conflict ? " <b>≠ conflict</b>" : "")
                    .append("</th>");
            for (String column : columns) {
                out.append("<td>");
                row.getOrDefault(column, Map.of())
                        .forEach((value, where) -> out.append("<span class=\"told\">")
                                .append(Html.escaped(value))
                                .append("<small>")
                                .append(where)
                                .append("</small></span>"));
                out.append("</td>");
            }
            out.append("</tr>");
        });
        out.append("</tbody></table></div>");
        if (readersLeftOut > 0) {
            out.append("<p>What more readers read is not shown.</p>");
        }
    }
}
