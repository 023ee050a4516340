package io.tidemark.core.metadata;

/** Whether a partition's leader may have lost records: RECOVERING after an unclean election (KIP-704). */
public enum LeaderRecovery {
    RECOVERED,
    RECOVERING
}
