package io.tidemark.history.wgl;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * A sequential specification: which operation is legal in which state, and what it leaves. States and operations are
 * numbers that the model hands out; equal states have equal numbers, and so do operations that do and return the same.
 * Not for use by several threads.
 */
public interface Model {
    /** What {@link #step} returns where the operation is not legal. */
    int ILLEGAL = -1;

    int initial();

    /** The state behind the operation, or {@link #ILLEGAL}. */
    int step(int state, int operation);

    /** Whether the operation leaves every state as it is: it can be taken as soon as it is legal. */
    boolean readOnly(int operation);

    /**
     * Which operations make nothing legal that is not legal without them, among those that there are: they can be left out
     * where they may have not happened.
     *
     * @param operations those that there are
     */
    default IntPredicate useless(int[] operations) {
        return operation -> false;
    }

    /** Whether {@link #hopeless} ever says so. */
    default boolean grows() {
        return false;
    }

    /** Whether an operation may undo what makes a read hopeless. */
    default boolean resets(int operation) {
        return true;
    }

    /** Whether a read is illegal in the state and in all that follow, unless an operation {@link #resets}. */
    default boolean hopeless(int state, int read) {
        return false;
    }

    /** What an operation that is not legal in a state asks of it, for a sentence; empty where that says no more than itself. */
    default String needs(int state, int operation) {
        return "";
    }

    /** What a process did, for a sentence: {@code read 3}. */
    String operation(int operation);

    /** What the object may be, for a sentence: {@code the register holds 0 or 4}; the states are not empty. */
    String states(List<Integer> states);

    /** What the model's own tables take. */
    long bytes();
}
