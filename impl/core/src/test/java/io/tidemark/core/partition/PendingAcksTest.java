package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PendingAcksTest {
    /** A stable sort by required offset, whatever order they came in and whoever gave up. */
    @Property
    void isAStableOrder(
            @ForAll @Size(max = 12) List<@IntRange(min = 0, max = 4) Integer> required,
            @ForAll @Size(max = 5) List<@IntRange(min = 0, max = 12) Integer> givenUp) {
        PendingAcks acks = new PendingAcks();
        List<PendingAcks.Ack> expected = new ArrayList<>();
        for (int i = 0; i < required.size(); i++) {
            PendingAcks.Ack ack = new PendingAcks.Ack(new Fixture.Token("t" + i), required.get(i), i);
            acks.add(ack);
            expected.add(ack);
        }
        expected.sort(Comparator.comparingLong(PendingAcks.Ack::required));
        for (int i : givenUp) {
            Fixture.Token token = new Fixture.Token("t" + i);
            assertThat(acks.remove(token))
                    .isEqualTo(expected.removeIf(ack -> ack.token().equals(token)));
        }
        assertThat(acks.all()).isEqualTo(expected);
        assertThat(acks.first()).isEqualTo(expected.isEmpty() ? null : expected.get(0));
    }
}
