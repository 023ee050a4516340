package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.edn.EdnException;
import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.node.config.Nearest;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of options that both commands read, and what is wrong with them. */
final class HistoryOptions {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");

    private HistoryOptions() {}

    static HistoryModel model(String where, String name) {
        return named(where + " --model", name, HistoryModel.values(), HistoryModel::label);
    }

    /** The constant of that label. */
    static <T> T named(String where, String name, T[] known, Function<T, String> label) {
        List<String> names = Arrays.stream(known).map(label).toList();
        int at = names.indexOf(name);
        if (at < 0) {
            throw new CliException(
                    where,
                    "unknown name '" + name + "'",
                    "one of " + String.join(", ", names),
                    ExitCode.USAGE,
                    "UNKNOWN_NAME",
                    Nearest.to(name, names));
        }
        return known[at];
    }

    static Duration duration(String where, String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw usage(where, "bad value '" + text + "'", "a time as 30s, 5m or 500ms");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    static @Nullable Object edn(String where, String text) {
        try {
            EdnReader reader = new EdnReader(new StringReader(text));
            Object value = reader.next();
            if (reader.hasNext()) {
                throw usage(where, "bad value '" + text + "'", "one form of EDN, as 0 or '{:x 0 :y 0}'");
            }
            return value;
        } catch (EdnException e) {
            throw usage(where, "bad value '" + text + "': " + e.problem(), "one form of EDN, as 0 or '{:x 0 :y 0}'");
        } catch (IOException e) {
            throw new IllegalStateException("text in memory", e);
        }
    }

    static CliException usage(String where, String what, String expected) {
        return new CliException(where, what, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }
}
