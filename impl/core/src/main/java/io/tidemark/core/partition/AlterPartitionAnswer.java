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

    public static AlterPartitionAnswer failed(ErrorCode error) {
        return new AlterPartitionAnswer(error, -1, -1, -1, List.of(), LeaderRecovery.RECOVERED);
    }
}
