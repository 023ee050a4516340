package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AckRuleTest {
    /** The table of {@link AckRule}'s Javadoc, minIsr 2, required offset 10. */
    @ParameterizedTest
    @CsvSource({
        "0,  0, 0,  0, ACK",
        "0,  3, 3, 10, ACK",
        "1,  0, 0,  0, ACK",
        "1,  3, 3, 10, ACK",
        "-1, 1, 1,  0, REFUSE",
        "-1, 1, 1, 10, REFUSE",
        "-1, 1, 2, 10, REFUSE",
        "-1, 2, 1, 10, WAIT",
        "-1, 2, 2,  9, WAIT",
        "-1, 2, 3,  9, WAIT",
        "-1, 2, 2, 10, ACK",
        "-1, 3, 3, 11, ACK",
    })
    void table(short acks, int committed, int maximal, long hw, AckRule.Decision decision) {
        assertThat(AckRule.decide(Guards.ALL, acks, 2, committed, maximal, 10, hw))
                .isEqualTo(decision);
    }

    /** Against replicas drawn one by one: acks=all is acknowledged only if every member that counts has the record. */
    @Property
    void anAckOfAllMeansThatEveryMaximalMemberHasIt(
            @ForAll("acks") short acks,
            @ForAll @IntRange(min = 1, max = 3) int minIsr,
            @ForAll Set<@IntRange(min = 1, max = 4) Integer> committed,
            @ForAll Set<@IntRange(min = 1, max = 4) Integer> joining,
            @ForAll @LongRange(min = 0, max = 5) long required,
            @ForAll long[] ends) {
        Set<Integer> maximal = new TreeSet<>(committed);
        maximal.addAll(joining);
        long hw = Long.MAX_VALUE;
        boolean all = true;
        for (int member : maximal) {
            long end = ends.length == 0 ? 0 : Math.floorMod(ends[member % ends.length], 6L);
            hw = Math.min(hw, end);
            all &= end >= required;
        }
        AckRule.Decision expected;
        if (acks == 0 || acks == 1) {
            expected = AckRule.Decision.ACK;
        } else if (committed.size() < minIsr) {
            expected = AckRule.Decision.REFUSE;
        } else {
            expected = all ? AckRule.Decision.ACK : AckRule.Decision.WAIT;
        }
        assertThat(AckRule.decide(Guards.ALL, acks, minIsr, committed.size(), maximal.size(), required, hw))
                .isEqualTo(expected);
    }

    @net.jqwik.api.Provide
    net.jqwik.api.Arbitrary<Short> acks() {
        return net.jqwik.api.Arbitraries.of((short) -1, (short) 0, (short) 1);
    }

    @Test
    void onlyThreeValuesAreValid() {
        for (int acks = Short.MIN_VALUE; acks <= Short.MAX_VALUE; acks++) {
            assertThat(AckRule.isValid((short) acks)).isEqualTo(acks == -1 || acks == 0 || acks == 1);
        }
    }

    @Test
    void guardsOff() {
        assertThat(AckRule.decide(Guards.without(Guard.MIN_ISR_APPEND), AckRule.ACKS_ALL, 2, 1, 1, 10, 10))
                .isEqualTo(AckRule.Decision.WAIT);
        assertThat(AckRule.decide(Guards.without(Guard.ACK_AFTER_HW), AckRule.ACKS_ALL, 2, 2, 2, 10, 0))
                .isEqualTo(AckRule.Decision.ACK);
    }
}
