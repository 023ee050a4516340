package io.tidemark.cli.drill;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Every lost record as a line of tab-separated values: what reports, which have to be short, only begin to list. */
final class LostList {
    private static final String HEAD = "topic\tpartition\toffset\tvalue\tackedAtMs\tleaderEpoch\tackedBy\tfault\n";

    private LostList() {}

    /** A header and a line each; empty fields where something is not known. */
    static String of(DrillOutcome outcome) {
        StringBuilder out = new StringBuilder(HEAD);
        for (DrillOutcome.Lost lost : outcome.lost()) {
            out.append(String.format(
                    Locale.ROOT,
                    "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n",
                    lost.topic(),
                    known(lost.partition()),
                    known(lost.offset()),
                    known(lost.value()),
                    lost.ackedAtNanos() / 1_000_000,
                    known(lost.leaderEpoch()),
                    known(lost.ackedBy()),
                    known(lost.fault())));
        }
        return out.toString();
    }

    private static String known(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
