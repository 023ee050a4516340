package io.tidemark.history.edn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdnReaderTest {
    private static Object read(String text) throws IOException {
        return new EdnReader(new StringReader(text)).next();
    }

    @Test
    void readsEveryKindOfAtom() throws IOException {
        assertThat(read(
                        "[nil true false 7 -7 +7 7N 99999999999999999999 1.5 1e3 2.5M \"a\\n\\u0041\" \\a \\newline \\u0042"
                                + " :k :a/b sym + - .x ##Inf ##-Inf]"))
                .isEqualTo(Arrays.asList(
                        null,
                        true,
                        false,
                        7L,
                        -7L,
                        7L,
                        BigInteger.valueOf(7),
                        new BigInteger("99999999999999999999"),
                        1.5,
                        1000.0,
                        new BigDecimal("2.5"),
                        "a\nA",
                        'a',
                        '\n',
                        'B',
                        new Keyword("k"),
                        new Keyword("a/b"),
                        new Symbol("sym"),
                        new Symbol("+"),
                        new Symbol("-"),
                        new Symbol(".x"),
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY));
    }

    @Test
    void readsCollectionsAndKeepsVectorsAndListsApart() throws IOException {
        assertThat(read("{:a [1 2], :b (1 2) :c #{1 2} :d #my/tag {:x nil}}"))
                .isEqualTo(Map.of(
                        new Keyword("a"),
                        List.of(1L, 2L),
                        new Keyword("b"),
                        new Sequence(List.of(1L, 2L)),
                        new Keyword("c"),
                        Set.of(1L, 2L),
                        new Keyword("d"),
                        new Tagged("my/tag", java.util.Collections.singletonMap(new Keyword("x"), null))));
    }

    @Test
    void skipsCommentsCommasAndDiscardedForms() throws IOException {
        EdnReader reader = new EdnReader(new StringReader("; first\n1,, #_ {:gone [1]} 2 #_3"));
        assertThat(reader.next()).isEqualTo(1L);
        assertThat(reader.next()).isEqualTo(2L);
        assertThat(reader.hasNext()).isFalse();
    }

    @Test
    void findsWhatStraddlesTheBuffer() throws IOException {
        String padding = " ".repeat((1 << 16) - 1);
        assertThat(read(padding + "#_ 1 2")).isEqualTo(2L);
        assertThat(read(padding + "\"a\\tb\"")).isEqualTo("a\tb");
        assertThat(read(padding + "12345")).isEqualTo(12345L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1 2|1:5: the text ended; expected ]",
                "'{:a}'|1:4: key :a has no value",
                "'{:a 1 :a 2}'|1:9: key :a twice in a map",
                "]|1:1: unexpected character RIGHT SQUARE BRACKET",
                "'\"abc'|1:5: the text ended inside of a string",
                "'\"\\q\"'|1:4: unknown escape in a string; expected one of \\t \\r \\n \\b \\f \\\" \\\\ \\uXXXX",
                "1x|1:3: malformed number 1x",
                "\\nope|1:6: unknown character \\nope",
                "##Nope|1:7: unknown constant ##Nope; expected ##NaN, ##Inf or ##-Inf",
                "#1 2|1:3: # is followed by neither a tag nor a set",
                ":|1:2: malformed keyword :",
            })
    void malformedTextIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(EdnException.class).hasMessage(message);
    }

    @Test
    void lineAndColumnAreThoseOfTheProblem() {
        assertThatThrownBy(() -> read("[1\n 2\n  \\wrong]")).isInstanceOfSatisfying(EdnException.class, e -> {
            assertThat(e.line()).isEqualTo(3);
            assertThat(e.column()).isEqualTo(9);
        });
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> read("[".repeat(100_000)))
                .isInstanceOf(EdnException.class)
                .hasMessageContaining("nested deeper than 200");
        assertThatThrownBy(() -> read("#_".repeat(100_000) + "1"))
                .isInstanceOf(EdnException.class)
                .hasMessageContaining("nested deeper than 200");
    }
}
