package io.tidemark.history.engine;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a history is checked.
 *
 * @param model what it is a history of
 * @param initial the value that registers hold at first, as EDN: null, or for several registers a map
 * @param strongReads for logs: whether the ends of logs that clients were told must be linearizable as well
 * @param idempotent for logs: whether the producers' retries can neither duplicate nor reorder
 * @param partitioned whether what does not touch each other (keys, partitions) is checked each by itself
 * @param budget of each engine
 * @param cancelled asked often; once it is true the check ends at once, UNKNOWN
 */
public record CheckOptions(
        HistoryModel model,
        @Nullable Object initial,
        boolean strongReads,
        boolean idempotent,
        boolean partitioned,
        Budget budget,
        BooleanSupplier cancelled) {
    /** The defaults of the command line. */
    public static CheckOptions of(HistoryModel model) {
        return new CheckOptions(model, null, false, true, true, Budget.standard(), () -> false);
    }

    public CheckOptions withInitial(@Nullable Object value) {
        return new CheckOptions(model, value, strongReads, idempotent, partitioned, budget, cancelled);
    }

    public CheckOptions withStrongReads(boolean strong) {
        return new CheckOptions(model, initial, strong, idempotent, partitioned, budget, cancelled);
    }

    public CheckOptions withIdempotent(boolean retriesAreSafe) {
        return new CheckOptions(model, initial, strongReads, retriesAreSafe, partitioned, budget, cancelled);
    }

    public CheckOptions withPartitioned(boolean apart) {
        return new CheckOptions(model, initial, strongReads, idempotent, apart, budget, cancelled);
    }

    public CheckOptions withBudget(Budget other) {
        return new CheckOptions(model, initial, strongReads, idempotent, partitioned, other, cancelled);
    }

    public CheckOptions withCancelled(BooleanSupplier other) {
        return new CheckOptions(model, initial, strongReads, idempotent, partitioned, budget, other);
    }
}
