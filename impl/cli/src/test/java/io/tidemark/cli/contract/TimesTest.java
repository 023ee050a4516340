package io.tidemark.cli.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    @ParameterizedTest
    @CsvSource({"1s, 1", "90s, 90", "10m, 600", "1h, 3600", "24h, 86400", "1440m, 86400", "86400s, 86400"})
    void aTimeIsRead(String text, long seconds) {
        assertThat(Times.parse("drill", "--for", text)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9", "s", "1d", "-1s", "1.5h", "1 s", "1S", "1234567s", "1h30m"})
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> Times.parse("spec check", "--timeout", text))
                .isInstanceOf(CliException.class)
                .hasMessage("spec check: --timeout " + text + "; a time as 90s, 10m or 1h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0h", "25h", "1441m", "86401s", "999999h"})
    void aTimeOutOfBoundsIsRefused(String text) {
        assertThatThrownBy(() -> Times.parse("drill", "--for", text))
                .isInstanceOf(CliException.class)
                .hasMessage("drill: --for " + text + "; 1s to 24h");
    }
}
