package io.tidemark.core.partition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a leader knows of the ISR (KIP-497): the committed one, and at most one change that the controller was asked for
 * and whose outcome is not known. Lists hold broker ids in assignment order.
 *
 * <pre>
 * Committed     -> PendingExpand   ProposeExpandIsr
 * Committed     -> PendingShrink   ReplicaLagTimeout
 * Pending*      -> Committed       HandleAlterPartitionResponse: success of this epoch, or a refusal that {@link
 *                                  AlterPartitionAnswer#saysNothingWasChanged says that nothing was changed} while no
 *                                  earlier attempt may still arrive
 * any           -> Committed       ApplyPartitionChange of a newer partition epoch; an older one leaves a change pending
 * </pre>
 */
public sealed interface IsrState {
    /** The last ISR known to be committed. */
    List<Integer> isr();

    /** Everyone who may be in the ISR that the controller holds: who the high watermark waits for at least ({@link HwRule}). */
    List<Integer> maximalIsr();

    /** The change that is under way, as it was sent; null if none is. */
    @Nullable
    AlterPartitionAsked asked();

    /** Nothing is under way. */
    record Committed(List<Integer> isr) implements IsrState {
        public Committed {
            isr = List.copyOf(isr);
        }

        @Override
        public List<Integer> maximalIsr() {
            return isr;
        }

        @Override
        public @Nullable AlterPartitionAsked asked() {
            return null;
        }
    }

    /** {@code follower} may already be a member: it counts, though it is not committed. */
    record PendingExpand(List<Integer> isr, int follower, List<Integer> maximalIsr, AlterPartitionAsked asked)
            implements IsrState {
        public PendingExpand {
            isr = List.copyOf(isr);
            maximalIsr = List.copyOf(maximalIsr);
        }
    }

    /** {@code leaving} may still be members: they count until the controller says otherwise. */
    record PendingShrink(List<Integer> isr, List<Integer> leaving, AlterPartitionAsked asked) implements IsrState {
        public PendingShrink {
            isr = List.copyOf(isr);
            leaving = List.copyOf(leaving);
        }

        @Override
        public List<Integer> maximalIsr() {
            return isr;
        }
    }
}
