package io.tidemark.core.broker;

/** Kafka's states of a broker, as its {@code BrokerState} metric numbers them. */
public enum BrokerState {
    NOT_RUNNING(0),
    /** Not yet caught up with the metadata, not registered. */
    STARTING(1),
    /** Registered, fenced. */
    RECOVERY(2),
    RUNNING(3),
    PENDING_CONTROLLED_SHUTDOWN(6),
    SHUTTING_DOWN(7);

    private final int number;

    BrokerState(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
