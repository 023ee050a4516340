package io.tidemark.core.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class VoteTallyTest {
    /** Answers of voters 1 to n (and of strangers), in any order, doubled, contradicting. */
    @Property
    void countsTheFirstAnswerOfEachVoter(
            @ForAll @IntRange(min = 1, max = 7) int n,
            @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 9) Integer> from,
            @ForAll long grants) {
        TreeSet<Integer> voters = new TreeSet<>();
        for (int voter = 1; voter <= n; voter++) {
            voters.add(voter);
        }
        VoteTally tally = new VoteTally(voters, 1);
        TreeMap<Integer, Boolean> first = new TreeMap<>();
        first.put(1, true);
        for (int i = 0; i < from.size(); i++) {
            boolean grant = (grants >> i & 1) == 1;
            boolean expected = from.get(i) <= n && !first.containsKey(from.get(i));
            assertThat(tally.record(from.get(i), grant)).isEqualTo(expected);
            if (from.get(i) <= n) {
                first.putIfAbsent(from.get(i), grant);
            }
        }
        long granted = first.values().stream().filter(g -> g).count();
        long rejected = first.size() - granted;
        assertThat(tally.granted()).hasSize((int) granted);
        assertThat(tally.isWon()).isEqualTo(2 * granted > n);
        // Lost: even if all who are silent granted, it would be no majority.
        assertThat(tally.isLost()).isEqualTo(2 * (n - rejected) <= n);
        assertThat(tally.isWon() && tally.isLost()).isFalse();
    }
}
