package io.tidemark.spec.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CommentsTest {
    @Test
    void commentsGoAndColumnsStay() {
        assertThat(Comments.without("A == /\\ x \\* to the end\n(* b (* nested *)\n *)\n     /\\ (*c*) y\n"))
                .isEqualTo("A == /\\ x\n     /\\       y\n");
    }

    @Test
    void stringsHaveNone() {
        assertThat(Comments.without("A == \"(* \\\" \\* \" \\* gone")).isEqualTo("A == \"(* \\\" \\* \"");
    }

    private static String above(String text, int line) {
        return Comments.above(text.lines().toList(), line);
    }

    @Test
    void whatABlankLineOrARulePartsFromADefinitionIsNotItsComment() {
        assertThat(above("(* Logs *)\n\n\\* Two logs\n\\* are equal.\nA == 1", 5))
                .isEqualTo("Two logs are equal.");
        assertThat(above("(* Gone *)\n----\n(* It *)\n(* stays. *)\nA == 1", 5)).isEqualTo("It stays.");
        assertThat(above("(* Steps *)\n\nA == 1", 3)).isEmpty();
        assertThat(above("B == 2 (* its own *)\nA == 1", 2)).isEmpty();
        assertThat(above("(* Of several\n\n   lines. *)\nA == 1", 4)).isEqualTo("Of several lines.");
        assertThat(above("A == 1", 1)).isEmpty();
        assertThat(above("", 9)).isEmpty();
    }

    @Test
    void definitionsThatStandTogetherShareTheCommentAboveThem() {
        List<String> lines = List.of("\\* Heading.", "", "\\* Of both.", "A == 1", "B == 2", "", "C == 3");
        assertThat(Comments.aboveGroup(lines, 5)).isEqualTo("Of both.");
        assertThat(Comments.aboveGroup(lines, 7)).isEmpty();
    }

    /** In all modules of the specification: what stands below a rule, and above a blank line, is the heading of a section. */
    @Test
    void noHeadingOfASectionStandsInTheWordsOfADefinition() throws IOException {
        Modules modules = new Modules(Path.of("").toAbsolutePath());
        int headings = 0;
        for (String name : List.of("Cluster", "Controller", "Durability", "MetaLog", "Partition", "Quorum", "State")) {
            Path file = modules.find(name);
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i + 2 < lines.size(); i++) {
                if (lines.get(i).startsWith("-----")
                        && lines.get(i + 1).startsWith("(*")
                        && lines.get(i + 2).isBlank()) {
                    String words = Comments.above(lines, i + 3);
                    assertThat(words).isNotEmpty();
                    headings++;
                    assertThat(modules.definitions(file).definitions().values())
                            .extracting(Definitions.Definition::comment)
                            .noneMatch(comment -> comment.matches(Pattern.quote(words) + "( [A-Z(].*)?"));
                }
            }
        }
        assertThat(headings).isGreaterThan(5);
        assertThat(comment(modules, "Durability", "OneLeaderPerEpoch"))
                .isEqualTo("In one leader epoch at most one broker leads.");
        assertThat(comment(modules, "Durability", "LogMatching")).startsWith("Two logs that hold");
        assertThat(comment(modules, "Controller", "HandleBrokerRegistration"))
                .startsWith("HandleBrokerRegistration, by");
        assertThat(comment(modules, "Partition", "ConsumerRead")).startsWith("ConsumerRead, from b");
        assertThat(comment(modules, "Cluster", "HandleBrokerRegistration")).isEmpty();
    }

    private static String comment(Modules modules, String module, String name) {
        return modules.definitions(modules.find(module)).definition(name).comment();
    }
}
