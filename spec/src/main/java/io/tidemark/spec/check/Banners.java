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
        Definition found = find(file, action);
        Matcher first = SENTENCE.matcher(found == null ? "" : found.comment());
        return first.matches() ? first.group(1) : found == null ? "" : found.comment();
    }

    private @Nullable Definition find(Path file, String action) {
        try {
            return modules.definitions(file).definition(action);
        } catch (SpecException e) {
            return null;
        }
    }
}
