package io.tidemark.workload;

import java.util.Set;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Tells the errors of a send after which no attempt can have been appended from those that leave it open. */
final class SendOutcome {
    /** A leader that answers with one of these has appended nothing. */
    private static final Set<Class<? extends Exception>> REFUSED = Set.of(
            NotEnoughReplicasException.class,
            NotLeaderOrFollowerException.class,
            UnknownTopicOrPartitionException.class,
            RecordTooLargeException.class,
            InvalidTopicException.class,
            InvalidRequiredAcksException.class,
            TopicAuthorizationException.class);

    private SendOutcome() {}

    /**
     * Whether the record is certainly not in the log: only if the answer refuses it and was the only one, because an
     * earlier attempt may have been appended without an answer.
     *
     * @param attempts how often the producer may have tried
     */
    static boolean definitelyFailed(Exception error, int attempts) {
        return attempts == 1 && REFUSED.contains(error.getClass());
    }
}
