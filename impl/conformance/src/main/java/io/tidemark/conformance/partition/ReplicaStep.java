package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Val;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a replica did.
 *
 * @param action null where the input was refused
 * @param after what the replica shows then
 * @param log its records then, as the specification has them
 */
record ReplicaStep(@Nullable SpecAction action, List<PartitionEffect> effects, PartitionState after, Val log) {
    boolean has(Class<? extends PartitionEffect> type) {
        return any(type::isInstance);
    }

    boolean any(Predicate<PartitionEffect> wanted) {
        for (PartitionEffect effect : effects) {
            if (wanted.test(effect)) {
                return true;
            }
        }
        return false;
    }

    /** The records of a log after the effects; a record's id is its time. */
    static Val written(Val log, List<PartitionEffect> effects) {
        List<Val> records = new ArrayList<>(log.list());
        boolean changed = false;
        for (PartitionEffect effect : effects) {
            changed |= write(records, effect);
        }
        return changed ? Val.sequence(records) : log;
    }

    private static boolean write(List<Val> records, PartitionEffect effect) {
        if (effect instanceof PartitionEffect.Append append) {
            records.add(record(append.batch()));
        } else if (effect instanceof PartitionEffect.AppendFetched fetched) {
            for (BatchHeader batch : fetched.batches()) {
                pad(records, batch.baseOffset());
                records.add(record(batch));
            }
        } else if (effect instanceof PartitionEffect.Truncate cut) {
            records.subList((int) Math.min(cut.offset(), records.size()), records.size())
                    .clear();
        } else if (effect instanceof PartitionEffect.TruncateFully cut) {
            records.clear();
            pad(records, cut.offset());
        } else {
            return false;
        }
        return true;
    }

    private static Val record(BatchHeader batch) {
        return PartitionValues.record(batch.leaderEpoch(), (int) batch.maxTimestamp());
    }

    /** Offsets without records. */
    static void pad(List<Val> records, long end) {
        while (records.size() < end) {
            records.add(PartitionValues.record(-1, 0));
        }
    }
}
