package io.tidemark.history.wgl;

/** Counts the operations that a model learns nothing from: reads that nobody answered, what certainly had no effect. */
final class Untold {
    private long answered;

    /** An operation that no order has to hold. */
    void count(Call call) {
        // One that ended well and yet says nothing is what a reader of the verdict should hear of.
        answered += call.ok() ? 1 : 0;
    }

    long answered() {
        return answered;
    }
}
