package io.tidemark.spec.check;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Definitions.Definition;
import io.tidemark.spec.model.Modules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What modules say of their actions, in a sentence. */
public final class Banners {
    private static final Pattern SENTENCE = Pattern.compile("(.*?[.!?])(\\s.*|$)", Pattern.DOTALL);

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
        return action -> file == null ? "" : sentence(file, action);
    }

    private String sentence(Path file, String action) {
        Definition found = action.equals("Init") ? null : find(file, action);
        return found == null ? "" : sentence(action, found.comment());
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
