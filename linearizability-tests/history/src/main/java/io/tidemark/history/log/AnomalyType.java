package io.tidemark.history.log;

import java.util.Locale;

/** What can be wrong with a log, as its clients and its replicas show it. */
public enum AnomalyType {
    /** Acknowledged, and at no offset of the complete final read. */
    LOST(Group.LOST),
    /**
     * Acknowledged, seen by no reader, and no complete final read says whether it is there: no loss, and no proof of
     * the contrary. It makes no history invalid.
     */
    UNSEEN(Group.LOST),
    /** Acknowledged at one offset, found at another one only. */
    MISPLACED(Group.INCONSISTENT_ACKNOWLEDGEMENT),
    /** Two different values acknowledged at the same offset. */
    OFFSET_ACKED_TWICE(Group.INCONSISTENT_ACKNOWLEDGEMENT),
    /** All readers read one value at an offset, and another one was acknowledged there. */
    ACK_CONTRADICTED(Group.INCONSISTENT_ACKNOWLEDGEMENT),
    /** An offset was read with two values. */
    INCONSISTENT_OFFSET(Group.INCONSISTENT_READ),
    /** An offset held one record in one leader epoch and another record in another epoch. */
    OFFSET_REUSED(Group.INCONSISTENT_READ),
    /** Seen by a reader, and not in the complete final read. */
    DIRTY_READ(Group.INCONSISTENT_READ),
    /** Read, but never sent to this partition, or before it was sent. */
    PHANTOM(Group.INCONSISTENT_READ),
    /** Read, although its send had certainly failed. */
    FAILED_READ(Group.INCONSISTENT_READ),
    /** A reader's offsets did not ascend. */
    NONMONOTONIC_POLL(Group.INCONSISTENT_READ),
    /** A reader passed over an offset that holds a record. */
    POLL_SKIP(Group.INCONSISTENT_READ),
    /** An offset of the complete final read holds no record, for no reason that is known. */
    GAP(Group.INCONSISTENT_READ),
    /** The end of the log was told to be lower than it had been told before. */
    HW_REGRESS(Group.INCONSISTENT_READ),
    /** The end of the log was told to be lower than what had been acknowledged before; judged where strong reads are asked for. */
    STALE_READ(Group.INCONSISTENT_READ),
    /** One value at several offsets: a defect with idempotence, allowed without. */
    DUPLICATE(Group.DUPLICATED),
    /** Two sends of one client in the other order in the log: a defect with idempotence, allowed without. */
    CLIENT_ORDER(Group.ORDER),
    /** Below an offset that had been acknowledged or read before it was sent. */
    REAL_TIME_ORDER(Group.ORDER),
    /** Two replicas hold different bytes at an offset below the high watermark. */
    REPLICA_DIFFERS(Group.REPLICA),
    /** A replica in sync ends below the high watermark, or has a hole there. */
    REPLICA_SHORT(Group.REPLICA),
    /** An in-sync replica does not hold an acknowledged record at its offset. */
    REPLICA_MISSING(Group.REPLICA);

    /** How reports sum up. */
    public enum Group {
        LOST,
        DUPLICATED,
        /** What readers were given contradicts itself, or what was sent. */
        INCONSISTENT_READ,
        /** What acknowledgements said contradicts another one, or what all readers were given alike. */
        INCONSISTENT_ACKNOWLEDGEMENT,
        ORDER,
        REPLICA
    }

    private final Group group;

    AnomalyType(Group group) {
        this.group = group;
    }

    public Group group() {
        return group;
    }

    /** The name in reports, for example {@code dirty-read}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
