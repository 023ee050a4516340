package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatchUpTest {
    @ParameterizedTest
    @CsvSource({
        "10, 10, 4, NOW",
        "11, 10, 4, NOW",
        "9, 10, 9, AT_LAST_FETCH",
        "9, 10, 4, AT_LAST_FETCH",
        "8, 10, 9, BEHIND",
        // What the leader had is cut off: its end at the fetch before says nothing for a follower behind both.
        "8, 9, 12, BEHIND",
        "0, 0, " + CatchUp.NO_FETCH + ", NOW",
        "0, 1, " + CatchUp.NO_FETCH + ", BEHIND",
        "0, 1, 0, AT_LAST_FETCH",
    })
    void aFollowerHasWhatItsLeaderHasOrHad(long fetched, long leaderEnd, long leaderEndAtLastFetch, CatchUp expected) {
        assertThat(CatchUp.of(fetched, leaderEnd, leaderEndAtLastFetch)).isEqualTo(expected);
    }
}
