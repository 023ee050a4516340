package io.tidemark.cli.contract;

/**
 * What the streams are connected to. A JVM cannot tell, so the launcher does.
 *
 * @param out standard output is a terminal
 * @param err standard error is one
 * @param columns its width, 80 where unknown
 */
public record Terminal(boolean out, boolean err, int columns) {
    /** From the launcher's system properties; without a launcher, nothing is a terminal. */
    public static Terminal current() {
        String streams = System.getProperty("tidemark.terminal", "");
        return new Terminal(
                streams.contains("out"), streams.contains("err"), width(System.getProperty("tidemark.columns", "")));
    }

    private static int width(String text) {
        return text.matches("[1-9][0-9]{1,3}") ? Math.max(40, Integer.parseInt(text)) : 80;
    }
}
