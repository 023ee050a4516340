package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a drill gives up the order of its faults to have at least one of each kind. */
class DrillPaceTest {
    @ParameterizedTest(name = "{5}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0|180|5|false|nothing was injected yet",
                "6|1|26|4|true|the shortest time that is allowed goes by kinds from its second fault on",
                "7|1|173|4|false|a quick machine kills the controller next",
                "24|1|156|4|false|one that takes 24 s for a fault does, too",
                "72|3|108|3|false|and comes to freeze the controller",
                "30|1|120|4|true|one that takes 30 s has just the time for the other kinds",
                "170|10|10|0|false|every kind was tried",
            })
    void kindsGoFirstWhereTimeIsShort(long passed, int faults, long left, int untried, boolean hurried, String why) {
        assertThat(DrillRun.hurried(nanos(passed), faults, nanos(left), untried))
                .as(why)
                .isEqualTo(hurried);
    }

    private static long nanos(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
