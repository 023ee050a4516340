package io.tidemark.spec.trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all replicas in a state, a line each: who leads, who is in the ISR (of a voter its epoch and vote), the epoch
 * of each record, {@code |} at the high watermark, {@code .} behind what is fsynced where that is less than all.
 *
 * <pre>
 *   b1  leader  isr      1    1 |  2    hw 2  leo 3
 *   b2          isr      1    1 |       hw 2  leo 2
 * </pre>
 *
 * <p>It reads the variables {@code log}, {@code hw}, {@code flushed}, and {@code metaLog} or {@code role}; a state
 * without them has no picture.
 */
final class ReplicaPicture {
    private final Map<String, TlaValue> state;

    private ReplicaPicture(Map<String, TlaValue> state) {
        this.state = state;
    }

    /** The lines; none where the state has no replicas. */
    static List<String> of(Map<String, TlaValue> state) {
        return new ReplicaPicture(state).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!(state.get("log") instanceof TlaValue.Fun logs)) {
            return lines;
        }
        int longest = logs.values().values().stream().mapToInt(this::size).max().orElse(0);
        int digits = logs.values().values().stream()
                .flatMap(log -> log instanceof TlaValue.Seq seq ? seq.items().stream() : Stream.empty())
                .mapToInt(item -> epoch(item).length())
                .max()
                .orElse(1);
        int membership = logs.values().keySet().stream()
                .mapToInt(node -> membership(node).length())
                .max()
                .orElse(0);
        logs.values().forEach((node, value) -> {
            if (value instanceof TlaValue.Seq log) {
                BigInteger hw = number("hw", node);
                lines.add(String.format(
                                Locale.ROOT,
                                "%-4s %-11s %-" + Math.max(5, membership) + "s %-" + (longest * (digits + 4) + 1)
                                        + "s  %sleo %d",
                                node,
                                role(node),
                                membership(node),
                                records(log, hw, number("flushed", node), digits),
                                hw == null ? "" : "hw " + hw + "  ",
                                log.items().size())
                        .stripTrailing());
            }
        });
        return lines;
    }

    private int size(TlaValue log) {
        return log instanceof TlaValue.Seq seq ? seq.items().size() : 0;
    }

    /** Each record has a place of its own, so that one offset stands below the other. */
    private static String records(TlaValue.Seq log, @Nullable BigInteger hw, @Nullable BigInteger flushed, int digits) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < log.items().size(); i++) {
            text.append(is(hw, i) ? '|' : ' ').append(is(flushed, i) ? '.' : ' ');
            text.append(String.format(
                    Locale.ROOT, " %" + digits + "s ", epoch(log.items().get(i))));
        }
        return text.append(is(hw, log.items().size()) ? "|" : "").toString();
    }

    private static boolean is(@Nullable BigInteger number, int value) {
        return number != null && number.intValue() == value;
    }

    private static String epoch(TlaValue item) {
        TlaValue epoch = item instanceof TlaValue.Rec rec ? rec.fields().get("epoch") : null;
        return epoch == null ? "?" : epoch.toString();
    }

    private String role(TlaValue node) {
        TlaValue role = at(state.get("role"), node);
        if (role != null) {
            return role.toString().toLowerCase(Locale.ROOT);
        }
        TlaValue up = at(state.get("up"), node);
        if (up != null && up.toString().equals("down")) {
            return "down";
        }
        // Who leads by its own belief holds a leader's state; the controller's choice may be another one already.
        TlaValue isrState = at(state.get("isrState"), node);
        return isrState instanceof TlaValue.Rec ? "leader" : "";
    }

    /** By the newest metadata record; of a voter its epoch, and for whom it has voted in it. */
    private String membership(TlaValue node) {
        BigInteger epoch = number("currentEpoch", node);
        if (epoch != null) {
            TlaValue vote = at(state.get("votedKey"), node);
            return "epoch " + epoch + (vote instanceof TlaValue.Seq ? ", voted " + Words.value(vote) : "");
        }
        if (state.get("metaLog") instanceof TlaValue.Seq log
                && !log.items().isEmpty()
                && log.items().get(log.items().size() - 1) instanceof TlaValue.Rec image
                && image.fields().get("part") instanceof TlaValue.Rec part) {
            if (part.fields().get("isr") instanceof TlaValue.SetOf isr
                    && isr.items().contains(node)) {
                return "isr";
            }
            if (part.fields().get("elr") instanceof TlaValue.SetOf elr
                    && elr.items().contains(node)) {
                return "elr";
            }
        }
        return "";
    }

    private @Nullable BigInteger number(String variable, TlaValue node) {
        return at(state.get(variable), node) instanceof TlaValue.Int number ? number.value() : null;
    }

    private static @Nullable TlaValue at(@Nullable TlaValue function, TlaValue key) {
        return function instanceof TlaValue.Fun fun ? fun.values().get(key) : null;
    }
}
