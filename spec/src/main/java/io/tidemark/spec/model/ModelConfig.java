package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A configuration file of TLC: what is checked, within which bounds.
 *
 * @param keywords SPECIFICATION, SYMMETRY, CONSTRAINTS and so on, each with its words
 * @param constants name to {@code = value} or {@code <- operator}
 * @param invariants state predicates
 * @param properties temporal formulas
 */
public record ModelConfig(
        Map<String, String> keywords, Map<String, String> constants, List<String> invariants, List<String> properties) {
    private static final Map<String, String> KEYWORDS = keywordForms();
    /** Comments, strings, brackets, arrows, words. */
    private static final Pattern TOKEN = Pattern.compile(
            "\\\\\\*[^\\n]*|\\(\\*.*?\\*\\)|\"[^\"]*\"|<-|[{}(),=\\[\\]]|[^\\s{}(),=\\[\\]\"<]+|\\S", Pattern.DOTALL);

    public ModelConfig {
        keywords = new LinkedHashMap<>(keywords);
        constants = new LinkedHashMap<>(constants);
        invariants = List.copyOf(invariants);
        properties = List.copyOf(properties);
    }

    private static Map<String, String> keywordForms() {
        Map<String, String> forms = new LinkedHashMap<>();
        for (String single : List.of("SPECIFICATION", "INIT", "NEXT", "VIEW", "SYMMETRY", "CHECK_DEADLOCK", "ALIAS")) {
            forms.put(single, single);
        }
        for (String plural : List.of("CONSTANT", "CONSTRAINT", "ACTION_CONSTRAINT", "INVARIANT")) {
            forms.put(plural, plural + "S");
            forms.put(plural + "S", plural + "S");
        }
        forms.put("PROPERTY", "PROPERTIES");
        forms.put("PROPERTIES", "PROPERTIES");
        return forms;
    }

    static boolean isKeyword(String word) {
        return KEYWORDS.containsKey(word);
    }

    /** The file's content. */
    public static ModelConfig read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.INPUT,
                    file.toString(),
                    "no such configuration",
                    "a .cfg file beside the module");
        }
    }

    static ModelConfig parse(String text, String where) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> section = null;
        Matcher tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            String token = tokens.group();
            if (token.startsWith("\\*") || token.startsWith("(*")) {
                continue;
            }
            String keyword = KEYWORDS.get(token);
            if (keyword != null) {
                section = sections.computeIfAbsent(keyword, k -> new ArrayList<>());
            } else if (section == null) {
                throw new SpecException(
                        SpecException.Kind.INPUT, where, "begins with " + token, "a keyword such as SPECIFICATION");
            } else {
                section.add(token);
            }
        }
        List<String> constants = take(sections, "CONSTANTS");
        List<String> invariants = take(sections, "INVARIANTS");
        List<String> properties = take(sections, "PROPERTIES");
        Map<String, String> keywords = new LinkedHashMap<>();
        sections.forEach((keyword, words) -> keywords.put(keyword, String.join(" ", words)));
        return new ModelConfig(keywords, assignments(constants, where), invariants, properties);
    }

    private static List<String> take(Map<String, List<String>> sections, String keyword) {
        List<String> words = sections.remove(keyword);
        return words == null ? List.of() : words;
    }

    private static Map<String, String> assignments(List<String> tokens, String where) {
        Map<String, String> constants = new LinkedHashMap<>();
        for (int i = 0; i < tokens.size(); ) {
            if (i + 2 >= tokens.size() || !tokens.get(i + 1).matches("=|<-")) {
                throw new SpecException(
                        SpecException.Kind.INPUT,
                        where,
                        "constant " + tokens.get(i),
                        "NAME = VALUE or NAME <- OPERATOR");
            }
            int end = i + 2;
            // A value goes on to the next NAME = or NAME <-.
            while (end < tokens.size()
                    && !(end + 1 < tokens.size()
                            && end > i + 2
                            && tokens.get(end + 1).matches("=|<-"))) {
                end++;
            }
            String value = String.join(" ", tokens.subList(i + 2, end)).replaceAll(" ?([{},\\[\\]]) ?", "$1");
            constants.put(tokens.get(i), tokens.get(i + 1) + " " + value.replace(",", ", "));
            i = end;
        }
        return constants;
    }

    /** With the changes, the later ones over the earlier. */
    public ModelConfig with(List<ConfigChange> overrides) {
        ModelConfig changed = new ModelConfig(keywords, constants, invariants, properties);
        for (ConfigChange change : overrides) {
            String keyword = KEYWORDS.get(change.name());
            if (keyword == null) {
                changed.constants.put(change.name(), (change.substitution() ? "<- " : "= ") + change.value());
            } else if (change.value().isEmpty()) {
                changed.keywords.remove(keyword);
            } else {
                if (keyword.equals("SPECIFICATION")) {
                    changed.keywords.remove("INIT");
                    changed.keywords.remove("NEXT");
                }
                changed.keywords.put(keyword, change.value());
            }
        }
        return changed;
    }

    /** With other properties instead of its own. */
    public ModelConfig checking(List<String> states, List<String> temporal) {
        return new ModelConfig(keywords, constants, states, temporal);
    }

    /** With a guard switched off, beside those that are off. */
    public ModelConfig without(String guard) {
        String off = constants.getOrDefault("Off", "= {}");
        String before = off.replaceAll("^= *\\{|}$", "").strip();
        ModelConfig changed = new ModelConfig(keywords, constants, invariants, properties);
        changed.constants.put("Off", "= {" + (before.isEmpty() ? "" : before + ", ") + '"' + guard + "\"}");
        return changed;
    }

    /** The guards that are switched off. */
    public List<String> off() {
        Matcher names = Pattern.compile("\"([^\"]+)\"").matcher(constants.getOrDefault("Off", ""));
        return names.results().map(match -> match.group(1)).toList();
    }

    /** As TLC reads it. */
    public String render() {
        StringBuilder text = new StringBuilder();
        keywords.forEach((keyword, words) ->
                text.append(keyword).append(' ').append(words).append('\n'));
        if (!constants.isEmpty()) {
            text.append("CONSTANTS\n");
            constants.forEach((name, value) ->
                    text.append("    ").append(name).append(' ').append(value).append('\n'));
        }
        text.append(section("INVARIANTS", invariants)).append(section("PROPERTIES", properties));
        return text.toString();
    }

    private static String section(String keyword, List<String> names) {
        return names.isEmpty() ? "" : keyword + " " + String.join(" ", names) + "\n";
    }
}
