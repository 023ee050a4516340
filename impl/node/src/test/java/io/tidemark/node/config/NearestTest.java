package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void countsASwapAsOneEdit() {
        assertThat(Nearest.distance("topcis", "topics")).isEqualTo(1);
        assertThat(Nearest.distance("--fromat", "--format")).isEqualTo(1);
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    }

    @Test
    void findsNothingFarAway() {
        assertThat(Nearest.to("zzzz", List.of("cluster", "doctor"))).isNull();
        assertThat(Nearest.to("clutser", List.of("doctor", "cluster"))).isEqualTo("cluster");
    }

    @Property(tries = 200)
    void isSymmetricAndZeroOnlyForEqualWords(
            @ForAll @AlphaChars @StringLength(max = 8) String a, @ForAll @AlphaChars @StringLength(max = 8) String b) {
        assertThat(Nearest.distance(a, b)).isEqualTo(Nearest.distance(b, a));
        assertThat(Nearest.distance(a, b) == 0).isEqualTo(a.equals(b));
        assertThat(Nearest.distance(a, b))
                .isBetween(Math.abs(a.length() - b.length()), Math.max(a.length(), b.length()));
    }
}
