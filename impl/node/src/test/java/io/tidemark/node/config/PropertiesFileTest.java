package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.Properties;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PropertiesFileTest {
    @Property(tries = 2000)
    void readsWhatTheJdkReads(@ForAll("files") String text) throws Exception {
        Properties expected = new Properties();
        expected.load(new StringReader(text));
        TreeMap<String, String> actual = new TreeMap<>();
        PropertiesFile.parse("f", text).entries().forEach((key, entry) -> actual.put(key, entry.value()));
        actual.remove(""); // an entry without a key means nothing, and the JDK sees one in some stray backslashes only
        expected.remove("");
        assertThat(actual).isEqualTo(new TreeMap<>(expected));
    }

    @Provide
    Arbitrary<String> files() {
        return Arbitraries.of(
                        "a", "b.c", "=", ":", " ", "\t", "\n", "\r\n", "#", "!", "\\", "\\n", "\\u0041", "\\:", "1")
                .list()
                .ofMaxSize(30)
                .map(parts -> String.join("", parts));
    }

    @Test
    void anEntryKnowsTheLineThatItBeginsOn() throws ConfigException {
        PropertiesFile file = PropertiesFile.parse("f", "# c\na = 1,\\\n   2\n\n b: x\n");
        assertThat(file.entries().get("a")).isEqualTo(new PropertiesFile.Entry("1,2", 2, true));
        assertThat(file.where("b")).isEqualTo("f:5");
        assertThat(file.where("none")).isEqualTo("f");
    }

    @Test
    void aBrokenEscapeIsNamed() {
        assertThatThrownBy(() -> PropertiesFile.parse("f", "a=1\nb=\\u00g0\n"))
                .hasMessage("f:2: \\u is not followed by four hex digits; like \\u00e9");
    }
}
