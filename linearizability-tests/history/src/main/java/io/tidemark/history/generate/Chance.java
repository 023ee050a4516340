package io.tidemark.history.generate;

/** A stream of random numbers that is the same on every JVM: SplitMix64. */
final class Chance {
    private long state;

    Chance(long seed) {
        state = seed;
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** From 0 up to the bound, exclusive. */
    int below(int bound) {
        return (int) Long.remainderUnsigned(next(), bound);
    }

    /** True once in so many times. */
    boolean oneIn(int times) {
        return below(times) == 0;
    }
}
