package io.tidemark.history.wgl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class RopesTest {
    @Property(tries = 300)
    void equalStringsHaveOneNumberHoweverTheyWereMade(
            @ForAll @Size(max = 12) List<@AlphaChars @StringLength(max = 3) String> parts) {
        Ropes ropes = new Ropes();
        String whole = String.join("", parts);
        int appended = ropes.number("");
        for (String part : parts) {
            appended = ropes.append(appended, ropes.number(part));
        }
        assertThat(ropes.text(appended)).isEqualTo(whole);
        assertThat(ropes.number(whole)).isEqualTo(appended);
        for (int i = 0; i <= whole.length(); i++) {
            assertThat(ropes.mayStartWith(appended, ropes.number(whole.substring(0, i))))
                    .isTrue();
        }
        assertThat(ropes.mayStartWith(appended, ropes.number(whole + "x"))).isFalse();
        assertThat(ropes.mayStartWith(ropes.number("-" + whole), ropes.number("+")))
                .isFalse();
    }
}
