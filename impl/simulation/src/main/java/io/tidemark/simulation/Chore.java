package io.tidemark.simulation;

import java.util.Locale;

/** What an operator does that is no fault; elections are {@link Fault#LEADER_MOVE} and {@link Fault#UNCLEAN_ELECTION}. */
public enum Chore implements Act {
    /** A topic beside the one under load is made. */
    CREATE_TOPIC,
    /** That topic is deleted. */
    DELETE_TOPIC,
    /** {@code min.insync.replicas} of the topic, or of all brokers, is raised or lowered. */
    CHANGE_MIN_ISR,
    /** {@code max.message.bytes} is changed: a change that moves nothing. */
    CHANGE_CONFIG,
    /** Unclean elections are enabled for a while, so that the controller's timer elects so, too. */
    ENABLE_UNCLEAN;

    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
