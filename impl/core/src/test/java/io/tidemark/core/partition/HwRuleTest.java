package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class HwRuleTest {
    @Provide
    Arbitrary<List<Follower>> followers() {
        Arbitrary<Boolean> flag = Arbitraries.of(true, false);
        return Combinators.combine(Arbitraries.longs().between(-1, 9), flag, flag, flag, flag, flag, flag, flag)
                .as((offset, inIsr, joining, leaving, departed, caughtUp, active, sameIncarnation) -> {
                    Follower follower = new Follower(0);
                    follower.offset = offset;
                    follower.inIsr = inIsr;
                    follower.joining = !inIsr && joining;
                    follower.leaving = inIsr && leaving;
                    follower.departedAt = departed ? 7 : Follower.NOT_DEPARTED;
                    follower.caughtUp = caughtUp;
                    follower.active = active;
                    follower.brokerEpoch = 5;
                    follower.registeredEpoch = sameIncarnation ? 5 : 6;
                    return follower;
                })
                .list()
                .ofMaxSize(4);
    }

    /** The sentence of the rule: collect every log end that counts, take the least, never go back. */
    @Property
    void isTheLeastEndThatCounts(
            @ForAll("followers") List<Follower> followers,
            @ForAll @LongRange(min = 0, max = 9) long hw,
            @ForAll @LongRange(min = 0, max = 9) long ownEnd,
            @ForAll @IntRange(min = 1, max = 4) int minIsr) {
        int committed = 1;
        List<Long> ends = new ArrayList<>(List.of(ownEnd));
        for (Follower follower : followers) {
            committed += follower.inIsr ? 1 : 0;
            boolean maximal = follower.inIsr || follower.joining;
            boolean aboutToJoin =
                    follower.caughtUp && follower.active && follower.brokerEpoch == follower.registeredEpoch;
            if (maximal || follower.departed() || aboutToJoin) {
                ends.add(follower.offset);
            }
        }
        long expected = committed < minIsr ? hw : Math.max(hw, Collections.min(ends));
        assertThat(HwRule.highWatermark(Guards.ALL, hw, ownEnd, committed, minIsr, followers.toArray(Follower[]::new)))
                .isEqualTo(expected);
    }

    private static Follower at(long offset) {
        Follower follower = new Follower(2);
        follower.offset = offset;
        return follower;
    }

    @Example
    void guardsOff() {
        Follower leaving = at(3);
        leaving.inIsr = true;
        leaving.leaving = true;
        Follower joining = at(3);
        joining.joining = true;
        Follower caughtUp = at(3);
        caughtUp.caughtUp = true;
        caughtUp.active = true;
        for (Follower follower : List.of(leaving, joining)) {
            assertThat(hw(Guards.ALL, 2, follower)).isEqualTo(3);
            assertThat(hw(Guards.without(Guard.HW_MAXIMAL_ISR), 2, follower)).isEqualTo(9);
        }
        Follower departed = at(3);
        departed.departedAt = 0;
        assertThat(hw(Guards.ALL, 2, departed)).isEqualTo(3);
        assertThat(hw(Guards.without(Guard.HW_APPLIED_ISR), 2, departed)).isEqualTo(9);
        assertThat(hw(Guards.ALL, 2, caughtUp)).isEqualTo(3);
        assertThat(hw(Guards.without(Guard.HW_JOINING), 2, caughtUp)).isEqualTo(9);
        assertThat(hw(Guards.ALL, 1, at(0))).isZero();
        assertThat(hw(Guards.without(Guard.HW_MIN_ISR), 1, at(0))).isEqualTo(9);
    }

    private static long hw(Guards guards, int committed, Follower follower) {
        return HwRule.highWatermark(guards, 0, 9, committed, 2, new Follower[] {follower});
    }
}
