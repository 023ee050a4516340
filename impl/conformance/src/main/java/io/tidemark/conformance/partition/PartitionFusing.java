package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The bounds and reductions of MCPartition: how long the metadata log grows, and which steps follow one another. They leave
 * behaviours out and hold no rule of the protocol.
 */
final class PartitionFusing implements BiPredicate<Values, Values> {
    /** What a model's configuration may name. */
    static final Set<String> KNOWN = Set.of("Bound", "Fused", "Eager", "LeaderFenced");

    private final PartitionConstants constants;
    private final Set<String> named;

    /** @param named those of {@link #KNOWN} that the model has */
    PartitionFusing(PartitionConstants constants, Set<String> named) {
        this.constants = constants;
        this.named = Set.copyOf(named);
    }

    @Override
    public boolean test(Values from, Values to) {
        return (!named.contains("Bound") || bound(to))
                && (!named.contains("Fused") || fused(from, to))
                && (!named.contains("Eager") || eager(from, to))
                && (!named.contains("LeaderFenced") || leaderFenced(to));
    }

    /** Of a model in which only b1 is ever fenced. */
    private static boolean leaderFenced(Values state) {
        Val metaLog = state.get("metaLog");
        Val reg = metaLog.at(metaLog.size()).at("reg");
        return !reg.at("b2").at("fenced").bool() && !reg.at("b3").at("fenced").bool();
    }

    private boolean bound(Values state) {
        Val metaLog = state.get("metaLog");
        if (metaLog.size() > constants.maxMetadata()) {
            return false;
        }
        Val part = metaLog.at(metaLog.size()).at("part");
        return part.at("leaderEpoch").integer() <= constants.maxLeaderEpoch()
                && part.at("partitionEpoch").integer() <= constants.maxPartitionEpoch();
    }

    /** After a request is handled, the next step is the sender's, or the loss of the answer. */
    private static boolean fused(Values from, Values to) {
        int metaHw = from.get("metaHw").integer();
        for (String broker : Brokers.all(from)) {
            Val answer = from.get("apResp", broker);
            boolean may = !answer.isNil() && answer.at("offset").integer() <= metaHw;
            if ((may && !to.get("apResp", broker).isNil())
                    || (!from.get("fetchResp", broker).isNil()
                            && !to.get("fetchResp", broker).isNil())) {
                return false;
            }
        }
        return true;
    }

    /** Whoever does not lead learns nothing from a record about a broker or minIsr: it applies it at once. */
    private static boolean eager(Values from, Values to) {
        String first = idle(from);
        if (first == null) {
            return true;
        }
        Val applied = from.get("applied");
        return Objects.equals(
                to.get("applied"), applied.with(first, Val.of(applied.at(first).integer() + 1)));
    }

    private static @Nullable String idle(State state) {
        for (String broker : Brokers.all(state)) {
            int applied = state.get("applied", broker).integer();
            if (Brokers.alive(state, broker)
                    && state.get("isrState", broker).isNil()
                    && applied > 0
                    && applied < state.get("metaHw").integer()
                    && !state.get("metaLog").at(applied + 1).at("type").text().equals("partition")) {
                return broker;
            }
        }
        return null;
    }
}
