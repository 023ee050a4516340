package io.tidemark.cli.contract;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What each command implements; picocli reads its options from the implementing class. */
public interface Command {
    /** Does the work and publishes the result. */
    ExitCode run(Session session) throws Exception;

    /** Codes beside those that every command has (0, 2, 5, 70, 130, 143): shown by {@code --help}. */
    default Set<ExitCode> furtherExitCodes() {
        return EnumSet.noneOf(ExitCode.class);
    }

    /** Commands below this one, {@code spec check}; new ones at each call. */
    default List<Command> subcommands() {
        return List.of();
    }

    /** Whether it publishes a result, as text or as a document; what runs a foreign program to its end has none. */
    default boolean hasResult() {
        return true;
    }

    /** A command line that works as it stands: shown by {@code --help}. */
    String example();
}
