package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.partition.AlterPartitionAnswer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlterPartitionsTest {
    @ParameterizedTest
    @CsvSource({
        "INELIGIBLE_REPLICA,      true,  REQUEST_TIMED_OUT",
        "OPERATION_NOT_ATTEMPTED, true,  REQUEST_TIMED_OUT",
        "INELIGIBLE_REPLICA,      false, INELIGIBLE_REPLICA",
        "INVALID_UPDATE_VERSION,  true,  INVALID_UPDATE_VERSION",
        "NONE,                    true,  NONE"
    })
    void aRefusalSettlesNothingWhileAnEarlierAttemptMayArrive(ErrorCode answered, boolean stray, ErrorCode believed) {
        assertThat(AlterPartitions.believed(AlterPartitionAnswer.failed(answered), stray)
                        .error())
                .isEqualTo(believed);
    }
}
