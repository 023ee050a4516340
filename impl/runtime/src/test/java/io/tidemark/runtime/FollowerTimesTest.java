package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowerTimesTest {
    private final FollowerTimes follower = new FollowerTimes(-1);

    @Test
    void aFetchFromTheEndIsCaughtUpWhenItComes() {
        follower.fetched(10, 10, 1_000);
        assertThat(follower.lastCaughtUpMs()).isEqualTo(1_000);
        assertThat(follower.lastFetchMs()).isEqualTo(1_000);
        assertThat(follower.offset()).isEqualTo(10);
    }

    /** A busy leader's end is always ahead of a follower that keeps up. */
    @Test
    void whoReachesWhatWasTheEndWasCaughtUpThen() {
        follower.fetched(4, 10, 1_000);
        assertThat(follower.lastCaughtUpMs()).isEqualTo(-1);
        follower.fetched(10, 15, 2_000);
        assertThat(follower.lastCaughtUpMs()).isEqualTo(1_000);
        follower.fetched(14, 20, 3_000);
        assertThat(follower.lastCaughtUpMs()).isEqualTo(1_000);
    }

    @Test
    void itIsNeverCaughtUpEarlierThanItWas() {
        FollowerTimes since = new FollowerTimes(5_000);
        since.fetched(4, 10, 1_000);
        since.fetched(10, 15, 2_000);
        assertThat(since.lastCaughtUpMs()).isEqualTo(5_000);
    }
}
