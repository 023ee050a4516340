package io.tidemark.core.partition;

import io.tidemark.core.log.CatchUp;
import java.util.List;

/**
 * A follower as its leader knows it, for one leader epoch; the spec's {@code follower[l][f]} with what is derived from
 * the ISR and the registrations beside it, so that {@link HwRule} reads plain fields.
 */
final class Follower {
    static final long UNKNOWN = -1L;
    static final int NOT_DEPARTED = -1;

    final int id;
    /** Log end by its last fetch in this epoch; {@link #UNKNOWN} before the first. */
    long offset = UNKNOWN;
    /** Broker epoch of its last fetch; {@link #UNKNOWN} before the first. */
    long brokerEpoch = UNKNOWN;
    /** The leader's log end when it last fetched. */
    private long leaderEndAtFetch = CatchUp.NO_FETCH;
    /** Its last fetch reached what the leader had at the fetch before. */
    boolean caughtUp;
    /** Of the applied registration; -1 where there is none. */
    long registeredEpoch = UNKNOWN;
    /** Registered, neither fenced nor shutting down. */
    boolean active;
    /** In the committed ISR; this and the next two are set by {@link #in} alone. */
    boolean inIsr;
    /** Of a pending expansion. */
    boolean joining;
    /** Of a pending shrink. */
    boolean leaving;
    /**
     * The partition epoch at which it left the ISR, as an answer to AlterPartition said, until the metadata log has said so
     * too; {@link #NOT_DEPARTED} else.
     */
    int departedAt = NOT_DEPARTED;

    Follower(int id) {
        this.id = id;
    }

    void fetched(long fetchOffset, long fetchBrokerEpoch, long leaderEnd) {
        caughtUp = CatchUp.of(fetchOffset, leaderEnd, leaderEndAtFetch) != CatchUp.BEHIND;
        leaderEndAtFetch = leaderEnd;
        offset = fetchOffset;
        brokerEpoch = fetchBrokerEpoch;
    }

    /** What the leader's {@code isrState} means for this follower. */
    void in(IsrState isrState) {
        inIsr = isrState.isr().contains(id);
        joining = !inIsr && isrState.maximalIsr().contains(id);
        leaving = isrState instanceof IsrState.PendingShrink shrink
                && shrink.leaving().contains(id);
    }

    /** The ISR is {@code isr}, as an answer said that is ahead of the metadata log. */
    void answered(List<Integer> isr, int partitionEpoch) {
        if (isr.contains(id)) {
            departedAt = NOT_DEPARTED;
        } else if (inIsr || joining) {
            departedAt = partitionEpoch;
        }
    }

    /** The metadata log is applied up to this partition epoch. */
    void applied(int partitionEpoch) {
        if (departedAt <= partitionEpoch) {
            departedAt = NOT_DEPARTED;
        }
    }

    boolean departed() {
        return departedAt != NOT_DEPARTED;
    }

    /** Nothing but its lag keeps it out of the ISR: the same incarnation that fetched is registered and active. */
    boolean eligible() {
        return active && brokerEpoch == registeredEpoch;
    }

    FollowerProgress progress() {
        return new FollowerProgress(
                offset, brokerEpoch, caughtUp, leaderEndAtFetch == CatchUp.NO_FETCH ? UNKNOWN : leaderEndAtFetch);
    }
}
