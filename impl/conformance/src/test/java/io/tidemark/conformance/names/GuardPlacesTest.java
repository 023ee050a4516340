package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code consults each guard at one place, as {@link Guard} says: a second one would be the rule written twice. */
class GuardPlacesTest {
    private static final Path IMPL = Path.of(System.getProperty("tidemark.root", "../.."), "impl");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern CONSTANT = Pattern.compile("\\bGuard\\s*\\.\\s*([A-Z][A-Z_]*)\\b");
    private static final Pattern STATIC_IMPORT = Pattern.compile("import\\s+static\\s+io\\.tidemark\\.core\\.Guard\\b");

    /** The product's sources by path; {@code conformance} names the guards whose absence it compares. */
    private static SortedMap<String, String> sources() throws IOException {
        SortedMap<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(IMPL)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String name = IMPL.relativize(file).toString().replace('\\', '/');
                if (name.contains("/src/main/java/") && !name.startsWith("conformance/")) {
                    sources.put(name, Files.readString(file));
                }
            }
        }
        return sources;
    }

    /** What is wrong, a line each. */
    private static List<String> wrong(SortedMap<String, String> sources) {
        Map<String, List<String>> places = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        sources.forEach((file, text) -> {
            String code = COMMENT.matcher(text).replaceAll("");
            if (STATIC_IMPORT.matcher(code).find()) {
                wrong.add(file + ": imports constants of Guard; written Guard.NAME, each place can be seen");
            }
            Matcher named = CONSTANT.matcher(code);
            while (named.find()) {
                places.computeIfAbsent(named.group(1), name -> new ArrayList<>())
                        .add(file.substring(file.lastIndexOf('/') + 1));
            }
        });
        for (Guard guard : Guard.values()) {
            List<String> at = places.getOrDefault(guard.name(), List.of());
            if (at.size() != 1) {
                wrong.add("Guard." + guard + ": consulted at " + at + ", not at one place");
            }
        }
        return wrong;
    }

    private static SortedMap<String, String> with(String file, String text) throws IOException {
        SortedMap<String, String> sources = sources();
        assertThat(sources.put(file, text)).isNull();
        return sources;
    }

    @Test
    void eachGuardIsConsultedAtOnePlace() throws IOException {
        assertThat(wrong(sources())).isEmpty();
    }

    @Test
    void aSecondPlaceIsTold() throws IOException {
        assertThat(wrong(with("core/src/main/java/Z.java", "boolean b = guards.on(Guard.HW_MIN_ISR);")))
                .containsExactly("Guard.HW_MIN_ISR: consulted at [Z.java, HwRule.java], not at one place");
    }

    @Test
    void aGuardThatNobodyConsultsIsTold() throws IOException {
        SortedMap<String, String> sources = sources();
        sources.replaceAll((file, text) -> text.replaceAll("(.*\\bGuard\\.HW_MIN_ISR\\b)", "// $1"));
        assertThat(wrong(sources)).containsExactly("Guard.HW_MIN_ISR: consulted at [], not at one place");
    }

    @Test
    void aConstantThatCannotBeSeenIsTold() throws IOException {
        assertThat(wrong(with(
                        "core/src/main/java/Z.java",
                        "import static io.tidemark.core.Guard.HW_JOINING;\nclass Z { Object o = HW_JOINING; }")))
                .contains("core/src/main/java/Z.java: imports constants of Guard; written Guard.NAME, each place can be"
                        + " seen");
    }
}
