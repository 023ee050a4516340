package io.tidemark.history.generate;

import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import io.tidemark.history.engine.HistoryModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Generates histories. */
public final class HistoryGenerator {
    private HistoryGenerator() {}

    /** Hands the operations of the history to the sink, in order; memory is that of the simulated log or object. */
    public static void generate(GeneratorSpec spec, Consumer<Operation> sink) {
        Output output = new Output(sink);
        if (spec.model() == HistoryModel.LOG) {
            new BrokerSimulation(spec, output).run();
        } else {
            new ObjectSimulation(spec, output).run();
        }
    }

    /** The whole history at once. */
    public static List<Operation> generate(GeneratorSpec spec) {
        List<Operation> operations = new ArrayList<>();
        generate(spec, operations::add);
        return operations;
    }

    /** Numbers operations and stamps them: a microsecond lies between two. */
    static final class Output {
        private static final long STEP_NANOS = 1_000;

        private final Consumer<Operation> sink;
        private long index;

        private Output(Consumer<Operation> sink) {
            this.sink = sink;
        }

        void add(
                long process,
                Operation.Type type,
                String f,
                @Nullable Object value,
                @Nullable Object error,
                Map<Keyword, @Nullable Object> extra) {
            sink.accept(new Operation(index, index * STEP_NANOS, process, type, f, value, error, extra));
            index++;
        }

        long index() {
            return index;
        }
    }
}
