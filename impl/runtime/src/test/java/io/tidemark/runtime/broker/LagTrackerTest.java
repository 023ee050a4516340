package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LagTrackerTest {
    private static final long MAX = 1_000;
    private final LagTracker lag = new LagTracker();

    @BeforeEach
    void newLeader() {
        lag.reset(List.of(2, 3), 0);
    }

    @Test
    void aNewLeaderGivesEverybodyTheWholeTime() {
        assertThat(lag.laggards(10, MAX, MAX)).isEmpty();
        assertThat(lag.laggards(10, MAX + 1, MAX)).containsExactly(2, 3);
    }

    @Test
    void aFetchFromTheEndCatchesUp() {
        lag.fetched(2, 10, 10, 900);
        assertThat(lag.laggards(20, 1_900, MAX)).containsExactly(3);
        assertThat(lag.laggards(20, 1_901, MAX)).containsExactly(2, 3);
    }

    @Test
    void whoIsAtTheEndIsNoLaggardHoweverLongAgo() {
        lag.fetched(2, 10, 10, 100);
        lag.fetched(3, 9, 10, 100);
        assertThat(lag.laggards(10, 50_000, MAX)).containsExactly(3);
    }

    @Test
    void aFollowerThatReachesTheEndOfItsLastFetchWasCaughtUpThen() {
        lag.fetched(2, 5, 10, 500);
        lag.fetched(2, 10, 20, 800);
        assertThat(lag.laggards(20, 1_500, MAX)).containsExactly(3);
        assertThat(lag.laggards(20, 1_501, MAX)).containsExactly(2, 3);
    }

    @Test
    void aFollowerThatNeverReachesItLags() {
        for (int i = 1; i <= 20; i++) {
            lag.fetched(2, i, 10L * i, 100L * i);
        }
        assertThat(lag.laggards(200, 2_000, MAX)).contains(2);
    }
}
