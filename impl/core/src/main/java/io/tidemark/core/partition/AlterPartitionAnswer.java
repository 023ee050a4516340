package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.LeaderRecovery;
import java.util.List;

/**
 * The controller's answer for one partition; with an error the rest is not meaningful.
 *
 * @param error of the partition, or of the whole request, or {@link ErrorCode#REQUEST_TIMED_OUT} where no answer came
 */
public record AlterPartitionAnswer(
        ErrorCode error, int leader, int leaderEpoch, int partitionEpoch, List<Integer> isr, LeaderRecovery recovery) {
    public AlterPartitionAnswer {
        isr = List.copyOf(isr);
    }

    /**
     * The controller knows the partition epoch that was asked about, and says that this attempt changed nothing; of other
     * attempts it says nothing.
     */
    public boolean saysNothingWasChanged() {
        return error == ErrorCode.OPERATION_NOT_ATTEMPTED || error == ErrorCode.INELIGIBLE_REPLICA;
    }

    /** The controller knows more of the partition than whoever asked; its metadata log will say so. */
    public boolean isOvertaken() {
        return error == ErrorCode.FENCED_LEADER_EPOCH
                || error == ErrorCode.INVALID_UPDATE_VERSION
                || error == ErrorCode.UNKNOWN_TOPIC_ID
                || error == ErrorCode.INVALID_REQUEST;
    }

    public static AlterPartitionAnswer failed(ErrorCode error) {
        return new AlterPartitionAnswer(error, -1, -1, -1, List.of(), LeaderRecovery.RECOVERED);
    }
}
