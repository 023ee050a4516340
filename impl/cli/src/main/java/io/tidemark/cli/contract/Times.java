package io.tidemark.cli.contract;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as options take them: {@code 90s}, {@code 10m}, {@code 1h}; 1s to 24h. */
public final class Times {
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smh])");
    private static final Duration LONGEST = Duration.ofHours(24);

    private Times() {}

    /**
     * Reads a time.
     *
     * @param command for the message, as {@code spec check}
     * @param option for the message, as {@code --timeout}
     * @throws CliException {@code BAD_VALUE}, for what is no time, or one that is out of bounds
     */
    public static Duration parse(String command, String option, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw bad(command, option, text, "a time as 90s, 10m or 1h");
        }
        long amount = Long.parseLong(matcher.group(1));
        Duration time = switch (matcher.group(2)) {
            case "h" -> Duration.ofHours(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofSeconds(amount);
        };
        if (time.isZero() || time.compareTo(LONGEST) > 0) {
            throw bad(command, option, text, "1s to 24h");
        }
        return time;
    }

    private static CliException bad(String command, String option, String text, String expected) {
        return new CliException(command, option + " " + text, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }
}
