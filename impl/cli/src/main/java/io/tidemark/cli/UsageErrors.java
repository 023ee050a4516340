package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.node.config.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one line that says what would be right. */
final class UsageErrors {
    private static final String COMMAND_LINE = "command line";

    private UsageErrors() {}

    static CliException explain(ParameterException error) {
        CommandLine line = error.getCommandLine();
        String where = place(line);
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(line, unmatched.getUnmatched().get(0));
        }
        if (error instanceof MissingParameterException missing) {
            return missing(where, missing);
        }
        ArgSpec spec = error.getArgSpec();
        String value = error.getValue();
        if (spec != null && value != null) {
            List<String> choices = choices(spec);
            return usage(
                    where + " " + name(spec),
                    "bad value '" + value + "'",
                    spec.type() == boolean.class
                            ? "it takes none"
                            : choices.isEmpty()
                                    ? "expected " + spec.paramLabel()
                                    : "one of " + String.join(", ", choices),
                    "BAD_VALUE",
                    Nearest.to(value.toLowerCase(Locale.ROOT), choices));
        }
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        return usage(
                where,
                message.lines().findFirst().orElse(message).replaceFirst("\\.$", ""),
                help(where),
                "BAD_VALUE",
                null);
    }

    private static CliException missing(String where, MissingParameterException error) {
        List<ArgSpec> missing = error.getMissing();
        if (missing.size() == 1 && missing.get(0) instanceof OptionSpec option && !option.required()) {
            return usage(where, "no value for " + name(option), "expected " + option.paramLabel(), "BAD_VALUE", null);
        }
        List<String> names = missing.stream().map(UsageErrors::name).toList();
        return usage(where, "missing " + String.join(", ", names), help(where), "MISSING_OPTION", null);
    }

    /** Whether {@code --format json} stands among arguments that do not parse. */
    static boolean jsonWanted(List<String> arguments) {
        int end = arguments.indexOf("kafka");
        List<String> own = end < 0 ? arguments : arguments.subList(0, end);
        int format = own.lastIndexOf("--format");
        return own.contains("--format=json")
                || (format >= 0
                        && format + 1 < own.size()
                        && own.get(format + 1).equals("json"));
    }

    /** The error for a word or an option that the command does not have. */
    static CliException unmatched(CommandLine line, String word) {
        String where = place(line);
        if (word.startsWith("-")) {
            String name = word.replaceFirst("=.*", "");
            List<String> known = new ArrayList<>();
            for (OptionSpec option : line.getCommandSpec().options()) {
                known.addAll(Arrays.asList(option.names()));
            }
            return unknown(where, "unknown option", name, Nearest.to(name, known), "UNKNOWN_OPTION");
        }
        return line.getSubcommands().isEmpty()
                ? usage(where, "unexpected argument '" + word + "'", help(where), "UNEXPECTED_ARGUMENT", null)
                : unknownCommand(line, word);
    }

    /** The error for a word that is no command of this one. */
    static CliException unknownCommand(CommandLine line, String word) {
        String nearest = Nearest.to(word, line.getSubcommands().keySet());
        return unknown(place(line), "unknown command", word, nearest, "UNKNOWN_COMMAND");
    }

    private static CliException unknown(String where, String kind, String word, @Nullable String nearest, String code) {
        String expected = nearest == null ? help(where) : "did you mean " + nearest + "?";
        return usage(where, kind + " '" + word + "'", expected, code, nearest);
    }

    /** The command's name; the command line itself where no command is chosen. */
    private static String place(CommandLine line) {
        return line.getParent() == null
                ? COMMAND_LINE
                : line.getCommandSpec().qualifiedName().replaceFirst("^tidemark ", "");
    }

    private static String help(String where) {
        return "see " + Installation.called() + " " + (where.equals(COMMAND_LINE) ? "" : where + " ") + "--help";
    }

    private static String name(ArgSpec spec) {
        return spec instanceof OptionSpec option ? option.longestName() : spec.paramLabel();
    }

    private static List<String> choices(ArgSpec spec) {
        Object[] constants = spec.type().getEnumConstants();
        return constants == null
                ? List.of()
                : Arrays.stream(constants).map(Object::toString).toList();
    }

    private static CliException usage(
            String where, String what, String expected, String code, @Nullable String nearest) {
        return new CliException(where, what, expected, ExitCode.USAGE, code, nearest);
    }
}
