package io.tidemark.history.edn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EdnRoundTripPropertiesTest {
    @Property(tries = 500)
    void whatIsWrittenReadsBackEqual(@ForAll("values") Object value) throws IOException {
        String text = EdnWriter.toString(value);
        EdnReader reader = new EdnReader(new StringReader(text));
        assertThat(reader.next()).isEqualTo(value);
        assertThat(reader.hasNext()).isFalse();
        assertThat(text).doesNotContain("\n");
    }

    @Property(tries = 500)
    void anyTextIsReadOrRefused(@ForAll("texts") String text) {
        assertThatCode(() -> {
                    EdnReader reader = new EdnReader(new StringReader(text));
                    try {
                        while (reader.hasNext()) {
                            reader.next();
                        }
                    } catch (EdnException refused) {
                        assertThat(refused.line()).isPositive();
                    }
                })
                .doesNotThrowAnyException();
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("[](){}#_:\\\"'; \n,1aN.-+/u").ofMaxLength(40);
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('-', '?', '/', '9')
                .ofMinLength(1)
                .ofMaxLength(8)
                .map(name -> "k" + name);
        Arbitrary<Object> atoms = Arbitraries.oneOf(
                        Arbitraries.longs().map(v -> v),
                        Arbitraries.bigIntegers().map(v -> v),
                        Arbitraries.bigDecimals().map(v -> v),
                        Arbitraries.doubles().map(v -> v),
                        Arbitraries.strings().ofMaxLength(20).map(v -> v),
                        Arbitraries.chars().map(v -> v),
                        Arbitraries.of(true, false).map(v -> v),
                        names.map(v -> (Object) new Keyword(v)),
                        names.map(v -> (Object) new Symbol(v)))
                .injectNull(0.05);
        return Arbitraries.recursive(() -> atoms, inner -> nest(inner, atoms, names), 0, 3);
    }

    private static Arbitrary<Object> nest(Arbitrary<Object> inner, Arbitrary<Object> keys, Arbitrary<String> tags) {
        return Arbitraries.oneOf(
                inner.list().ofMaxSize(3).map(ArrayList::new),
                inner.list().ofMaxSize(3).map(Sequence::new),
                inner.set().ofMaxSize(3).map(v -> v),
                Arbitraries.maps(keys, inner).ofMaxSize(2).map((Map<Object, Object> m) -> new LinkedHashMap<>(m)),
                Combinators.combine(tags, inner).as(Tagged::new));
    }
}
