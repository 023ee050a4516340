package io.tidemark.core;

/** The errors of Kafka's protocol that Tidemark answers with; names and codes are Kafka's. */
public enum ErrorCode {
    UNKNOWN_SERVER_ERROR(-1),
    NONE(0),
    OFFSET_OUT_OF_RANGE(1),
    CORRUPT_MESSAGE(2),
    UNKNOWN_TOPIC_OR_PARTITION(3),
    LEADER_NOT_AVAILABLE(5),
    NOT_LEADER_OR_FOLLOWER(6),
    REQUEST_TIMED_OUT(7),
    MESSAGE_TOO_LARGE(10),
    COORDINATOR_LOAD_IN_PROGRESS(14),
    INVALID_TOPIC_EXCEPTION(17),
    NOT_ENOUGH_REPLICAS(19),
    INVALID_REQUIRED_ACKS(21),
    INVALID_TIMESTAMP(32),
    UNSUPPORTED_VERSION(35),
    TOPIC_ALREADY_EXISTS(36),
    INVALID_PARTITIONS(37),
    INVALID_REPLICATION_FACTOR(38),
    INVALID_REPLICA_ASSIGNMENT(39),
    INVALID_CONFIG(40),
    NOT_CONTROLLER(41),
    INVALID_REQUEST(42),
    POLICY_VIOLATION(44),
    OUT_OF_ORDER_SEQUENCE_NUMBER(45),
    INVALID_PRODUCER_EPOCH(47),
    OPERATION_NOT_ATTEMPTED(55),
    FETCH_SESSION_ID_NOT_FOUND(70),
    INVALID_FETCH_SESSION_EPOCH(71),
    FENCED_LEADER_EPOCH(74),
    UNKNOWN_LEADER_EPOCH(75),
    UNSUPPORTED_COMPRESSION_TYPE(76),
    STALE_BROKER_EPOCH(77),
    OFFSET_NOT_AVAILABLE(78),
    PREFERRED_LEADER_NOT_AVAILABLE(80),
    ELIGIBLE_LEADERS_NOT_AVAILABLE(83),
    ELECTION_NOT_NEEDED(84),
    INVALID_RECORD(87),
    INVALID_UPDATE_VERSION(95),
    SNAPSHOT_NOT_FOUND(98),
    UNKNOWN_TOPIC_ID(100),
    DUPLICATE_BROKER_REGISTRATION(101),
    BROKER_ID_NOT_REGISTERED(102),
    INCONSISTENT_CLUSTER_ID(104),
    INELIGIBLE_REPLICA(107),
    NEW_LEADER_ELECTED(108),
    INVALID_REGISTRATION(119),
    INVALID_VOTER_KEY(125);

    private final short code;

    ErrorCode(int code) {
        this.code = (short) code;
    }

    /** Kafka's number. */
    public short code() {
        return code;
    }

    /** {@link #UNKNOWN_SERVER_ERROR} for a code that is not here: another node of Tidemark answers with none such. */
    public static ErrorCode forCode(short code) {
        for (ErrorCode error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return UNKNOWN_SERVER_ERROR;
    }
}
