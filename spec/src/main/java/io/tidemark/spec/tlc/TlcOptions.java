package io.tidemark.spec.tlc;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How TLC is run.
 *
 * @param heap as {@code -Xmx} has it, such as {@code 2g}
 * @param limit of one run, null for none
 * @param simulate random behaviours instead of all states
 * @param coverage counts per action
 * @param brief a few thousand states: over before a JVM that optimises has begun to pay
 * @param further arguments that TLC gets before the module
 */
public record TlcOptions(
        TlcJar jar,
        int workers,
        String heap,
        @Nullable Duration limit,
        boolean simulate,
        boolean coverage,
        boolean brief,
        List<String> further) {

    /** One worker, so that figures are the same each time. */
    public static TlcOptions standard() {
        return new TlcOptions(TlcJar.ofThisRelease(), 1, "2g", null, false, true, false, List.of());
    }

    public TlcOptions withCoverage(boolean wanted) {
        return new TlcOptions(jar, workers, heap, limit, simulate, wanted, brief, further);
    }

    public TlcOptions withHeap(String size) {
        return new TlcOptions(jar, workers, size, limit, simulate, coverage, brief, further);
    }

    public TlcOptions withLimit(@Nullable Duration most) {
        return new TlcOptions(jar, workers, heap, most, simulate, coverage, brief, further);
    }

    public TlcOptions withBrief(boolean few) {
        return new TlcOptions(jar, workers, heap, limit, simulate, coverage, few, further);
    }

    /** Whether two runs with them find the same states in the same order. */
    public boolean repeatable() {
        return workers == 1 && !simulate && jar.pinned() && further.isEmpty();
    }
}
