package io.tidemark.core.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class QuorumHwRuleTest {
    @Property
    void majorityOffsetIsTheGreatestThatMoreThanHalfHaveReached(
            @ForAll @Size(min = 1, max = 9) List<@LongRange(min = -1, max = 12) Long> fetched) {
        long naive = -1;
        for (long offset = -1; offset <= 12; offset++) {
            long candidate = offset;
            long holders = fetched.stream().filter(f -> f >= candidate).count();
            if (2 * holders > fetched.size()) {
                naive = offset;
            }
        }
        long[] offsets = fetched.stream().mapToLong(Long::longValue).toArray();
        assertThat(QuorumHwRule.majorityOffset(offsets)).isEqualTo(naive);
    }

    @Property
    void neverFallsAndMovesOnlyIntoTheOwnEpoch(
            @ForAll @LongRange(min = 0, max = 9) long hw,
            @ForAll @LongRange(min = -1, max = 9) long majority,
            @ForAll @LongRange(min = -1, max = 9) long epochStart) {
        long next = QuorumHwRule.next(hw, majority, epochStart);
        assertThat(next).isEqualTo(majority > hw && majority > epochStart ? majority : hw);
    }

    /** The leader's own entry is what it flushed, whatever was last heard of it. */
    @Property
    void aLeadershipCountsItselfByWhatItFlushed(
            @ForAll @Size(min = 1, max = 6) List<@LongRange(min = 0, max = 9) Long> others,
            @ForAll @IntRange(min = 0, max = 9) int own) {
        int[] ids = new int[others.size() + 1];
        long[] all = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i + 1;
            all[i] = i == 0 ? own : others.get(i - 1);
        }
        Leadership leading = new Leadership(0, QuorumFixture.voters(ids));
        for (int i = 1; i < ids.length; i++) {
            leading.voterFetched(ids[i], all[i]);
        }
        Arrays.sort(all);
        assertThat(leading.majorityOffset(1, own)).isEqualTo(QuorumHwRule.majorityOffset(all));
        assertThat(leading.voterFetch(1, own)).containsEntry(1, (long) own).hasSize(ids.length);
    }
}
