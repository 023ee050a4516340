package io.tidemark.cli.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterruptionTest {
    /** Within a second it is the first one again; a supervisor that repeats its SIGTERM has not lost patience. */
    @ParameterizedTest
    @CsvSource({
        "INTERRUPTED, 0, false",
        "INTERRUPTED, 1000, false",
        "INTERRUPTED, 1001, true",
        "TERMINATED, 0, false",
        "TERMINATED, 60000, false"
    })
    void onlyASecondCtrlCHurriesAnEnd(ExitCode code, long msSinceFirst, boolean hurries) {
        assertThat(Interruption.hurries(code, Duration.ofMillis(msSinceFirst).toNanos()))
                .isEqualTo(hurries);
    }
}
