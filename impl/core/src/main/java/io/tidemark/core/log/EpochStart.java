package io.tidemark.core.log;

/** A line of {@code leader-epoch-checkpoint}: the first offset that a leader epoch wrote. */
public record EpochStart(int epoch, long startOffset) {}
