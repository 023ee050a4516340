package io.tidemark.history.check;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.engine.HistoryModel;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts what a history is made of, and tells what it is a history of. */
final class Census {
    private final Map<Operation.Type, Long> types = new EnumMap<>(Operation.Type.class);
    private final Set<Long> processes = new HashSet<>();
    private final Set<String> functions = new TreeSet<>();
    private boolean finalRead;
    private final Set<Object> finallyRead = new HashSet<>();
    private final Set<Object> readWhole = new HashSet<>();
    private boolean logTransactions;

    void add(Operation op) {
        if (op.isNemesis()) {
            return;
        }
        types.merge(op.type(), 1L, Long::sum);
        processes.add(op.process());
        functions.add(op.f());
        if (op.f().equals(KafkaOps.FINAL_READ) && op.type() == Operation.Type.OK) {
            finalRead = true;
            KafkaOps.parseExtents(op).forEach((partition, extent) -> {
                finallyRead.add(partition);
                if (extent.complete()) {
                    readWhole.add(partition);
                }
            });
        }
        if (op.f().equals("txn") && !logTransactions) {
            logTransactions = ofLog(op.value());
        }
    }

    private static boolean ofLog(@Nullable Object value) {
        return value instanceof List<?> mops
                && !mops.isEmpty()
                && mops.get(0) instanceof List<?> mop
                && !mop.isEmpty()
                && Set.of(":send", ":poll").contains(String.valueOf(mop.get(0)));
    }

    /** What the operations are of; null where they fit nothing. */
    @Nullable
    HistoryModel model() {
        if (functions.contains(KafkaOps.SEND) || functions.contains(KafkaOps.POLL) || logTransactions) {
            return HistoryModel.LOG;
        }
        if (functions.contains("txn")) {
            return HistoryModel.MULTI_REGISTER;
        }
        if (functions.contains("acquire") || functions.contains("release")) {
            return HistoryModel.MUTEX;
        }
        if (functions.contains("get") || functions.contains("put") || functions.contains("append")) {
            return HistoryModel.KV;
        }
        if (functions.contains("create") || functions.contains("delete")) {
            return HistoryModel.TOPIC;
        }
        if (functions.contains("cas")) {
            return HistoryModel.CAS_REGISTER;
        }
        return functions.contains("read") || functions.contains("write") ? HistoryModel.REGISTER : null;
    }

    /** Whether no further operation can change what {@link #model} says. */
    boolean isClear() {
        HistoryModel model = model();
        return model != null && model != HistoryModel.REGISTER && model != HistoryModel.MULTI_REGISTER;
    }

    Set<String> functions() {
        return functions;
    }

    long invoked() {
        return types.getOrDefault(Operation.Type.INVOKE, 0L);
    }

    long count(Operation.Type type) {
        return types.getOrDefault(type, 0L);
    }

    int processes() {
        return processes.size();
    }

    boolean finalRead() {
        return finalRead;
    }

    /** The partitions that final reads name. */
    int partitionsFinallyRead() {
        return finallyRead.size();
    }

    /** Those of them that a final read has read to their end. */
    int partitionsReadWhole() {
        return readWhole.size();
    }
}
