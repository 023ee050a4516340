package io.tidemark.spec.check;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Definitions.Definition;
import io.tidemark.spec.model.Modules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What modules say of their actions, in a sentence. */
public final class Banners {
    private static final Pattern SENTENCE = Pattern.compile("(.*?[.!?])(\\s.*|$)", Pattern.DOTALL);

    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)");

    /** A banner may begin with the heading of a section; longer is none. */
    private static final int HEADING = 60;

    private final Modules modules;

    public Banners(Modules modules) {
        this.modules = modules;
    }

    /** For the module of this name, or of this file. A module that is gone or does not parse has no words. */
    public UnaryOperator<String> of(String module) {
        Path given = Path.of(module + ".tla");
        Path file = Files.isRegularFile(given) ? given : modules.find(module);
        return name -> file == null ? "" : told(file, name);
    }

    /** Of an action, of one as it was taken ({@code HandleFetch(b1, b2)}), or of a property. */
    private String told(Path file, String name) {
        Matcher call = CALL.matcher(name);
        boolean taken = call.matches();
        String action = taken ? call.group(1) : name;
        Definition found = action.equals("Init") ? null : find(file, action);
        String sentence = found == null ? "" : sentence(action, found.comment());
        return found == null || !taken
                ? sentence
                : named(sentence, found.parameters(), List.of(call.group(2).split(", *", -1)));
    }

    /** With who took part instead of the parameters, which are letters; the letter a is an article. */
    static String named(String sentence, List<String> parameters, List<String> arguments) {
        String told = sentence;
        for (int i = 0; i < parameters.size() && parameters.size() == arguments.size(); i++) {
            if (parameters.get(i).matches("[b-z]")) {
                told = told.replaceAll(
                        "(?<![\\w'])" + parameters.get(i) + "\\b", Matcher.quoteReplacement(arguments.get(i)));
            }
        }
        return told;
    }

    /** The first sentence, without what only repeats the action's name: {@code Raise, by p: it rises.} */
    static String sentence(String action, String comment) {
        int name = comment.indexOf(action);
        String text = name >= 0 && name <= HEADING ? comment.substring(name + action.length()) : comment;
        Matcher first = SENTENCE.matcher(text.replaceFirst("^(\\([^)]*\\))?[\\s,:.]*", ""));
        return first.matches() ? first.group(1) : text.strip();
    }

    private @Nullable Definition find(Path file, String action) {
        try {
            return modules.definitions(file).definition(action);
        } catch (SpecException e) {
            return null;
        }
    }
}
