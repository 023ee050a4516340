package io.tidemark.core.partition;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;

/**
 * Where a leader's high watermark goes: up to the smallest log end among
 *
 * <ul>
 *   <li>the leader itself (what is fsynced of it, while an append waits for its fsync);
 *   <li>the maximal ISR, committed or pending: whoever may be in the ISR that the controller holds may be elected
 *       (KIP-497);
 *   <li>whoever left the ISR by an answer to AlterPartition whose record is not applied here yet: the controller decided
 *       that change by the minIsr of its time, which may be above the one applied here. Then who left is in the ELR, and
 *       relies on an ISR below minIsr moving nothing (KIP-966). The record stands behind that minIsr's in the metadata log,
 *       so that with it the rule below holds by the right value. In the spec: every ISR in {@code metaLog} from the one at
 *       {@code applied} to the one that the leader knows;
 *   <li>caught-up eligible followers outside it: under steady load a follower is always a little behind, and would never
 *       be admitted if the high watermark did not wait for it.
 * </ul>
 *
 * It never goes down, and it stays while the <em>committed</em> ISR is below the effective minIsr, whatever the acks
 * (KAFKA-15583).
 */
final class HwRule {
    private HwRule() {}

    /**
     * @param hw the present high watermark
     * @param ownEnd the leader's own end
     * @param committedIsr size of the committed ISR, the leader included
     * @param minIsr effective minimum
     * @return the new high watermark, at least {@code hw}
     */
    static long highWatermark(Guards guards, long hw, long ownEnd, int committedIsr, int minIsr, Follower[] followers) {
        if (guards.on(Guard.HW_MIN_ISR) && committedIsr < minIsr) {
            return hw;
        }
        boolean maximal = guards.on(Guard.HW_MAXIMAL_ISR);
        boolean applied = guards.on(Guard.HW_APPLIED_ISR);
        boolean waits = guards.on(Guard.HW_JOINING);
        long lowest = ownEnd;
        for (Follower follower : followers) {
            boolean member = maximal ? follower.inIsr || follower.joining : follower.inIsr && !follower.leaving;
            if (member || (applied && follower.departed()) || (waits && follower.caughtUp && follower.eligible())) {
                lowest = Math.min(lowest, follower.offset);
            }
        }
        return Math.max(hw, lowest);
    }
}
