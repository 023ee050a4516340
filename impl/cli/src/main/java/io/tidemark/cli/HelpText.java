package io.tidemark.cli;

import io.tidemark.cli.contract.Wrap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The help of a command in lines of a terminal's width. Picocli breaks lines inside keys, file names and options; so it is
 * given all the width it can want, and its lines are broken here, at spaces alone.
 */
final class HelpText {
    /** A width at which picocli breaks nothing. */
    private static final int UNBROKEN = 10_000;

    /** Heads what is to be copied: that stays on one line, however narrow the terminal is. */
    static final String EXAMPLE = "Example:";

    /** The usage, a row of a table, a row without its first cell: up to where the next line begins. */
    private static final List<Pattern> HEADS = List.of(
            Pattern.compile("Usage: tidemark( [a-z]+)* (?=\\S)"),
            Pattern.compile(" +\\S.*? {2,}(?=\\S)"),
            Pattern.compile(" +(?=\\S)"));

    /** How far a line goes in whose head leaves too little room. */
    private static final String LITTLE_INDENT = " ".repeat(7);

    private HelpText() {}

    /** The text, each line ended by a line feed. */
    static String of(CommandLine line, Ansi ansi, int width) {
        line.setUsageHelpWidth(UNBROKEN);
        StringBuilder text = new StringBuilder();
        boolean example = false;
        for (String whole : line.getUsageMessage(ansi).lines().toList()) {
            example |= whole.equals(EXAMPLE);
            List<String> lines = example ? List.of(whole) : broken(whole, width);
            lines.forEach(part -> text.append(part).append('\n'));
        }
        return text.toString();
    }

    private static List<String> broken(String line, int width) {
        String plain = Wrap.plain(line);
        String indent = HEADS.stream()
                .map(head -> head.matcher(plain))
                .filter(Matcher::lookingAt)
                .findFirst()
                .map(head -> " ".repeat(head.end()))
                .orElse("");
        List<String> lines = Wrap.lines(line, width, indent);
        boolean fits = lines.stream().skip(1).allMatch(part -> Wrap.plain(part).length() <= width);
        return fits || indent.length() < LITTLE_INDENT.length() ? lines : Wrap.lines(line, width, LITTLE_INDENT);
    }
}
