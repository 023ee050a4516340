package io.tidemark.core;

/**
 * The guards of the protocol that prevent a known bug, by the names of the spec, its mutants and the reports. Each is
 * consulted at exactly one place in the code (a rule that two handlers share is a method that both call).
 */
public enum Guard {
    VOTE_ONCE,
    VOTE_DURABLE,
    VOTE_UP_TO_DATE,
    VOTE_KEY,
    PRE_VOTE_FETCHED,
    QUORUM_FLUSH,
    OWN_EPOCH_COMMIT,
    QUORUM_DIVERGENCE,
    ACTIVATE_AFTER_OWN_ENTRY,
    CHECK_QUORUM,
    CONTROLLER_COMMITTED_ANSWERS,
    AP_LEADER_EPOCH,
    AP_PARTITION_EPOCH,
    AP_BROKER_EPOCHS,
    AP_SENDER_EPOCH,
    AP_FENCED_MEMBERS,
    AP_RECOVERING,
    REGISTRATION_INCARNATION,
    REGISTRATION_UNCLEAN,
    ELECT_ISR_ONLY,
    ELECT_ELR_WHEN_ISR_EMPTY,
    ELECT_ACTIVE,
    MIN_ISR_APPEND,
    HW_MAXIMAL_ISR,
    HW_MIN_ISR,
    HW_APPLIED_ISR,
    HW_JOINING,
    ACK_AFTER_HW,
    ACK_DUPLICATE_AFTER_HW,
    FETCH_LEADER_EPOCH,
    FETCH_BROKER_EPOCH,
    FETCH_DIVERGENCE_FIRST,
    RESP_STILL_ASKED,
    RESP_DIVERGENCE_FIRST,
    RESP_BATCH_EPOCH,
    TRUNCATE_BY_EPOCH,
    TRUNCATE_OWN_EPOCH,
    EXPAND_HW,
    EXPAND_EPOCH_START,
    EXPAND_BROKER_EPOCH,
    PENDING_UNTIL_KNOWN,
    APPLY_DROPS_FETCH,
    APPLY_OLDER;

    /** The name in the spec and in reports, for example {@code hw-maximal-isr}. */
    public String specName() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
