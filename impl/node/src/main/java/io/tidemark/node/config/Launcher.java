package io.tidemark.node.config;

/** How a user starts this program, for commands in messages that can be pasted into a shell. */
public final class Launcher {
    private static final String CALLED = "tidemark.called";

    private Launcher() {}

    /** What the launcher was called as: it says so in a system property, and each JVM to the ones that it starts. */
    public static String called() {
        return System.getProperty(CALLED, "./tidemark");
    }

    /** The option that tells a JVM {@link #called()}. */
    public static String jvmOption() {
        return "-D" + CALLED + "=" + called();
    }

    /** The text as one word to paste into a shell: quoted where it must be. */
    public static String word(Object text) {
        String word = text.toString();
        return word.matches("[A-Za-z0-9_./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
