package io.tidemark.wire.batch;

/**
 * What a topic demands of produced batches; each is the topic config of the same name.
 *
 * @param maxMessageBytes {@code max.message.bytes}: the whole batch, as it is sent
 * @param timestampBeforeMaxMs how far a timestamp may lie in the past
 * @param timestampAfterMaxMs how far it may lie in the future
 * @param logAppendTime {@code message.timestamp.type=LogAppendTime}
 * @param compacted {@code cleanup.policy} has {@code compact}: keys are required
 */
public record ProduceRules(
        int maxMessageBytes,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        boolean logAppendTime,
        boolean compacted) {
    /** Kafka's defaults. */
    public static final ProduceRules DEFAULT = new ProduceRules(1_048_588, Long.MAX_VALUE, 3_600_000, false, false);
}
