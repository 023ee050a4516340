package io.tidemark.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the definitions of a module call their parameters: a saved trace has the arguments alone. */
final class Parameters {
    private static final Pattern DEFINITION = Pattern.compile("^(\\w+)(?:\\(([^)]*)\\))? *==", Pattern.MULTILINE);

    private Parameters() {}

    /** By the name of the definition. */
    static Map<String, List<String>> of(Path module) {
        try {
            Map<String, List<String>> all = new HashMap<>();
            Matcher definitions = DEFINITION.matcher(Files.readString(module));
            while (definitions.find()) {
                String parameters = definitions.group(2);
                all.put(
                        definitions.group(1),
                        parameters == null
                                ? List.of()
                                : List.of(parameters.strip().split(" *, *", -1)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
