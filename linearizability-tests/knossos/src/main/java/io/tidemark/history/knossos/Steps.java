package io.tidemark.history.knossos;

import io.tidemark.history.wgl.Model;
import java.util.List;
import java.util.function.Consumer;

/**
 * A model as Knossos' threads see it: one step at a time. A model that throws leaves some of Knossos' searches waiting for
 * ever, so that it is told and ends everything instead.
 */
public final class Steps {
    private final Model model;
    private final Consumer<Throwable> failed;

    /** @param failed told what the model threw; expected not to return */
    Steps(Model model, Consumer<Throwable> failed) {
        this.model = model;
        this.failed = failed;
    }

    /** The state at first. */
    public long initial() {
        return model.initial();
    }

    /** The state behind an operation, below 0 where it is not legal. */
    public synchronized long step(long state, long operation) {
        try {
            return model.step(Math.toIntExact(state), Math.toIntExact(operation));
        } catch (RuntimeException | StackOverflowError e) {
            failed.accept(e);
            throw e;
        }
    }

    /** What the object may be, for a sentence. */
    synchronized String states(List<Integer> states) {
        return model.states(states.isEmpty() ? List.of(model.initial()) : states);
    }
}
