package io.tidemark.core.partition;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;

/**
 * When a produce request is refused, waits, or is acknowledged. This table is the whole rule:
 *
 * <pre>
 * acks  committed ISR  maximal ISR  high watermark   decision
 *  0    any            any          any              ACK     at once; promises nothing
 *  1    any            any          any              ACK     once in the leader's log (and fsynced there, where every
 *                                                            message is flushed): lost if the leader is
 * -1    &lt; minIsr       any          any              REFUSE  NOT_ENOUGH_REPLICAS, before the append
 * -1    >= minIsr      &lt; minIsr     any              WAIT    (cannot be: the maximal ISR holds the committed one)
 * -1    >= minIsr      >= minIsr    &lt; required       WAIT    for every member of the maximal ISR
 * -1    >= minIsr      >= minIsr    >= required      ACK     at least minIsr replicas hold it, and every replica that
 *                                                            can be elected cleanly
 * </pre>
 *
 * {@code required} is the offset after the batch. The rule is asked before the append, after it, and whenever the high
 * watermark has moved. By {@link HwRule} the high watermark also stands for whoever left the ISR by an answer whose record is
 * not applied yet: an acknowledgement waits for them too. Of a record that is already in the log REFUSE means WAIT: the high watermark is frozen while the
 * ISR is short ({@link HwRule}), and a producer that waits longer than its time-out is told REQUEST_TIMED_OUT.
 */
final class AckRule {
    static final short ACKS_ALL = -1;

    enum Decision {
        REFUSE,
        WAIT,
        ACK
    }

    private AckRule() {}

    static boolean isValid(short acks) {
        return acks >= ACKS_ALL && acks <= 1;
    }

    /**
     * @param acks a {@link #isValid valid} value
     * @param minIsr effective: min({@code min.insync.replicas}, replication factor)
     */
    static Decision decide(
            Guards guards, short acks, int minIsr, int committedIsr, int maximalIsr, long required, long hw) {
        if (acks != ACKS_ALL) {
            return Decision.ACK;
        }
        if (committedIsr < minIsr && guards.on(Guard.MIN_ISR_APPEND)) {
            return Decision.REFUSE;
        }
        boolean replicated = hw >= required && maximalIsr >= minIsr;
        return replicated || !guards.on(Guard.ACK_AFTER_HW) ? Decision.ACK : Decision.WAIT;
    }
}
